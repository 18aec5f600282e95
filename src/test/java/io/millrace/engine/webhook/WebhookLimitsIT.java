package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Webhook requests that are too large or not HTTP: rejected without effect on other callers. */
class WebhookLimitsIT {
    private static final int BYTES_MAX = 1 << 20;

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_MAX_WEBHOOK_PAYLOAD_SIZE_MB", "1"));

    private static String flowId = hooks.draft(Hooks.trigger());

    @Test
    void acceptsABodyOfExactlyTheLimit_andRefusesOneByteMore() {
        // Body in random chunks.
        var text = IntStream.range(0, BYTES_MAX)
                .mapToObj(number -> number + " ")
                .limit(BYTES_MAX / 2)
                .collect(Collectors.joining())
                .substring(0, BYTES_MAX - 2);
        var largest = "\"" + text + "\"";

        var accepted = hooks.post(flowId + "/test", "application/json", largest);
        var refused = hooks.post(flowId + "/test", "application/json", largest + " ");

        assertThat(accepted.statusCode()).isEqualTo(200);
        assertThat(hooks.sample(flowId).path("body").asText()).isEqualTo(text);
        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).isEqualTo("{\"message\":\"Request Too Long\"}");
        assertThat(refused.headers().firstValue("x-webhook-id")).isPresent();
    }

    @Test
    void refusesTheDeclaredLength_beforeTheBodyArrives() {
        try (var connection = hooks.raw()) {
            var answer = connection
                    .send(head("Content-Length: 999999999\nExpect: 100-continue\n"))
                    .answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.headers()).containsEntry("connection", "close");
            assertThat(connection.isEnded()).isTrue();
        }
    }

    @Test
    void refusesAChunkedBody_onceItIsTooLarge() {
        var chunk = ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        try (var connection = hooks.raw()) {
            connection.send(head("Transfer-Encoding: chunked\nContent-Type: text/plain\n"));
            for (var sent = 0; sent < 64; sent++) {
                connection.sendWhatIsTaken(chunk);
            }

            var answer = connection.answer();

            assertThat(answer.status()).isEqualTo(413);
            assertThat(answer.body()).isEqualTo("{\"message\":\"Request Too Long\"}");
        }
    }

    @Test
    void acceptsAChunkedBody_withinTheLimit() {
        try (var connection = hooks.raw()) {
            var answer = connection
                    .send(head("Transfer-Encoding: chunked\nContent-Type: text/plain\n"))
                    .send("3\nabc\n4\ndefg\n0\n\n")
                    .answer();

            assertThat(answer.status()).isEqualTo(200);
            assertThat(hooks.sample(flowId).path("body").asText()).isEqualTo("abcdefg");
        }
    }

    @Test
    void refusesAMultipartForm_onceItIsTooLarge() {
        for (var fileName : new String[] {null, "big.bin"}) {
            var form = part("big", fileName, "x".repeat(BYTES_MAX)) + "--edge--\r\n";
            try (var connection = hooks.raw()) {
                connection.send(head("Transfer-Encoding: chunked\nContent-Type: multipart/form-data; boundary=edge\n"));
                connection.sendWhatIsTaken((Integer.toHexString(form.length()) + "\r\n" + form + "\r\n0\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));

                assertThat(connection.answer().status()).as("file %s", fileName).isEqualTo(413);
            }
        }
    }

    @Test
    void reportsADeletedFlow_beforeATooLargeBody() {
        var body = "x".repeat(BYTES_MAX + 1);
        var disabled = hooks.draft(Hooks.trigger());

        assertThat(hooks.post(Ids.next(), "text/plain", body).statusCode()).isEqualTo(410);
        assertThat(hooks.post(disabled, "text/plain", body).statusCode()).isEqualTo(404);
        assertThat(hooks.post(disabled + "/draft", "text/plain", body).statusCode())
                .isEqualTo(413);
    }

    @Test
    void asksForTheBody_whenTheCallerWaitsToBeAsked() {
        try (var connection = hooks.raw()) {
            connection.send(head("Content-Length: 4\nContent-Type: text/plain\nExpect: 100-continue\n"));
            var go = connection.answer(false);
            var answer = connection.send("body").answer();

            assertThat(go.status()).isEqualTo(100);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(hooks.sample(flowId).path("body").asText()).isEqualTo("body");
        }
    }

    @Test
    void refusesOversizedHeads_andStaysWell() {
        var odd = List.of(
                "GET /api/v1/webhooks/" + flowId + "/test?q=" + "x".repeat(40_000) + " HTTP/1.1\nHost: h\n\n",
                "GET /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: h\nX-Long: " + "x".repeat(70_000) + "\n\n",
                "GET /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: h\n" + manyHeaders(10_000) + "\n",
                "GET /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: h\nX-Nul: a\0b\n\n",
                "GET /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: h\nX Space: a\n\n",
                head("Content-Length: minus\n"),
                head("Content-Length: 3\nContent-Length: 4\n") + "abcd",
                "POST /api/v1/webhooks/%zz/test HTTP/1.1\nHost: h\nContent-Length: 0\n\n",
                "NONSENSE\n\n");
        for (var request : odd) {
            try (var connection = hooks.raw()) {
                var status = connection
                        .sendWhatIsTaken(request.replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1))
                        .answer()
                        .status();

                assertThat(status)
                        .as(request.substring(0, Math.min(120, request.length())))
                        .isBetween(400, 499);
            }
        }
        assertThat(hooks.get(flowId + "/test").statusCode()).isEqualTo(200);
    }

    @Test
    void hangsUp_whenChunksAreMalformed() {
        try (var connection = hooks.raw()) {
            connection.send(head("Transfer-Encoding: chunked\n") + "zz\n");

            assertThat(connection.isEnded()).isTrue();
        }
        assertThat(hooks.get(flowId + "/test").statusCode()).isEqualTo(200);
    }

    @Test
    void staysWell_whenACallerStopsInTheMiddleOfItsBody() {
        for (var type : List.of("application/json", "multipart/form-data; boundary=edge", "image/png")) {
            try (var connection = hooks.raw()) {
                connection.send(head("Content-Length: 1000\nContent-Type: " + type + "\n") + "half");
            }
        }
        assertThat(hooks.get(flowId + "/test").statusCode()).isEqualTo(200);
    }

    private static String manyHeaders(int count) {
        var headers = new StringBuilder();
        for (var index = 0; index < count; index++) {
            headers.append("X-").append(index).append(": v\n");
        }
        return headers.toString();
    }

    private static String head(String headers) {
        return "POST /api/v1/webhooks/" + flowId + "/test HTTP/1.1\nHost: h\n" + headers + "\n";
    }

    private static String part(String name, String fileName, String content) {
        var file = fileName == null ? "" : "; filename=\"" + fileName + "\"\r\nContent-Type: text/plain";
        return "--edge\r\nContent-Disposition: form-data; name=\"" + name + "\"" + file + "\r\n\r\n" + content + "\r\n";
    }
}
