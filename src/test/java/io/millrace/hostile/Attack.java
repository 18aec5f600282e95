package io.millrace.hostile;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Attack on a server: concurrent callers, each of which repeats one request until the end of the load. */
interface Attack {
    /** Sends one request and counts the response. Returns at the end of the load or soon after. */
    void once(AttackTarget target, AnswerCounts answers) throws IOException, InterruptedException;

    /**
     * An attack with its intensity.
     *
     * @param callers number of concurrent callers
     * @param pause pause of each caller between requests
     */
    record Wave(Attack attack, int callers, Duration pause) {}

    /** All attacks of the load. */
    static List<Wave> all() {
        return List.of(
                new Wave(new LargeBody(LargeBody.Shape.WEBHOOK), 16, Duration.ofSeconds(15)),
                new Wave(new LargeBody(LargeBody.Shape.CHUNKED_WEBHOOK), 16, Duration.ofSeconds(15)),
                new Wave(new LargeBody(LargeBody.Shape.MULTIPART_WEBHOOK), 16, Duration.ofSeconds(15)),
                new Wave(new LargeBody(LargeBody.Shape.ANONYMOUS_API), 16, Duration.ofSeconds(15)),
                new Wave(new LargeBody(LargeBody.Shape.OWNER_API), 16, Duration.ofSeconds(15)),
                new Wave(Trickle.HEADERS, 300, Duration.ofSeconds(1)),
                new Wave(Trickle.BODY, 300, Duration.ofSeconds(1)),
                new Wave(new LiveSocket(), 1_000, Duration.ofSeconds(5)),
                new Wave(new SlowReader(), 50, Duration.ofSeconds(2)),
                new Wave(new DeepJsonBody(), 4, Duration.ofSeconds(2)),
                new Wave(new PackedBody(PackedBody.Shape.DEFLATED_WEBHOOK), 2, Duration.ofSeconds(3)),
                new Wave(new PackedBody(PackedBody.Shape.DEFLATED_API), 2, Duration.ofSeconds(3)),
                new Wave(new PackedBody(PackedBody.Shape.PIECE_ARCHIVE), 1, Duration.ofSeconds(10)),
                new Wave(new PackedBody(PackedBody.Shape.ZIP_FILE), 2, Duration.ofSeconds(5)),
                new Wave(new SignInFlood(), 8, Duration.ofMillis(200)),
                new Wave(new MalformedHttp(), 4, Duration.ofMillis(500)),
                new Wave(new CodeBomb(), 3, Duration.ofSeconds(5)),
                new Wave(new PausedRun(), 30, Duration.ofSeconds(45)));
    }
}
