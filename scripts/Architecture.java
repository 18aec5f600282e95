import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Draws the areas and their packages, top to bottom, out of the ordered list that the architecture test holds. */
final class Architecture {
    private static final int BAND = 74;
    private static final int BOX_HEIGHT = 30;
    private static final int LEFT = 130;
    private static final int GAP = 10;
    private static final int WIDTH = 1180;
    private static final String START = "levels(\"\"\"";

    public static void main(String[] arguments) throws IOException {
        var source = Files.readString(Path.of(arguments[0]));
        var from = source.indexOf(START) + START.length();
        var areas = areasOf(source.substring(from, source.indexOf("\"\"\"", from)));
        Files.createDirectories(Path.of(arguments[1]).getParent());
        Files.writeString(Path.of(arguments[1]), draw(areas));
    }

    /** Area to its levels; packages of one level stand side by side and do not know each other. */
    private static Map<String, List<String>> areasOf(String list) {
        var areas = new LinkedHashMap<String, List<String>>();
        for (var line : list.strip().lines().map(String::strip).toList()) {
            for (var name : line.split(", ")) {
                areas.computeIfAbsent(name.split("\\.")[0], _ -> new ArrayList<>()).add(name);
            }
        }
        return areas;
    }

    private static String draw(Map<String, List<String>> areas) {
        var svg = new StringBuilder();
        var y = 10;
        for (var area : areas.entrySet()) {
            y = band(svg, area.getKey(), area.getValue(), y) + 22;
        }
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="system-ui, sans-serif" font-size="13">
                <title>Areas and packages of Millrace: each knows only what stands below or to the right of it</title>
                <rect width="100%%" height="100%%" fill="#fff"/>
                %s</svg>
                """.formatted(WIDTH, y - 12, svg);
    }

    private static int band(StringBuilder svg, String area, List<String> packages, int top) {
        var boxes = new StringBuilder();
        var x = LEFT;
        var y = top + 12;
        for (var name : packages) {
            var label = name.startsWith(area + ".") ? name.substring(area.length() + 1) : name;
            var width = 22 + label.length() * 8;
            if (x + width > WIDTH - 20) {
                x = LEFT;
                y += BOX_HEIGHT + GAP;
            }
            boxes.append("""
                    <g><title>%s</title><rect x="%d" y="%d" width="%d" height="%d" rx="6" fill="#fff" stroke="#a8a29e"/>\
                    <text x="%d" y="%d" text-anchor="middle" fill="#292524">%s</text></g>
                    """.formatted(name, x, y, width, BOX_HEIGHT, x + width / 2, y + 20, label));
            x += width + GAP;
        }
        var height = Math.max(BAND - 20, y - top + BOX_HEIGHT + 12);
        svg.append("""
                <rect x="10" y="%d" width="%d" height="%d" rx="8" fill="#f5f5f4"/>
                <text x="26" y="%d" font-weight="600" fill="#44403c">%s</text>
                """.formatted(top, WIDTH - 20, height, top + 32, area));
        svg.append(boxes);
        return top + height;
    }
}
