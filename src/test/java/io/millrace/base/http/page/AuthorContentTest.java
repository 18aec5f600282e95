package io.millrace.base.http.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Header rules for responses with author-defined content: allowed, dropped and overridden headers. */
class AuthorContentTest {
    private static final Map<String, String> HEADERS = new ConcurrentHashMap<>();
    private static Vertx vertx;
    private static HttpServer server;

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        server = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> {
                    AuthorContent.isolate(request.response());
                    HEADERS.forEach((name, value) -> AuthorContent.putHeader(request.response(), name, value));
                    request.response().end("content");
                })
                .listen(0));
    }

    @AfterAll
    static void stop() {
        Waiting.await(vertx.close());
    }

    private static HttpResponse<String> answered(Map<String, String> headers) throws Exception {
        HEADERS.clear();
        HEADERS.putAll(headers);
        try (var client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.actualPort()))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "SET-COOKIE",
                "Service-Worker-Allowed",
                "Clear-Site-Data",
                "Strict-Transport-Security",
                "Public-Key-Pins",
                "Access-Control-Allow-Credentials",
                "SourceMap",
                "X-SourceMap",
                "Refresh",
                "Alt-Svc",
                "NEL",
                "Report-To",
                "Reporting-Endpoints",
                "X-Accel-Redirect",
                "x-accel-buffering",
                "X-Sendfile",
                "Origin-Agent-Cluster",
                "Speculation-Rules",
                "Use-As-Dictionary",
                "Trailer",
                "Upgrade",
                "Keep-Alive"
            })
    void dropsWhatReachesBeyondTheAnswer(String name) throws Exception {
        assertThat(answered(Map.of(name, "x")).headers().firstValue(name)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "</next>; rel=next | true",
                "</a>; rel=\"prev\"; title=x, </b>; rel=\"next\" | true",
                "</a.js>; rel=preload; as=script | false",
                "</a>; rel=next, </a.js>; rel=modulepreload | false",
                "</a>; rel=\"next preload\" | false",
                "</a>; rel=next; rel=preload | false",
                "</a> | false"
            })
    void passesLinksToOtherPages_butNoneThatIsLoaded(String value, boolean passes) throws Exception {
        assertThat(answered(Map.of("Link", value)).headers().firstValue("Link").isPresent())
                .isEqualTo(passes);
    }

    @Test
    void letsAnAuthorsPolicyTighten_andNeverReplaceOurs() throws Exception {
        var answer = answered(
                Map.of("content-security-policy", "default-src 'none'", "X-Content-Type-Options", "", "X-Kept", "yes"));

        assertThat(answer.headers().allValues("Content-Security-Policy"))
                .containsExactly(AuthorContent.POLICY, "default-src 'none'");
        assertThat(answer.headers().allValues("X-Content-Type-Options")).containsExactly("nosniff");
        assertThat(answer.headers().firstValue("X-Kept")).contains("yes");
        assertThat(AuthorContent.POLICY)
                .contains("allow-scripts", "allow-forms")
                .doesNotContain("allow-same-origin", "escape", "top-navigation");
    }
}
