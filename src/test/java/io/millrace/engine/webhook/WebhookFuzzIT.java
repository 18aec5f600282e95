package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Random content types, charsets, encodings and bodies: the flow gets what was sent, byte for byte or in the documented
 * decoding (decision 0396). {@code -Dwebhook.fuzz.requests=50000 -Dwebhook.fuzz.seed=1} starts a long run.
 */
class WebhookFuzzIT {
    private static final int REQUESTS = Integer.getInteger("webhook.fuzz.requests", 2000);
    private static final long SEED = Long.getLong("webhook.fuzz.seed", 396);

    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of());

    @AutoClose
    private static HttpClient client = HttpClient.newHttpClient();

    @Test
    void returnsWhatWasSent() {
        var flowId = hooks.flow(
                Hooks.trigger(),
                Hooks.answering("{'responseType':'json','fields':{'body':{'got':'{{trigger.output}}'}}}"));
        var random = new Random(SEED);
        try (var connection = RawHttp.connect(hooks.server().port(), Duration.ofSeconds(60))) {
            for (var request = 0; request < REQUESTS; request++) {
                check(connection, flowId, RandomCall.next(random), "seed " + SEED + ", request " + request);
            }
        }
    }

    private static void check(RawHttp connection, String flowId, RandomCall call, String name) {
        var answer = connection.send(wire(flowId, call)).answer();
        var got = answer.status() == 200 ? Json.trusted(answer.body()).path("got") : MissingNode.getInstance();
        var url = got.at("/body/fileUrl");
        var file =
                url.isTextual() && call.file() != null ? Optional.of(download(url.asText())) : Optional.<byte[]>empty();

        assertThat(new FuzzAnswer(answer.status(), got, file).difference(call))
                .as(name + ": " + call + " -> " + answer.status() + " " + answer.body())
                .isEmpty();
    }

    private static byte[] wire(String flowId, RandomCall call) {
        var request = new ByteArrayOutputStream();
        var head = "POST /api/v1/webhooks/" + flowId + "/sync" + (call.query().isEmpty() ? "" : "?" + call.query())
                + " HTTP/1.1\r\nHost: h\r\nContent-Length: " + call.sent().length + "\r\n"
                + (call.type().isEmpty() ? "" : "Content-Type: " + call.type() + "\r\n")
                + (call.encoding().isEmpty() ? "" : "Content-Encoding: " + call.encoding() + "\r\n") + "\r\n";
        request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        request.writeBytes(call.sent());
        return request.toByteArray();
    }

    private static byte[] download(String url) {
        var request = HttpRequest.newBuilder(URI.create(url)).build();
        return client.sendAsync(request, BodyHandlers.ofByteArray()).join().body();
    }
}
