package io.millrace.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** A body of 20 MB. */
record LargeBody(Shape shape) implements Attack {
    private static final byte[] PADDING = padding(20_000_000);
    private static final int CHUNK_BYTES = 64 * 1024;
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String BOUNDARY = "a-boundary";

    /** Route and encoding of the request. */
    enum Shape {
        WEBHOOK,
        CHUNKED_WEBHOOK,
        MULTIPART_WEBHOOK,
        ANONYMOUS_API,
        OWNER_API
    }

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            switch (shape) {
                case WEBHOOK -> json(wire, target.webhook(target.flows().paused()), "");
                case CHUNKED_WEBHOOK ->
                    chunked(wire, target.webhook(target.flows().paused()));
                case MULTIPART_WEBHOOK ->
                    multipart(wire, target.webhook(target.flows().unzip()));
                case ANONYMOUS_API -> json(wire, "/api/v1/authentication/sign-in", "");
                case OWNER_API -> json(wire, "/api/v1/flows/" + target.flows().echo(), target.authorization());
            }
            answers.add("large body, " + name(shape), wire.status(), since);
        }
    }

    static String name(Enum<?> shape) {
        return shape.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static void json(Wire wire, String path, String headers) throws IOException {
        whole(wire, path, headers + JSON, "{\"type\":\"CHANGE_NAME\",\"padding\":\"", "\"}");
    }

    private static void multipart(Wire wire, String path) throws IOException {
        var begin = "--" + BOUNDARY + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"large.zip\"\r\n"
                + "Content-Type: application/zip\r\n\r\n";
        var type = "Content-Type: multipart/form-data; boundary=" + BOUNDARY + "\r\n";
        whole(wire, path, type, begin, "\r\n--" + BOUNDARY + "--\r\n");
    }

    private static void whole(Wire wire, String path, String headers, String begin, String end) throws IOException {
        var length = begin.length() + PADDING.length + end.length();
        wire.send(AttackTarget.head(path, headers) + "Content-Length: " + length + "\r\n\r\n" + begin);
        if (wire.isTaken(PADDING)) {
            wire.isTaken(end.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static void chunked(Wire wire, String path) throws IOException {
        wire.send(AttackTarget.head(path, JSON) + "Transfer-Encoding: chunked\r\n\r\n1\r\n\"\r\n");
        var chunk = (Integer.toHexString(CHUNK_BYTES) + "\r\n" + "x".repeat(CHUNK_BYTES) + "\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        for (var sent = 0; sent < PADDING.length; sent += CHUNK_BYTES) {
            if (!wire.isTaken(chunk)) {
                return;
            }
        }
        wire.isTaken("1\r\n\"\r\n0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] padding(int bytes) {
        var padding = new byte[bytes];
        Arrays.fill(padding, (byte) 'x');
        return padding;
    }
}
