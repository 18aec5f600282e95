package io.millrace.support.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** npm package with a hand-written piece, as the archive that a registry serves. */
public record PiecePackage(String name, String version, Map<String, byte[]> entries) {
    private static final Path PROBE = Path.of("src/test/resources/pieces/probe");

    /** The piece of {@code src/test/resources/pieces/probe}, under this name and version. */
    public static PiecePackage probe(String name, String version) {
        var entries = new LinkedHashMap<String, byte[]>();
        entries.put("package/package.json", manifest(name, version));
        for (var file : new String[] {"src/index.js", "src/i18n/de.json"}) {
            entries.put("package/" + file, read(PROBE.resolve(file)));
        }
        return new PiecePackage(name, version, entries);
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static byte[] manifest(String name, String version) {
        return Json.bytes(
                Json.object().put("name", name).put("version", version).put("main", "./src/index.js"));
    }

    /** Manifest of the package ({@code package.json}). */
    public JsonNode manifest() {
        try {
            return Json.parse(entries.get("package/package.json"));
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    /** The same package with a dependency. */
    public PiecePackage needing(String kind, String dependency, String range) {
        var manifest = (ObjectNode) manifest();
        manifest.withObject("/" + kind).put(dependency, range);
        return with("package/package.json", Json.text(manifest));
    }

    /** The same package with one entry added or replaced. */
    public PiecePackage with(String entry, String content) {
        var more = new LinkedHashMap<>(entries);
        more.put(entry, content.getBytes(StandardCharsets.UTF_8));
        return new PiecePackage(name, version, more);
    }

    /** The archive, with the same bytes on each call: a registry publishes its hash before the download. */
    public byte[] tgz() {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (var entry : entries.entrySet()) {
                var header = new TarArchiveEntry(entry.getKey(), true);
                header.setSize(entry.getValue().length);
                header.setModTime(0L);
                tar.putArchiveEntry(header);
                tar.write(entry.getValue());
                tar.closeArchiveEntry();
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return bytes.toByteArray();
    }
}
