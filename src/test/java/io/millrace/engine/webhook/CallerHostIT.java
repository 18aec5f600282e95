package io.millrace.engine.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.RawHttp;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Separate host for responses of flows (AP_WEBHOOK_URL), and the headers allowed in them on any host. */
class CallerHostIT {
    @AutoClose
    private static Hooks hooks = Hooks.start(Map.of("AP_WEBHOOK_URL", "http://hooks.example/"));

    private static RawHttp.Answer get(String host, String path, String... headers) {
        try (var connection = RawHttp.connect(hooks.server().port())) {
            return connection
                    .send("GET " + path + " HTTP/1.1\nHost: " + host + "\n" + String.join("\n", headers)
                            + (headers.length == 0 ? "\n" : "\n\n"))
                    .answer();
        }
    }

    private static String answering() {
        return hooks.flow(Hooks.trigger(), Hooks.answering("""
                        {'responseType':'raw','fields':{'status':200,'body':'<b>{{trigger.output.headers.cookie}}</b>',
                         'headers':{'Content-Type':'text/html','Set-Cookie':'a=b','X-Kept':'yes'}}}
                        """));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hooks.example", "hooks.example:80", "HOOKS.example", "hooks.example."})
    void servesCallersOnly(String host) {
        var flowId = answering();

        assertThat(get(host, "/api/v1/webhooks/" + flowId + "/sync").status()).isEqualTo(200);
        for (var path : new String[] {
            "/", "/sign-in", "/api/v1/flags", "/api/v1/users/me", "/api/socket.io/?EIO=4&transport=polling",
            "/api/v1/webhooks/../flags", "/api/v1/webhooks/%2e%2e/flags", "/api/v1/flow-runs/x", "/authorize", "/mcp"
        }) {
            assertThat(get(host, path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void servesThePagesForGuests_withTheirFilesAlone() {
        // Given
        var page = get("hooks.example", "/forms/" + answering(), "Accept: text/html");
        var script =
                Pattern.compile("src=\"\\.\\.(/assets/guest-[A-Z0-9]+\\.js)\"").matcher(page.body());
        var console = get("localhost", "/", "Accept: text/html");
        var main = Pattern.compile("(/assets/main-[A-Z0-9]+\\.js)").matcher(console.body());

        // Then
        assertThat(page.status()).isEqualTo(200);
        assertThat(script.find()).isTrue();
        assertThat(main.find()).isTrue();
        assertThat(get("hooks.example", script.group(1)).status()).isEqualTo(200);
        assertThat(get("hooks.example", "/assets/logo-icon.svg").status()).isEqualTo(200);
        assertThat(get("hooks.example", "/assets/favicon.svg").status()).isEqualTo(200);
        assertThat(get("localhost", main.group(1)).status()).isEqualTo(200);
        assertThat(get("hooks.example", main.group(1)).status()).isEqualTo(404);
        assertThat(get("hooks.example", "/assets/guest-../main.js").status()).isEqualTo(404);
    }

    @Test
    void servesEverythingOnTheOtherHost_andNamesTheHostOfCallers() {
        var flags = get("localhost", "/api/v1/flags");

        assertThat(flags.status()).isEqualTo(200);
        assertThat(flags.body()).contains("\"WEBHOOK_URL_PREFIX\":\"http://hooks.example/api/v1/webhooks\"");
        assertThat(get("localhost", "/sign-in", "Accept: text/html").status()).isEqualTo(200);
        assertThat(get("localhost", "/api/v1/webhooks/" + answering() + "/sync").status())
                .isEqualTo(200);
    }

    @Test
    void answersInASandbox_andGivesAuthorsNoCookieOfOurs() {
        var answer = get(
                "localhost",
                "/api/v1/webhooks/" + answering() + "/sync",
                "Cookie: millrace_session=secret; theirs=1; millrace_hand_over=secret");

        assertThat(answer.body()).isEqualTo("<b>theirs=1</b>");
        assertThat(answer.headers())
                .containsEntry("x-kept", "yes")
                .containsEntry("x-content-type-options", "nosniff")
                .doesNotContainKey("set-cookie");
        assertThat(answer.headers().get("content-security-policy"))
                .startsWith("sandbox allow-scripts allow-forms")
                .doesNotContain("same-origin");
    }
}
