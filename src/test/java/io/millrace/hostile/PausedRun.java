package io.millrace.hostile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Starts a run that pauses with a large payload; the runs of all callers are due at the same time. */
final class PausedRun implements Attack {
    private static final byte[] BODY =
            ("{\"padding\":\"" + "x".repeat(8_000_000) + "\"}").getBytes(StandardCharsets.US_ASCII);

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            wire.send(AttackTarget.head(target.webhook(target.flows().paused()), "Content-Type: application/json\r\n")
                    + "Content-Length: " + BODY.length + "\r\n\r\n");
            wire.isTaken(BODY);
            answers.add("paused run", wire.status(), since);
        }
    }
}
