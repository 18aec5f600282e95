package io.millrace.hostile;

import java.io.IOException;
import java.util.List;

/** Body of deeply nested arrays. */
final class DeepJsonBody implements Attack {
    private static final int DEPTH = 500_000;
    private static final String BODY = "[".repeat(DEPTH) + "]".repeat(DEPTH);

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        var paths = List.of(
                "/api/v1/authentication/sign-in",
                target.webhook(target.flows().echo()) + "/sync",
                "/api/v1/flows/" + target.flows().echo());
        for (var path : paths) {
            var since = System.nanoTime();
            try (var wire = Wire.open(target.port())) {
                wire.send(AttackTarget.head(path, target.authorization())
                        + "Content-Type: application/json\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY);
                answers.add("deep JSON", wire.status(), since);
            }
        }
    }
}
