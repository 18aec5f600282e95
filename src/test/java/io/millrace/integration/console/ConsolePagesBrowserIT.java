package io.millrace.integration.console;

import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.support.LiveFlow;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every page of the console with data: axe finds no serious violation, and scripts/screenshots takes its pictures here.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ConsolePagesBrowserIT {
    private static final Map<String, List<String>> findings = new TreeMap<>();
    private static CrmPiece crm;
    private static TestServer server;
    private static Browser browser;
    private static String url;

    @BeforeAll
    static void start() {
        crm = new CrmPiece();
        var port = FreePort.find().orElseThrow();
        url = "http://localhost:" + port;
        server = TestServer.startInRealTime(
                Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_PORT", "" + port, "AP_FRONTEND_URL", url), List.of(crm));
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.close();
        crm.close();
    }

    @Test
    void everyPageCanBeUsedByEverybody() {
        welcome();
        var ada = entered();
        var orders = seed(ada);
        lists(ada);
        builder(ada, orders);
        runs(ada, orders);
        connections(ada);
        atLast(ada);

        // Then
        assertThat(findings).isEmpty();
    }

    /** Checks the current page. */
    private static void look(String page) {
        var found = browser.look(page);
        if (!found.isEmpty()) {
            findings.put(page, found);
        }
    }

    private static void welcome() {
        browser.open(url + "/");
        browser.awaitText("h1", "Create your account");
        look("welcome-account");
        browser.type("[name=firstName]", "Ada");
        browser.type("[name=lastName]", "Miller");
        browser.type("[name=email]", "ada@acme-tools.example");
        browser.type("[name=password]", "correct horse");
        browser.click("[type=submit]");
        browser.awaitText("h1", "What are you working on?");
        look("welcome-project");
        browser.type("[name=displayName]", "Shop");
        browser.click("[type=submit]");
        browser.awaitText("h1", "Your first flow");
        look("welcome-flow");
        browser.click(".starter");
        browser.awaitText("h1", "is live");
        browser.click(".gate .primary");
        browser.awaitText("[data-response]", "Ada");
        look("welcome-done");
    }

    private static SignedIn entered() {
        var session = server.anonymous()
                .post(
                        "/v1/authentication/sign-in",
                        Json.object().put("email", "ada@acme-tools.example").put("password", "correct horse"));
        var api = server.anonymous().with(session.text("/token"));
        var projects = api.get("/v1/projects?limit=10").body().path("data");
        var shop = projects.valueStream()
                .filter(each -> each.path("displayName").asText().equals("Shop"))
                .findFirst()
                .orElseThrow();
        return new SignedIn(
                api,
                session.text("/id"),
                session.text("/platformId"),
                shop.path("id").asText());
    }

    private static LiveFlow seed(SignedIn ada) {
        var orders = LiveFlow.named(ada, "Orders", demo());
        for (var quantity = 1; quantity <= 9; quantity++) {
            orders.run(Json.object()
                    .put("customer", "Ada")
                    .put("quantity", quantity)
                    .put("price", 19.5));
        }
        var till = LiveFlow.named(
                ada,
                "Close the till",
                webhook()
                        .code("step_1", "export const code = async (i) => ({ day: i.day, rows: [1, 2, 3] });")
                        .http("step_2", "GET", crm.origin() + "/nothing")
                        .importOperation("Close the till"));
        till.run(Json.object());
        till.run(Json.object());
        LiveFlow.named(
                        ada,
                        "Nightly report",
                        webhook()
                                .code("step_1", "export const code = async () => [1, 2, 3];")
                                .loop(
                                        "step_2",
                                        "{{step_1.output}}",
                                        steps().map("step_3", "{'n':'{{step_2.output.item}}'}"))
                                .importOperation("Nightly report"))
                .run(Json.object());
        LiveFlow.draft(ada, webhook());
        post(ada, "/v1/folders", Json.object().put("displayName", "Accounting").put("projectId", ada.projectId()));
        post(
                ada,
                "/v1/variables",
                Json.object()
                        .put("projectId", ada.projectId())
                        .put("name", "SHOP_URL")
                        .put("value", "https://shop.example"));
        for (var name : List.of("Our CRM", "CRM of the sales people")) {
            var connection = Json.object()
                    .put("projectId", ada.projectId())
                    .put("externalId", name.replace(' ', '-'))
                    .put("displayName", name)
                    .put("pieceName", CrmPiece.NAME)
                    .put("type", "SECRET_TEXT");
            connection.putObject("value").put("type", "SECRET_TEXT").put("secret_text", "the key");
            post(ada, "/v1/app-connections", connection);
        }
        return orders;
    }

    private static ObjectNode demo() {
        try (var stream = PublishedFlow.class.getResourceAsStream("/demo-flow.json")) {
            var operation = Json.object().put("type", "IMPORT_FLOW");
            operation.set("request", Json.parse(stream.readAllBytes()));
            return operation;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static void post(SignedIn by, String path, ObjectNode body) {
        var answer = by.api().post(path, body);
        assertThat(answer.status()).as(path + " " + answer.body()).isLessThan(300);
    }

    private static void lists(SignedIn ada) {
        browser.open(in(ada, "/flows"));
        browser.awaitText(".table", "Orders");
        browser.awaitText(".table", "Close the till");
        look("flows");
        browser.click("[aria-label='Actions for Orders']");
        browser.awaitText(".menu", "Export");
        look("flows-menu");
        browser.press(Keyboard.ESCAPE);
        browser.press("c");
        browser.awaitText("dialog", "Name");
        look("flows-new");
        browser.press(Keyboard.ESCAPE);
        browser.pressWith(Keyboard.CONTROL, "k");
        browser.awaitText(".palette", "New flow");
        look("palette");
        browser.press(Keyboard.ESCAPE);
        browser.press("?");
        browser.awaitText(".shortcuts", "Flows");
        look("shortcuts");
        browser.open(in(ada, "/flows?name=nothing-is-called-so"));
        browser.awaitText("main", "nothing-is-called-so");
        look("flows-none");
        browser.open(in(ada, "/nowhere"));
        browser.awaitText("h2", "not found");
        look("not-found");
    }

    private static void builder(SignedIn ada, LiveFlow orders) {
        browser.open(in(ada, "/flows/" + orders.id()));
        browser.awaitText("[data-step=step_4]", "accepted");
        look("builder");
        browser.click("[data-step=step_1]");
        browser.awaitText(".step-panel", "Mapping");
        look("builder-step");
        browser.click(".step-panel [role=tab]:nth-child(2)");
        browser.awaitText(".step-panel", "Test step");
        browser.click(".step-panel .button.primary");
        browser.awaitText("dialog", "Steps without a sample");
        look("builder-untested");
        browser.click("dialog [data-alone]");
        browser.awaitText(".step-panel", "Succeeded");
        look("builder-test");
        browser.click(".step-panel [role=tab]:nth-child(3)");
        browser.awaitText(".step-panel", "If the server stops");
        look("builder-errors");
        browser.click("[data-step=step_2]");
        browser.click("[data-branch='0'] .expression .button");
        browser.awaitText(".data-picker", "Work out the total");
        browser.awaitText(".data-picker", "total");
        look("builder-data");
        browser.press(Keyboard.ESCAPE);
        look("builder-router");
        browser.press(Keyboard.ESCAPE);
        browser.click("[data-place='step_1/AFTER']");
        browser.awaitText(".picker", "Router");
        look("builder-picker");
        browser.press(Keyboard.ESCAPE);
        browser.click(".builder-head [aria-haspopup=menu]");
        browser.awaitText(".menu", "Versions");
        look("builder-menu");
        browser.click(".menu [role=menuitem]");
        browser.awaitText(".versions", "Published");
        look("builder-versions");
    }

    private static void runs(SignedIn ada, LiveFlow orders) {
        browser.open(in(ada, "/runs"));
        browser.awaitText(".table", "Close the till");
        look("runs");
        browser.open(in(ada, "/approvals"));
        browser.awaitText("main", "No approvals are waiting");
        look("approvals-empty");
        browser.open(in(ada, "/runs?view=causes"));
        browser.awaitText(".causes", "2 runs");
        look("runs-causes");
        browser.open(in(ada, "/runs/" + orders.runs().getFirst().path("id").asText()));
        browser.awaitText(".timeline", "Work out the total");
        look("run");
        browser.click(".timeline [data-key=step_1]");
        browser.awaitText(".run-step", "total");
        look("run-step");
        browser.click(".run-main [role=tab]:last-child");
        browser.awaitText(".run-canvas", "Work out the total");
        look("run-canvas");
        browser.open(in(ada, "/runs?status=failed"));
        browser.awaitText(".table", "Close the till");
        browser.click(".run-name a");
        browser.awaitText(".run-notice", "404");
        look("run-failed");
    }

    private static void connections(SignedIn ada) {
        browser.open(in(ada, "/connections"));
        browser.awaitText(".table", "Our CRM");
        Waiting.until(
                "the logo of the piece is shown",
                () -> browser.run("return document.querySelector('.piece-logo img')?.naturalWidth > 0")
                        .asBoolean());
        look("connections");
        browser.click("[aria-label='Actions for Our CRM']");
        browser.awaitText(".menu", "Reconnect");
        look("connections-menu");
        browser.press(Keyboard.ESCAPE);
        browser.press("c");
        browser.awaitText(".pieces", "CRM");
        assertThat(browser.run(
                                "return [...document.querySelectorAll('.pieces .cut')].filter((name) => name.scrollWidth > name.clientWidth && name.clientWidth < 90).length")
                        .asInt())
                .as("names of apps that are cut to a few letters")
                .isZero();
        look("connection-which");
        browser.click("[data-piece='" + CrmPiece.NAME + "']");
        browser.awaitText("dialog", "Redirect URL");
        look("connection-oauth");
        browser.open(in(ada, "/connections?view=variables"));
        browser.awaitText(".table", "SHOP_URL");
        look("variables");
        browser.press("c");
        browser.awaitText("dialog", "Letters, digits");
        look("variable-new");
        browser.open(in(ada, "/connections?view=global"));
        browser.awaitText("main", "No global connections yet");
        look("connections-global");
    }

    private static void atLast(SignedIn ada) {
        browser.forget();
        browser.open(in(ada, "/flows"));
        browser.awaitText("h1", "Sign in");
        look("sign-in");
        browser.type("[name=email]", "ada@acme-tools.example");
        browser.type("[name=password]", "wrong horse");
        browser.click("[type=submit]");
        browser.awaitText("main", "wrong");
        look("sign-in-refused");
    }

    private static String in(SignedIn ada, String path) {
        return url + "/projects/" + ada.projectId() + path;
    }
}
