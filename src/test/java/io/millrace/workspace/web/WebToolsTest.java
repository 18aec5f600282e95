package io.millrace.workspace.web;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.net.AddressGuard;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundLimits;
import io.millrace.workspace.aiprovider.ListToolAccess;
import io.millrace.workspace.aiprovider.ToolAccess;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Web tools of agents, with services of this host (contract agents 4.5). */
class WebToolsTest {
    private static final ToolAccess TAVILY = new ToolAccess("WEB_SEARCH", "TAVILY", "tvly-key");
    private static final ToolAccess FIRECRAWL = new ToolAccess("WEB_SCRAPING", "FIRECRAWL", "fc-key");
    private static final ToolAccess APIFY = new ToolAccess("WEB_SCRAPING", "APIFY", "apify-key");

    private static final AtomicReference<List<ToolAccess>> SERVICES = new AtomicReference<>(List.of());
    private static final AtomicReference<Answer> ANSWER = new AtomicReference<>();
    private static final List<Asked> ASKED = new CopyOnWriteArrayList<>();

    private static Vertx vertx;
    private static HttpServer peer;
    private static WebTools web;

    private record Answer(int status, String type, Buffer body) {}

    private record Asked(String target, String key, JsonNode body) {}

    @BeforeAll
    static void start() {
        vertx = Vertx.vertx();
        peer = await(
                vertx.createHttpServer().requestHandler(WebToolsTest::receive).listen(0, "127.0.0.1"));
        var bus = new Bus(vertx);
        bus.serve(ListToolAccess.class, _ -> Future.succeededFuture(SERVICES.get()));
        var http = new OutboundHttp(vertx, AddressGuard.allowing("127.0.0.1"), OutboundLimits.defaults());
        web = new WebTools(vertx, bus, http, host -> url("/" + host));
    }

    @AfterAll
    static void stop() {
        await(vertx.close());
    }

    @BeforeEach
    void forget() {
        ASKED.clear();
    }

    private static String url(String path) {
        return "http://127.0.0.1:" + peer.actualPort() + path;
    }

    private static void receive(HttpServerRequest request) {
        request.body().onSuccess(body -> {
            var text = body.length() == 0 ? "{}" : body.toString();
            ASKED.add(new Asked(request.path(), request.getHeader("authorization"), Json.trusted(text)));
            var answer = ANSWER.get();
            request.response()
                    .setStatusCode(answer.status())
                    .putHeader("content-type", answer.type())
                    .end(answer.body());
        });
    }

    private static void answering(int status, String type, String body) {
        ANSWER.set(new Answer(status, type, Buffer.buffer(body.replace('\'', '"'))));
    }

    private static JsonNode call(WebTool tool, String given) {
        return await(web.call("platform", tool, given));
    }

    @Test
    void offersWhatAnAdministratorHasSetUp() {
        SERVICES.set(List.of());
        assertThat(await(web.offered("platform"))).isEmpty();
        SERVICES.set(List.of(TAVILY));
        assertThat(await(web.offered("platform"))).containsExactly(WebTool.SEARCH, WebTool.FETCH);
        SERVICES.set(List.of(APIFY));
        assertThat(await(web.offered("platform"))).containsExactly(WebTool.SCRAPE, WebTool.FETCH);
        SERVICES.set(List.of(new ToolAccess("IMAGE_GENERATION", "FAL", "k")));
        assertThat(await(web.offered("platform"))).isEmpty();
    }

    @Test
    void searchesAsTheServiceDocumentsIt() {
        // Given
        SERVICES.set(List.of(TAVILY));
        answering(200, "application/json", """
                {'query':'mills','answer':'Many.','results':[{'title':'A','url':'https://a','content':'c','score':0.9}],
                 'response_time':1}
                """);

        // When
        var found = call(WebTool.SEARCH, "mills");

        // Then
        assertThat(found.toString())
                .isEqualTo(
                        "{'query':'mills','answer':'Many.','results':[{'title':'A','url':'https://a','content':'c'}]}"
                                .replace('\'', '"'));
        assertThat(ASKED).containsExactly(new Asked("/api.tavily.com/search", "Bearer tvly-key", Json.trusted("""
                {"query":"mills","max_results":5,"include_answer":true,"search_depth":"basic"}
                """)));
    }

    @Test
    void readsAPage_byTheServiceThatIsSetUp() {
        SERVICES.set(List.of(FIRECRAWL));
        answering(200, "application/json", "{'success':true,'data':{'markdown':'# Mill'}}");
        assertThat(call(WebTool.SCRAPE, "https://mill.example.com/")
                        .path("markdown")
                        .asText())
                .isEqualTo("# Mill");
        SERVICES.set(List.of(APIFY));
        answering(201, "application/json", "[{'markdown':'# Other'}]");
        assertThat(call(WebTool.SCRAPE, "https://mill.example.com/")
                        .path("markdown")
                        .asText())
                .isEqualTo("# Other");
        assertThat(ASKED)
                .extracting(Asked::target)
                .containsExactly(
                        "/api.firecrawl.dev/v1/scrape",
                        "/api.apify.com/v2/acts/apify~website-content-crawler/run-sync-get-dataset-items");
    }

    @Test
    void fetchesTexts_withoutMarkup_andNothingElse() {
        SERVICES.set(List.of(TAVILY));
        answering(200, "text/html; charset=utf-8", "<html><script>bad()</script><p>Open <b>daily</b></p></html>");
        assertThat(call(WebTool.FETCH, url("/page")).path("content").asText()).isEqualTo("Open daily");

        answering(200, "image/png", "png");
        assertThatThrownBy(() -> call(WebTool.FETCH, url("/page"))).hasStackTraceContaining("found image/png");
        answering(200, "text/plain", "x".repeat((5 << 20) + 1));
        assertThatThrownBy(() -> call(WebTool.FETCH, url("/page"))).hasStackTraceContaining("WebFailure");
        assertThatThrownBy(() -> call(WebTool.FETCH, "file:///etc/passwd")).hasStackTraceContaining("full URL");
        assertThatThrownBy(() -> call(WebTool.FETCH, "http://169.254.169.254/latest/meta-data"))
                .hasStackTraceContaining("WebFailure");
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain; charset=ISO-8859-1, M\u00fchle, ISO-8859-1",
        "text/plain, M\u00fchle, UTF-8",
        "text/html; charset=windows-1252, M\u00fchle, windows-1252",
        "text/html, <meta charset=windows-1251>\u041c, windows-1251",
        "application/xml, <?xml version=\"1.0\" encoding=\"UTF-16LE\"?><a>\u041c</a>, UTF-16LE",
    })
    void decodesAPageAsItDeclares(String type, String body, String charset) {
        SERVICES.set(List.of(TAVILY));
        ANSWER.set(new Answer(200, type, Buffer.buffer(body.getBytes(Charset.forName(charset)))));

        assertThat(call(WebTool.FETCH, url("/page")).path("content").asText())
                .isEqualTo(type.contains("html") ? body.replaceAll("<[^>]*>", "") : body);
    }

    @Test
    void refusesBytesOfNoDeclaredCharset() {
        SERVICES.set(List.of(TAVILY));
        ANSWER.set(new Answer(200, "text/plain", Buffer.buffer(new byte[] {'M', (byte) 0xfc, 'h'})));

        assertThatThrownBy(() -> call(WebTool.FETCH, url("/page")))
                .hasStackTraceContaining("found bytes of no declared charset");
    }

    /** Without the depth limit this page takes minutes. */
    @Test
    void parsesAPageOfManyNestedElements() {
        SERVICES.set(List.of(TAVILY));
        answering(200, "text/html", "<div>".repeat(300_000) + "x");

        assertThat(call(WebTool.FETCH, url("/page")).path("content").asText()).isEqualTo("x");
    }

    @Test
    void tellsWhatMayPass_andNoKey() {
        // Given
        SERVICES.set(List.of(TAVILY));
        answering(429, "application/json", "{'error':'slow down tvly-key'}");

        // When, then
        var limited = web.call("platform", WebTool.SEARCH, "mills")
                .transform(told -> Future.succeededFuture((WebFailure) told.cause()));
        assertThat(await(limited).isPassing()).isTrue();
        assertThat(await(limited).getMessage()).doesNotContain("tvly-key");
        answering(401, "application/json", "{}");
        var refused = web.call("platform", WebTool.SEARCH, "mills")
                .transform(told -> Future.succeededFuture((WebFailure) told.cause()));
        assertThat(await(refused).isPassing()).isFalse();
        assertThatThrownBy(() -> call(WebTool.SEARCH, " ")).hasStackTraceContaining("expected a query");
    }
}
