package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.support.RawHttp;
import io.millrace.support.Waiting;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Large bodies are spooled to disk until they are complete, within a budget. */
class WebhookLargeBodyIT {
    private static final int LARGE = 3 << 20;

    @AutoClose
    private static Hooks hooks =
            Hooks.start(Map.of("AP_WEBHOOK_RAW_BODY_MAX_MB", "0", "AP_HTTP_BODY_DISK_MAX_MB", "6"));

    private static String flowId = hooks.draft(Hooks.trigger());

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readsALargeValue_withoutItsText(boolean chunked) {
        // given a large value with random parts
        var json = new StringBuilder("[");
        for (var number = 0; json.length() < LARGE; number++) {
            json.append('"').append(number).append("\",");
        }
        var last = "the last";
        json.append('"').append(last).append("\"]");

        // when it is sent
        var status = send("application/json", json.toString(), chunked);

        // then it arrives completely, as a value only
        assertThat(status).isEqualTo(200);
        var sample = hooks.sample(flowId);
        var body = sample.path("body");
        assertThat(body.path(body.size() - 1).asText()).isEqualTo(last);
        assertThat(body.path(100_000).asText()).isEqualTo("100000");
        assertThat(sample.has("rawBody")).isFalse();
    }

    @Test
    void readsALargeText() {
        var text = "0123456789 é ".repeat(LARGE / 16);

        assertThat(send("text/plain; charset=utf-8", text, true)).isEqualTo(200);

        assertThat(hooks.sample(flowId).path("body").asText()).isEqualTo(text);
    }

    @Test
    void refusesALargeTextThatIsNoJson() {
        assertThat(send("application/json", "[" + "1,".repeat(LARGE / 2), false))
                .isEqualTo(400);
        assertThat(send("application/json", " ".repeat(LARGE), false)).isEqualTo(400);
    }

    @Test
    void doesNotRead_whatNoFlowTakes() {
        try (var connection = hooks.raw()) {
            var answer = connection
                    .send("POST /api/v1/webhooks/" + Ids.next() + " HTTP/1.1\nHost: localhost\n"
                            + "Expect: 100-continue\nContent-Length: " + LARGE + "\n\n")
                    .answer();

            assertThat(answer.status()).isEqualTo(410);
        }
    }

    @Test
    void refusesMoreThanTheDiskMayHold_andTakesItAgainLater() {
        // given two callers whose announced bodies use up the budget
        try (var first = hooks.raw();
                var second = hooks.raw();
                var third = hooks.raw()) {
            for (var caller : new RawHttp[] {first, second}) {
                caller.send(head("text/plain", "Expect: 100-continue\nContent-Length: " + LARGE + "\n"));
                assertThat(caller.answer(false).status()).isEqualTo(100);
            }

            // when another one sends a body
            var refused = third.send(head("text/plain", "Content-Length: " + LARGE + "\n"))
                    .answer();

            // then it is told to retry, and succeeds after one of them is done
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.headers()).containsEntry("retry-after", "1");
            first.send("x".repeat(LARGE));
            assertThat(first.answer().status()).isEqualTo(200);
        }
        assertThat(send("text/plain", "x".repeat(LARGE), false)).isEqualTo(200);
    }

    /** Status of the answer. Retries while the announced bodies of an earlier test still occupy the memory budget. */
    private static int send(String type, String body, boolean chunked) {
        var status = new AtomicInteger();
        Waiting.until("the budget has space", () -> {
            status.set(sendOnce(type, body, chunked));
            return status.get() != 429;
        });
        return status.get();
    }

    private static int sendOnce(String type, String body, boolean chunked) {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        try (var connection = hooks.raw()) {
            if (chunked) {
                connection
                        .send(head(type, "Transfer-Encoding: chunked\n"))
                        .send(Integer.toHexString(bytes.length) + "\n")
                        .send(bytes)
                        .send("\n0\n\n");
            } else {
                connection
                        .send(head(type, "Content-Length: " + bytes.length + "\n"))
                        .send(bytes);
            }
            return connection.answer().status();
        }
    }

    private static String head(String type, String headers) {
        return "POST /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: localhost\nContent-Type: " + type + "\n"
                + headers + "\n";
    }
}
