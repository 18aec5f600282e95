package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Response headers defined by an author: status and run agree, and the response has no undefined header. */
final class AuthorHeaderIT {
    private static final int ROUNDS = 60;

    @AutoClose
    private static TestServer server = TestServer.start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private final LiveFlow returned = answering("return_response", "stop");
    private final LiveFlow responded = answering("return_response", "respond");
    private final LiveFlow waiting = answering("return_response_and_wait_for_next_webhook", "stop");

    @Test
    void namesTheStepToTheCaller_whenAHeaderCannotBeSent() {
        var wrong = new ArrayList<String>();
        for (var bad : bad().entrySet()) {
            for (var flow : new LiveFlow[] {returned, responded, waiting}) {
                // When
                var before = flow.runs().size();
                var answer = flow.callAndWait(
                        Json.object().set("headers", Json.object().put(bad.getKey(), bad.getValue())));
                var run = flow.ended(before + 1);

                // Then
                var status = run.path("status").asText();
                if (!status.equals("FAILED")
                        || answer.status() != 500
                        || !answer.text("/message").equals(CallerAnswers.RUN_FAILED)
                        || answer.headers()
                                .map()
                                .toString()
                                .toLowerCase(Locale.ROOT)
                                .contains("injected")) {
                    wrong.add(Json.text(Json.object().put(bad.getKey(), bad.getValue())) + " -> " + status + " "
                            + answer.status() + " " + answer.body());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static Map<String, String> bad() {
        var bad = new LinkedHashMap<String, String>();
        bad.put("X-A", "a\r\nInjected: 1");
        bad.put("X-B", "a\nInjected: 1");
        bad.put("X-C", "a\rInjected: 1");
        bad.put("X-D", "a\r\n Injected: 1");
        bad.put("X-E", "a\u0000b");
        bad.put("X-F", "a\u000bb");
        bad.put("X-G", "a\u007fb");
        bad.put("X-H", "\u560d\u560aInjected: 1");
        bad.put("X-I", "\u010d\u010aInjected: 1");
        bad.put("X-J", "\u2028");
        bad.put("X-L", "\u0085");
        bad.put("X-M", "x".repeat(100_000));
        bad.put("X N", "1");
        bad.put("X:O", "1");
        bad.put("", "1");
        bad.put("X\r\nInjected", "1");
        bad.put("X-\u00e9", "1");
        bad.put("X-P\u0000", "1");
        bad.put("x".repeat(10_000), "1");
        return bad;
    }

    @Test
    void sendsEveryHeaderThatHttpAllows() {
        var random = new Random(11);
        for (var round = 0; round < ROUNDS; round++) {
            var value = new StringBuilder("v");
            for (var left = random.nextInt(40); left > 0; left--) {
                value.append((char) (' ' + random.nextInt(0x7f - ' ')));
            }
            value.append('v');

            // When
            var answer = returned.callAndWait(
                    Json.object().set("headers", Json.object().put("X-Any", value.toString())));

            // Then
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.headers().firstValue("X-Any")).contains(value.toString());
        }
    }

    private static LiveFlow answering(String action, String respond) {
        var input = Json.object().put("responseType", "json").put("respond", respond);
        var fields = input.putObject("fields").put("status", 200);
        fields.put("headers", "{{trigger.output.body.headers}}");
        fields.set("body", Json.object());
        return LiveFlow.publish(ada, webhook().piece("step_1", "@activepieces/piece-webhook", "0.1.29", action, input));
    }
}
