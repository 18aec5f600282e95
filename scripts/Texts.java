import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Writes all texts of the console as one HTML page for review: by page, with the source files that show each text.
 *
 * <p>Arguments: the directory of the console's sources, and the file to write.
 */
final class Texts {
    private static final Pattern ENTRY = Pattern.compile("'([\\w.-]+)':\\s*'((?:[^'\\\\]|\\\\.)*)'");
    private static final Pattern USE = Pattern.compile("['`]([a-zA-Z][\\w-]*(?:\\.[\\w-]+)*)(\\.?\\$\\{[^`]*`|['`])");
    private static final String UNUSED = "Key built at run time, or not shown";

    private Texts() {}

    public static void main(String[] args) throws IOException {
        var source = Path.of(args[0]);
        var texts = new TreeMap<String, String>();
        for (var file : files(source.resolve("base/text"))) {
            ENTRY.matcher(Files.readString(file))
                    .results()
                    .forEach(entry -> texts.put(entry.group(1), entry.group(2).replace("\\'", "'")));
        }
        var pages = pagesOf(source, texts);
        var target = Path.of(args[1]);
        Files.writeString(target, html(pages, texts));
        System.out.println(texts.size() + " texts of " + pages.size() + " pages in " + target);
    }

    private static List<Path> files(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(file -> file.toString().matches(".*(?<!\\.test)\\.tsx?"))
                    .sorted(Comparator.naturalOrder())
                    .toList();
        }
    }

    /** Keys by the source file that shows them; a file with the name of a page stands for the page. */
    private static Map<String, TreeSet<String>> pagesOf(Path source, Map<String, String> texts) throws IOException {
        var pages = new TreeMap<String, TreeSet<String>>();
        var rest = new TreeSet<>(texts.keySet());
        for (var file : files(source)) {
            if (file.startsWith(source.resolve("base/text"))) {
                continue;
            }
            var keys = new TreeSet<String>();
            USE.matcher(Files.readString(file)).results().forEach(use -> {
                var isPrefix = !use.group(2).matches("['`]");
                for (var key : texts.keySet()) {
                    var plural = key.replaceAll("\\.(one|other)$", "");
                    if (isPrefix ? key.startsWith(use.group(1)) : key.equals(use.group(1)) || plural.equals(use.group(1))) {
                        keys.add(key);
                    }
                }
            });
            if (!keys.isEmpty()) {
                pages.put(source.relativize(file).toString(), keys);
                rest.removeAll(keys);
            }
        }
        if (!rest.isEmpty()) {
            pages.put(UNUSED, rest);
        }
        return pages;
    }

    private static String html(Map<String, TreeSet<String>> pages, Map<String, String> texts) {
        var html = new StringBuilder("""
                <!doctype html><html lang="en"><meta charset="utf-8"><title>Texts of the console</title>
                <style>body { font: 14px/20px system-ui; margin: 24px auto; max-width: 1100px } td { padding: 2px 12px 2px 0; vertical-align: top }
                td:last-child { color: #676159 } h2 { margin: 24px 0 4px; font-size: 16px }</style><h1>Texts of the console</h1>
                """);
        pages.forEach((page, keys) -> {
            html.append("<h2>").append(escaped(page)).append("</h2><table>");
            keys.forEach(key -> html.append("<tr><td>")
                    .append(escaped(texts.get(key)))
                    .append("</td><td>")
                    .append(escaped(key))
                    .append("</td></tr>\n"));
            html.append("</table>\n");
        });
        return html.append("</html>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
