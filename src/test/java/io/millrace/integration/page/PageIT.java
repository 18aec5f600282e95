package io.millrace.integration.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class PageIT {
    private static final List<String> PAGES =
            List.of("/sign-in", "/authenticate", "/invitation", "/reset-password", "/verify-email");

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = TestServer.start(Map.of("AP_FRONTEND_URL", "https://mill.example/flows/"));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void showsPagesThatRunTheirOwnScriptOnly() {
        for (var path : PAGES) {
            // When
            var page = server.anonymous().get(path + "?email=%3Cscript%3Ealert(1)%3C/script%3E&token=%22%3E");

            // Then
            assertThat(page.status()).as(path).isEqualTo(200);
            var html = page.body().asText();
            assertThat(header(page, "Content-Security-Policy"))
                    .startsWith("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
                    .contains("script-src 'sha256-" + hash(html, "script") + "'")
                    .contains("style-src 'sha256-" + hash(html, "style") + "'")
                    .doesNotContain("unsafe");
            assertThat(header(page, "X-Frame-Options")).isEqualTo("DENY");
            assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
            assertThat(header(page, "Cache-Control")).isEqualTo("no-store");
            assertThat(html)
                    .contains("<html lang=\"en\">", "data-prefix=\"/flows\"", "role=\"alert\"", "<noscript>")
                    .doesNotContain("alert(1)", "style=\"", " onclick", "http://", "https://");
        }
    }

    @Test
    void redirectsSignUpToSignIn_withItsQueryAsItWas() {
        // When
        var plain = server.anonymous().get("/sign-up");
        var full = server.anonymous().get("/sign-up?email=a%40b.example&from=%2Fx%3Fy%3D1&a=1&a=2&%0d%0aX-Evil:%201");

        // Then
        assertThat(plain.status()).isEqualTo(302);
        assertThat(header(plain, "Location")).isEqualTo("/flows/sign-in");
        assertThat(header(full, "Location"))
                .isEqualTo("/flows/sign-in?email=a%40b.example&from=%2Fx%3Fy%3D1&a=1&a=2&%0d%0aX-Evil:%201");
        assertThat(full.headers().firstValue("X-Evil")).isEmpty();
    }

    @Test
    void showsTheWaysThatAreThere_inThePlatformsNameAndColour() throws IOException, InterruptedException {
        // When: nobody has signed up
        var first = server.anonymous().get("/sign-in").body().asText();

        // Then
        assertThat(first)
                .contains("Create the first account", "data-first=\"true\"", "data-codes=\"false\"", "Millrace");

        // Given
        var admin = server.signUp("ada@example.com", "Ada");
        server.execute(
                "update platform set name = '</title><b>Acme', primary_color = '#ffee00' where id = $1",
                admin.platformId());

        // When: the page at the root of the host
        var root = atRoot("/sign-in");

        // Then
        assertThat(root.statusCode()).isEqualTo(200);
        assertThat(root.body())
                .contains("data-first=\"false\"", "data-passwords=\"true\"", "&lt;/title&gt;&lt;b&gt;Acme")
                .contains("--accent: #ffee00; --on-accent: #000000")
                .doesNotContain("</title><b>");

        // When: a colour that looks dark, on which black is easier to read all the same
        server.execute("update platform set primary_color = '#f00'");
        var red = server.anonymous().get("/sign-in").body().asText();

        // Then
        assertThat(red).contains("--accent: #f00; --on-accent: #000000");

        // When: a colour that would not stay one, and no sign-in by e-mail
        server.execute("update platform set primary_color = 'red;}', email_auth_enabled = false");
        var strange = server.anonymous().get("/sign-in").body().asText();

        // Then
        assertThat(strange).doesNotContain("red;}").contains("data-passwords=\"false\"");
    }

    private static HttpResponse<String> atRoot(String path) throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static String header(Answer answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static String hash(String html, String element) {
        var match = Pattern.compile("<" + element + ">(.*?)</" + element + ">", Pattern.DOTALL)
                .matcher(html);
        assertThat(match.find()).isTrue();
        return Base64.getEncoder().encodeToString(Hashes.sha256(match.group(1).getBytes(StandardCharsets.UTF_8)));
    }
}
