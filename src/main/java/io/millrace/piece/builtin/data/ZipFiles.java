package io.millrace.piece.builtin.data;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.LongWork;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Packs and unpacks ZIP archives. Archives with a password are rejected; the package handles them. */
final class ZipFiles {
    private static final int ENTRIES_MAX = 1_000;
    private static final int UNPACKED_BYTES_MAX = 64 * 1024 * 1024;
    private static final int PIECE_BYTES = 64 * 1024;

    /** Larger archives are unpacked one at a time, each until its files are written. */
    private static final int LARGE_BYTES = 4 * 1024 * 1024;

    private static final Charset DOS =
            Charset.isSupported("IBM437") ? Charset.forName("IBM437") : StandardCharsets.ISO_8859_1;

    private static final OneAtATime LARGE = new OneAtATime();

    private ZipFiles() {}

    static ContextAction zip() {
        var props = Props.of(
                Props.named(
                        "files",
                        Props.list("Files", true)
                                .withItems(Props.of(
                                        Props.named("file", Props.file("File", true)),
                                        Props.named(
                                                "filePath",
                                                Props.shortText("File Path in zip", false)
                                                        .describedAs(
                                                                "Such as folder/name.txt; else the file's name."))))),
                Props.named("outputFileName", Props.shortText("Name of zipped file", true)));
        return FileHelperPiece.writing("zipFiles", "Zip Files", "Packs files into one.", props, ZipFiles::pack);
    }

    static ContextAction unzip() {
        var props = Props.of(Props.named("file", Props.file("Zip File", true)));
        return FileHelperPiece.writing(
                "unzipFile", "Unzip File", "Unpacks the files of a zip file.", props, ZipFiles::unpack);
    }

    private static Future<JsonNode> pack(StepContext context) {
        var input = context.props();
        if (input.path("usePassword").asBoolean(false)) {
            throw PieceFailure.of("usePassword: expected no password, which this version cannot set");
        }
        var count = input.path("files").size();
        if (count > ENTRIES_MAX) {
            throw PieceFailure.of("files: expected at most " + ENTRIES_MAX + " files, found " + count);
        }
        var files = new LinkedHashMap<String, FileValue>();
        for (var item : input.path("files")) {
            var file = FileHelperPiece.fileIn(item, "file");
            var path = item.path("filePath").asText("");
            var isNamed = !path.isBlank() && !item.path("filePath").isNull();
            files.put(free(isNamed ? path : file.fileName(), files.keySet()), file);
        }
        return LongWork.run(() -> packed(files))
                .compose(data -> context.writeFile(input.path("outputFileName").asText(), data))
                .map(TextNode::valueOf);
    }

    /** The path, numbered when an earlier file has it: {@code image (2).png}. */
    private static String free(String path, Set<String> taken) {
        var dot = path.lastIndexOf('.') > path.lastIndexOf('/') ? path.lastIndexOf('.') : path.length();
        var free = path;
        for (var number = 2; taken.contains(free); number++) {
            free = path.substring(0, dot) + " (" + number + ")" + path.substring(dot);
        }
        return free;
    }

    private static Buffer packed(Map<String, FileValue> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (var file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().data().getBytes());
                zip.closeEntry();
            }
        }
        return Buffer.buffer(bytes.toByteArray());
    }

    private record ArchiveFile(String path, Buffer data) {
        String fileName() {
            return path.substring(path.lastIndexOf('/') + 1);
        }
    }

    private static Future<JsonNode> unpack(StepContext context) {
        var archive = FileHelperPiece.fileIn(context.props(), "file").data();
        return LongWork.run(() -> contents(archive)).compose(contents -> {
            var isLarge =
                    contents.sizes().stream().mapToLong(Integer::longValue).sum() > LARGE_BYTES;
            return isLarge ? LARGE.next(() -> write(archive, contents, context)) : write(archive, contents, context);
        });
    }

    private static Future<JsonNode> write(Buffer archive, Contents contents, StepContext context) {
        return LongWork.run(() -> unpacked(archive, contents)).compose(found -> {
            var list = Json.array();
            Future<Void> written = Future.succeededFuture();
            for (var one : found) {
                written = written.compose(_ -> context.writeFile(one.fileName(), one.data()))
                        .map(url -> list.addObject().put("file", url).put("filePath", one.path()))
                        .mapEmpty();
            }
            return written.map(list);
        });
    }

    /**
     * Entries of an archive.
     *
     * @param names charset of the names
     * @param sizes after decompression
     */
    private record Contents(Charset names, List<Integer> sizes) {}

    private static Contents contents(Buffer archive) {
        try {
            return new Contents(StandardCharsets.UTF_8, sizes(archive, StandardCharsets.UTF_8));
        } catch (OddNameException notUnicode) {
            return new Contents(DOS, sizes(archive, DOS));
        }
    }

    /** A name that is not UTF-8: programs without Unicode write names in the charset of DOS. */
    private static final class OddNameException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        OddNameException(Throwable cause) {
            super(cause);
        }
    }

    /**
     * Sizes of the entries after decompression, computed without buffering, so that an oversized archive needs no
     * memory.
     */
    private static List<Integer> sizes(Buffer archive, Charset names) {
        var sizes = new ArrayList<Integer>();
        var piece = new byte[PIECE_BYTES];
        var left = UNPACKED_BYTES_MAX;
        var files = 0;
        try (var zip = zip(archive, names)) {
            for (var entry = next(zip, names); entry != null; entry = next(zip, names)) {
                // A folder has no content; unexpected content is counted too, or it would be unpacked without a bound.
                var before = left;
                for (var read = zip.read(piece); read >= 0; read = zip.read(piece)) {
                    left -= read;
                    requireRoom(left >= 0);
                }
                requireRoom(entry.isDirectory() || ++files <= ENTRIES_MAX);
                sizes.add(before - left);
            }
        } catch (IOException | IllegalArgumentException malformed) {
            throw PieceFailure.of("file: expected a zip file without a password whose files are stored or deflated: "
                    + malformed.getMessage());
        }
        if (sizes.isEmpty() && archive.length() > 0 && archive.getByte(0) != 'P') {
            throw PieceFailure.of("file: expected a zip file, found another file");
        }
        return sizes;
    }

    private static ZipEntry next(ZipInputStream zip, Charset names) throws IOException {
        try {
            return zip.getNextEntry();
        } catch (ZipException | IllegalArgumentException failure) {
            var isOfName = failure instanceof IllegalArgumentException
                    || failure.getCause() instanceof IllegalArgumentException;
            if (isOfName && names.equals(StandardCharsets.UTF_8)) {
                throw new OddNameException(failure);
            }
            throw failure;
        }
    }

    private static void requireRoom(boolean isThere) {
        if (!isThere) {
            throw PieceFailure.of("file: expected an archive of at most " + ENTRIES_MAX + " files and "
                    + UNPACKED_BYTES_MAX + " bytes, found a larger one");
        }
    }

    private static List<ArchiveFile> unpacked(Buffer archive, Contents contents) throws IOException {
        var found = new ArrayList<ArchiveFile>();
        try (var zip = zip(archive, contents.names())) {
            for (var size : contents.sizes()) {
                var entry = zip.getNextEntry();
                var data = new byte[size];
                zip.readNBytes(data, 0, size);
                if (!entry.isDirectory()) {
                    found.add(new ArchiveFile(entry.getName(), Buffer.buffer(data)));
                }
            }
        }
        return found;
    }

    private static ZipInputStream zip(Buffer archive, Charset names) {
        return new ZipInputStream(new ByteArrayInputStream(archive.getBytes()), names);
    }
}
