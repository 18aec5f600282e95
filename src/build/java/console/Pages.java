package console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes the pages that load the entries, a list of all files, and what is worth it compressed. The names hold hashes, so
 * a browser may keep every file but the page for ever.
 */
final class Pages {
    private static final int WORTH_COMPRESSING = 512;

    private Pages() {}

    /** Files whose names are known outside, and hold no hash. */
    static void copy(Path from, Path output) throws IOException {
        try (var files = Files.list(from)) {
            for (var file : files.toList()) {
                Files.copy(file, output.resolve("assets").resolve(file.getFileName()));
            }
        }
    }

    /** Name of the file that the bundler wrote for a source. */
    static String entry(Path metafile, String source) throws IOException {
        return name(entryOf(outputs(metafile), source));
    }

    private static JsonNode outputs(Path metafile) throws IOException {
        return new ObjectMapper().readTree(metafile.toFile()).path("outputs");
    }

    /**
     * The page of one bundle, by the template's name.
     *
     * @param first scripts that are executed before the bundle is loaded
     */
    static void write(
            Path template, Path metafile, Path output, String script, String stylesheet, List<String> first)
            throws IOException {
        var outputs = outputs(metafile);
        var head = new ArrayList<String>();
        first.forEach(file -> head.add("<script type=\"module\" async src=\"{{prefix}}/assets/" + file + "\"></script>"));
        var entry = entryOf(outputs, script);
        var style = entryOf(outputs, stylesheet);
        head.add("<link rel=\"stylesheet\" href=\"{{prefix}}/assets/" + name(style) + "\">");
        var loaded = new LinkedHashSet<String>();
        imports(outputs, entry, loaded);
        loaded.forEach(file -> head.add(
                "<link rel=\"modulepreload\" href=\"{{prefix}}/assets/" + name(file) + "\">"));
        head.add("<script type=\"module\" src=\"{{prefix}}/assets/" + name(entry) + "\"></script>");
        var page = Files.readString(template).replace("{{assets}}", String.join("\n  ", head));
        Files.writeString(output.resolve(template.getFileName()), page);
    }

    private static String entryOf(JsonNode outputs, String source) {
        for (var output : outputs.properties()) {
            if (output.getValue().path("entryPoint").asText("").endsWith(source)) {
                return output.getKey();
            }
        }
        throw new IllegalStateException("esbuild wrote nothing for " + source);
    }

    /** What the entry imports at once, and what that imports: fetched side by side instead of one after the other. */
    private static void imports(JsonNode outputs, String file, Set<String> found) {
        for (var each : outputs.path(file).path("imports")) {
            var path = each.path("path").asText();
            if (each.path("kind").asText().equals("import-statement") && found.add(path)) {
                imports(outputs, path, found);
            }
        }
    }

    static void compress(Path output) throws IOException {
        List<Path> files;
        try (var walk = Files.walk(output.resolve("assets"))) {
            files = walk.filter(Files::isRegularFile).sorted().toList();
        }
        var index = new StringBuilder();
        for (var file : files) {
            index.append(file.getFileName()).append('\n');
            var content = Files.readAllBytes(file);
            if (content.length >= WORTH_COMPRESSING) {
                var small = gzip(content);
                if (small.length < content.length) {
                    Files.write(file.resolveSibling(file.getFileName() + ".gz"), small);
                }
            }
        }
        Files.writeString(output.resolve("index"), index, StandardCharsets.UTF_8);
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
