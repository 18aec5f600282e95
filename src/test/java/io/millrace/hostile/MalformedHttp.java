package io.millrace.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Invalid or ambiguous HTTP requests. */
final class MalformedHttp implements Attack {
    private static final String HOST = "Host: 127.0.0.1\r\n";
    private static final List<String> REQUESTS = List.of(
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\r\n\r\n",
            "GET\r\n\r\n",
            "GET /api/v1/flags HTTP/9.9\r\n" + HOST + "\r\n",
            "GET /api/v1/flags HTTP/1.1\r\n" + HOST + "Broken header\r\n\r\n",
            "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\n" + HOST + "\r\n",
            "GET /api/v1/flags HTTP/1.1\r\n" + HOST + "X: " + "a".repeat(100_000) + "\r\n\r\n",
            "GET /api/v1/flags HTTP/1.1\r\n" + HOST + "X: a\r\n".repeat(10_000) + "\r\n",
            "GET /api/v1/%zz%00/../../flags HTTP/1.1\r\n" + HOST + "\r\n",
            "POST /api/v1/authentication/sign-in HTTP/1.1\r\n" + HOST + "Content-Length: -5\r\n\r\n",
            "POST /api/v1/authentication/sign-in HTTP/1.1\r\n" + HOST
                    + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
            "POST /api/v1/authentication/sign-in HTTP/1.1\r\n" + HOST
                    + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "POST /api/v1/authentication/sign-in HTTP/1.1\r\n" + HOST
                    + "Transfer-Encoding: chunked\r\n\r\nnot a number\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\u0000".repeat(1000));

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        for (var request : REQUESTS) {
            var since = System.nanoTime();
            try (var wire = Wire.open(target.port())) {
                wire.isTaken(request.getBytes(StandardCharsets.ISO_8859_1));
                wire.endSending();
                answers.add("malformed HTTP", wire.status(), since);
            }
        }
    }
}
