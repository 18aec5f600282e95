package io.millrace.hostile;

import java.io.IOException;
import java.time.Duration;

/** Requests a large response and reads one byte per second. */
final class SlowReader implements Attack {
    private static final int RECEIVE_BYTES = 2048;
    private static final int BYTES_READ = 60;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException, InterruptedException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port(), RECEIVE_BYTES)) {
            var body = "{\"padding\":\"" + "x".repeat(1 << 20) + "\"}";
            wire.send(AttackTarget.head(
                            target.webhook(target.flows().echo()) + "/sync", "Content-Type: application/json\r\n")
                    + "Content-Length: " + body.length() + "\r\n\r\n" + body);
            answers.add("slow reader", wire.status(), since);
            for (var read = 0; read < BYTES_READ && !target.isOver() && wire.read() >= 0; read++) {
                target.pause(PAUSE);
            }
        }
    }
}
