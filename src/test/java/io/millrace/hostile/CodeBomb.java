package io.millrace.hostile;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Starts a run whose code uses memory, time or output space without a bound. */
final class CodeBomb implements Attack {
    private final AtomicInteger next = new AtomicInteger();

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var bombs = target.flows().bombs();
        var since = System.nanoTime();
        try (var wire = Wire.open(target.port())) {
            wire.send(AttackTarget.head(
                            target.webhook(bombs.get(next.getAndIncrement() % bombs.size())),
                            "Content-Type: application/json\r\n")
                    + "Content-Length: 2\r\n\r\n{}");
            answers.add("code bomb", wire.status(), since);
        }
    }
}
