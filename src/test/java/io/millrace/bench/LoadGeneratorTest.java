package io.millrace.bench;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
    private static final Duration SHORT = Duration.ofMillis(50);

    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    @Test
    void reportsTheAnswersThatItWaitsFor_whenAServerStaysSilent() {
        var silent =
                Waiting.await(vertx.createNetServer().connectHandler(_ -> {}).listen(0, "127.0.0.1"));
        var target = LoadGenerator.Target.get(silent.actualPort(), "/", "token");

        try (var load = new LoadGenerator(SHORT)) {
            assertThatThrownBy(() -> load.run(target, 2, SHORT))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(
                            "expected 2 connections to end within PT0.1S, found 2 that wait for:",
                            "port " + silent.actualPort());
        }
    }
}
