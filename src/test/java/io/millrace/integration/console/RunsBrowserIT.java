package io.millrace.integration.console;

import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs in the console: live, failed and retried, and one with 1,000 iterations. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class RunsBrowserIT {
    private static TestServer server;
    private static Browser browser;
    private static HttpServer service;
    private static SignedIn ada;
    private static String url;

    private static final CompletableFuture<Void> gate = new CompletableFuture<>();
    private static final AtomicBoolean open = new AtomicBoolean();
    private static final AtomicBoolean tried = new AtomicBoolean();
    private static final AtomicInteger counted = new AtomicInteger();

    @BeforeAll
    static void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        service.createContext("/slow", exchange -> {
            gate.join();
            answer(exchange, 200, "{\"slow\":true}");
        });
        service.createContext(
                "/till",
                exchange -> answer(
                        exchange,
                        open.get() ? 200 : 503,
                        open.get() ? "{\"paid\":42}" : "{\"message\":\"The till is closed until 9:00\"}"));
        service.createContext("/once", exchange -> answer(exchange, tried.getAndSet(true) ? 200 : 503, "{}"));
        service.createContext(
                "/count", exchange -> answer(exchange, 200, "{\"at\":" + counted.incrementAndGet() + "}"));
        service.start();
        server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));
        ada = server.signUp("ada@acme-tools.example", "Ada");
        url = "http://localhost:" + server.port();
        browser = Browser.start();
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        var bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        try (var output = exchange.getResponseBody()) {
            output.write(bytes);
        }
    }

    @AfterAll
    static void stop() {
        gate.complete(null);
        browser.close();
        server.close();
        service.stop(0);
    }

    private static String at(String path) {
        return "http://127.0.0.1:" + service.getAddress().getPort() + path;
    }

    private static String runs() {
        return url + "/projects/" + ada.projectId() + "/runs";
    }

    /** In order: each test continues with the list of the previous one. */
    @Test
    void watchesRuns_mendsThem_andFindsItsWayInALongOne() {
        watchesLive();
        mends();
        opensAThousandIterations();
        groupsByCause();
        removesAVariable();
    }

    private static void watchesLive() {
        // Given
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .code("step_1", "export const code = async (i) => { console.log('begun'); return i; }")
                        .http("step_2", "GET", at("/slow"))
                        .http("step_3", "GET", at("/once"))
                        .retrying());
        browser.open(runs());
        browser.awaitText("main", "No runs yet");
        browser.inspect("runs-empty");

        // When
        flow.call(Json.object().put("order", 7).put("customer", "Ada"));

        // Then: the list is updated without a reload
        browser.awaitText(".table", "Running");
        browser.click(".run-name a");
        browser.awaitText(".timeline [data-key=step_1]", "step_1");
        Waiting.until(
                "the step is at work",
                () -> browser.run("return !!document.querySelector('[data-key=step_2] [data-running=true]')")
                        .asBoolean());
        browser.inspect("run-live");

        // When
        gate.complete(null);

        // Then
        browser.awaitText(".run-facts", "Succeeded");
        browser.click("[data-key=step_3]");
        browser.awaitText(".run-step", "2 attempts");
        browser.click("[data-key=step_1]");
        browser.click(".run-step [role=tab]:last-child");
        browser.awaitText(".run-step", "begun");
        browser.inspect("run-console");
    }

    private static void mends() {
        // Given
        var flow = LiveFlow.publish(
                ada, webhook().http("step_1", "POST", at("/count")).http("step_2", "GET", at("/till")));
        var failed = flow.run(Json.object().put("order", 8));
        assertThat(failed.path("status").asText()).isEqualTo("FAILED");

        // When
        browser.open(runs() + "?status=failed");
        browser.awaitText(".table", "The till is closed");
        browser.inspect("runs-failed");
        browser.click(".run-name a");

        // Then
        browser.awaitText(".run-notice", "The till is closed");
        browser.awaitText(".run-step", "The service has a problem");
        browser.inspect("run-failed");
        browser.click(".run-main [role=tab]:nth-child(2)");
        browser.awaitText(".run-canvas", "step_2");
        browser.inspect("run-canvas");

        // When
        open.set(true);
        browser.click("[data-retry]");
        browser.awaitText(".menu", "From the failed step");
        browser.click(".menu [role=menuitem]");

        // Then
        browser.awaitText(".run-facts", "Succeeded");
        assertThat(counted.get()).as("a successful step is not repeated").isEqualTo(1);
        assertThat(flow.runs()).hasSize(1);
    }

    private static void opensAThousandIterations() {
        // Given
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .code("step_1", "export const code = async () => Array.from({length: 1000}, (_, n) => n);")
                        .loop(
                                "step_2",
                                "{{step_1.output}}",
                                steps().map("step_3", "{'twice':'{{step_2.output.item}}'}")
                                        .map("step_4", "{'ok':true}")));
        var run = flow.run(Json.object());
        assertThat(run.path("status").asText()).isEqualTo("SUCCEEDED");

        // When
        browser.open(runs() + "/" + run.path("id").asText());
        browser.awaitText(".timeline", "1000");
        browser.click("[aria-expanded=false].timeline-fold");
        browser.awaitText(".timeline", "step_3");
        browser.run("const i = document.querySelector('.timeline .iterations input'); i.value = '501';"
                + " i.dispatchEvent(new Event('change', { bubbles: true }))");
        browser.click(".timeline [data-key='step_2[501].step_3']");

        // Then
        browser.awaitText(".run-step", "500");
        browser.inspect("run-thousand");
        assertThat(browser.run("return document.querySelectorAll('.timeline-line').length")
                        .asInt())
                .isLessThan(20);
        assertThat(browser.address()).contains("step=step_2%5B501%5D.step_3");
    }

    private static void groupsByCause() {
        // Given
        open.set(false);
        var till = LiveFlow.publish(ada, webhook().http("step_1", "GET", at("/till")));
        var code = LiveFlow.publish(
                ada,
                webhook()
                        .code(
                                "step_1",
                                "export const code = async (i) => { throw new Error('No price for ' + i.n); }",
                                "{'n':'{{trigger.output.body.n}}'}"));
        for (var n = 1; n <= 3; n++) {
            till.run(Json.object());
            code.run(Json.object().put("n", n));
        }

        // When
        browser.open(runs() + "?view=causes");

        // Then
        browser.awaitText(".causes", "3 runs");
        assertThat(browser.run("return document.querySelectorAll('.cause').length")
                        .asInt())
                .isEqualTo(2);
        browser.inspect("runs-causes");

        // When
        browser.open(runs() + "?status=failed&flow=" + code.id());
        browser.awaitText(".table", "No price for 3");
        browser.click(".bulk-place input");
        browser.awaitText(".bulk", "3 runs selected");
        browser.inspect("runs-selected");
        browser.click(".bulk > .button:nth-last-of-type(1)");
        Waiting.until(
                "the selection is gone",
                () -> browser.run("return !document.querySelector('.bulk')").asBoolean());
    }

    private static void removesAVariable() {
        // Given
        var variable = Json.object()
                .put("projectId", ada.projectId())
                .put("name", "SHOP_URL")
                .put("value", "https://shop.example");
        assertThat(ada.api().post("/v1/variables", variable).status()).isLessThan(300);
        browser.open(url + "/projects/" + ada.projectId() + "/connections");
        browser.awaitText("main", "No connections yet");
        browser.inspect("connections-empty");

        // When
        browser.click("[role=tab]:nth-child(2)");
        browser.awaitText(".table", "SHOP_URL");
        browser.inspect("variables");
        browser.click("[aria-label='Delete SHOP_URL']");
        browser.awaitText("dialog", "will fail");
        browser.inspect("variable-delete");
        browser.click("dialog .danger");

        // Then
        browser.awaitText("main", "No variables yet");
    }
}
