package console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The icons of the list, as the inside of their SVG elements: only what the console shows travels to the browser. */
final class Icons {
    private static final Pattern INSIDE = Pattern.compile("<svg[^>]*>(?<inside>.*)</svg>", Pattern.DOTALL);

    private Icons() {}

    static String text(Path names, Path packages) throws IOException {
        var text = new StringBuilder("/* Generated from base/icons/names.txt. */\nexport const icons = {\n");
        for (var name : Files.readAllLines(names)) {
            if (!name.isBlank() && !name.startsWith("#")) {
                text.append("  '").append(name).append("': '").append(inside(packages, name)).append("',\n");
            }
        }
        return text.append("} as const;\nexport type IconName = keyof typeof icons;\n").toString();
    }

    private static String inside(Path packages, String name) throws IOException {
        var file = packages.resolve("lucide-static/icons").resolve(name + ".svg");
        if (!Files.exists(file)) {
            throw new IOException("there is no icon " + name + ": names are those of Lucide");
        }
        var svg = INSIDE.matcher(Files.readString(file));
        if (!svg.find()) {
            throw new IOException(file + " is no SVG");
        }
        return svg.group("inside").replaceAll("\\s+", " ").replace(" />", "/>").replace("> <", "><").strip();
    }
}
