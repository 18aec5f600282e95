package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Resources served to guests: a page, one script, one stylesheet and no console files. */
final class GuestIT {
    private static final int FIRST_LOAD_BYTES_MAX = 40_000;
    private static final Pattern FILE = Pattern.compile("\"\\.\\.(/assets/[^\"]+)\"");

    @AutoClose
    private static TestServer server = TestServer.start(Map.of());

    private static TestServer.SignedIn owner = server.signUp("ada@example.com", "Ada");

    private final HttpClient http = HttpClient.newHttpClient();

    private static String formId() {
        return LiveFlow.publish(
                        owner,
                        FlowScript.trigger("@activepieces/piece-forms", "0.5.0", "file_submission", "{}")
                                .map("step_1", "{}"))
                .id();
    }

    private HttpResponse<byte[]> send(String method, String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofByteArray())
                .join();
    }

    private static String header(HttpResponse<?> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    @Test
    void showsThePage_toAnyoneWithTheAddress() {
        for (var path : List.of("/forms/" + formId(), "/chats/" + Ids.next(), "/forms/not-an-id?useDraft=true")) {
            // When
            var page = send("GET", path);

            // Then
            assertThat(page.statusCode()).as(path).isEqualTo(200);
            assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(header(page, "Content-Security-Policy"))
                    .isEqualTo("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                            + " connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'");
            assertThat(header(page, "X-Frame-Options")).isEqualTo("DENY");
            assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
            assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(page.headers().allValues("Set-Cookie")).isEmpty();
            assertThat(text(page)).contains("<noscript>").doesNotContain("{{", "<style", " style=", " onclick");
        }
    }

    @Test
    void leadsToItsFiles_howeverDeepItStands() {
        // Then
        assertThat(text(send("GET", "/forms/x"))).contains("data-prefix=\"..\"", "src=\"../assets/guest-");
        assertThat(text(send("GET", "/forms/x/"))).contains("data-prefix=\"../..\"", "src=\"../../assets/guest-");
    }

    @Test
    void showsTheBrandOfTheFlowsPlatform_escaped() {
        // Given
        var path = "/forms/" + formId();
        assertThat(owner.api()
                        .post(
                                "/v1/platforms/" + owner.platformId(),
                                Json.object().put("name", "<b>A & \"B\"").put("primaryColor", "#aa00cc"))
                        .status())
                .isEqualTo(200);

        // When
        var page = text(send("GET", path));

        // Then
        assertThat(page)
                .contains("data-name=\"&lt;b&gt;A &amp; &quot;B&quot;\"", "data-color=\"#aa00cc\"")
                .contains("data-logo=\"../assets/logo-icon.svg\"")
                .doesNotContain("<b>");
    }

    @Test
    void answersALook_andNothingElse() {
        // Given
        var path = "/forms/" + formId();
        var page = send("GET", path);

        // Then
        assertThat(send("HEAD", path).body()).isEmpty();
        assertThat(send("GET", path, "If-None-Match", header(page, "ETag")).statusCode())
                .isEqualTo(304);
        assertThat(send("POST", path).statusCode()).isEqualTo(404);
    }

    @Test
    void loadsLittle_andNothingOfTheConsole() {
        // When
        var page = text(send("GET", "/forms/x"));
        var bytes = page.length();
        var files = FILE.matcher(page);
        var names = new ArrayList<String>();
        while (files.find()) {
            names.add(files.group(1));
            bytes += send("GET", files.group(1), "Accept-Encoding", "gzip").body().length;
        }

        // Then
        assertThat(names).anyMatch(name -> name.endsWith(".js")).noneMatch(name -> name.contains("main-"));
        assertThat(bytes).isBetween(10_000, FIRST_LOAD_BYTES_MAX);
    }
}
