package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Response bodies of flows: bare JSON values, and files with their bytes (decision 0396). */
class WebhookAnswersIT {
    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of());

    @AutoClose
    private static HttpClient client = HttpClient.newHttpClient();

    @ParameterizedTest
    @ValueSource(strings = {"5", "-0.5", "true", "false", "[1]", "{\"a\":null}"})
    void answersAnyJsonValue(String value) {
        var flowId = answering("{'responseType':'json','fields':{'body':'{{trigger.output.body.v}}'}}");

        var answer = hooks.post(flowId + "/sync", "application/json", "{\"v\":" + value + "}");

        assertThat(answer.statusCode())
                .as(() -> hooks.endedRun(flowId).toString())
                .isEqualTo(200);
        assertThat(answer.body()).isEqualTo(value);
        assertThat(answer.headers().firstValue("content-type").orElseThrow()).startsWith("application/json");
    }

    @Test
    void answersNull() {
        var answer = hooks.get(answering("{'responseType':'json','fields':{'body':'null'}}") + "/sync");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("null");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 300_000, 24 << 20})
    void answersTheFileThatCameIn(int length) {
        var flowId = answering("{'responseType':'file','fields':{'body':'{{trigger.output.body.fileUrl}}'}}");
        var bytes = new byte[length];
        new Random(3).nextBytes(bytes);

        var request = HttpRequest.newBuilder(hooks.url(flowId + "/sync"))
                .header("Content-Type", "image/png")
                .POST(BodyPublishers.ofByteArray(bytes))
                .build();
        var answer = client.sendAsync(request, BodyHandlers.ofByteArray()).join();

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(bytes);
        assertThat(answer.headers().firstValue("content-type")).contains("image/png");
    }

    @Test
    void repeatsAFileForTheSameKey() {
        var flowId = answering("{'responseType':'raw','fields':{'body':'data:image/gif;base64,AP8B'}}");
        for (var call = 0; call < 2; call++) {
            var request = HttpRequest.newBuilder(hooks.url(flowId + "/sync"))
                    .header("Idempotency-Key", "one")
                    .POST(BodyPublishers.noBody())
                    .build();
            var answer = client.sendAsync(request, BodyHandlers.ofByteArray()).join();

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).containsExactly(0, 0xff, 1);
            assertThat(answer.headers().firstValue("content-type")).contains("image/gif");
        }
        assertThat(hooks.runs(flowId)).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        302 | Location | {{trigger.output.body.missing}}
        301 | location | {{trigger.output.missing.deeper}}
        303 | LOCATION | {{null}}
        302 | Location | {{trigger.output.body.list[0]}}
        307 | Location | {{trigger.output.body.missing}}{{trigger.output.body.other}}
        308 | Location | {{` `}}
        """)
    void failsTheRun_whenALocationIsEmpty(int status, String name, String value) {
        var flowId = answering("{'responseType':'json','fields':{'status':" + status + ",'headers':{'" + name + "':'"
                + value + "'},'body':{}}}");

        assertThat(hooks.get(flowId + "/sync").statusCode()).isEqualTo(500);
        assertThat(hooks.endedRun(flowId).path("status").asText()).isEqualTo("FAILED");
    }

    private static String answering(String input) {
        return hooks.flow(Hooks.trigger(), Hooks.answering(input));
    }
}
