package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user builds, tests and publishes a flow with clicks alone, and sees its run. Notes stay beside their steps. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ClickJourneyBrowserIT {
    private static final String WEBHOOK = "@activepieces/piece-webhook";
    private static final String MATH = "@activepieces/piece-math-helper";
    private static final int CLICKS_MAX = 21;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();
    private static int clicks;

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static void click(String selector) {
        browser.click(selector);
        clicks++;
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static void saved() {
        Waiting.until("all is saved", () -> is("document.querySelector('[data-saving=saved]') !== null"));
    }

    private static JsonNode version(String flowId) {
        saved();
        return ada.api().get("/v1/flows/" + flowId).body().path("version");
    }

    @Test
    void aFlowIsBuilt_mapped_tested_publishedAndItsRunSeen_withClicksAlone() {
        // Given
        browser.open(url + "/projects/" + ada.projectId() + "/flows");
        browser.awaitText("main", "New flow");

        // When: a flow with a trigger that has received a call
        click(".page-head .primary");
        click(".menu [role=menuitem]:first-child");
        browser.type("dialog input", "Orders");
        click("dialog .primary");
        click("[data-step=trigger]");
        click("[data-entry='" + WEBHOOK + "']");
        click("[data-entry=catch_webhook]");
        click("[data-test-step]");
        browser.awaitText(".test-tab", "/test");
        var flowId = browser.address().replaceAll(".*/flows/([^/?]+).*", "$1");
        server.anonymous()
                .post("/v1/webhooks/" + flowId + "/test", Json.object().put("amount", 42));
        browser.awaitText("[data-test-output]", "amount");

        // When: a step whose values are taken from the call
        click(".plus.last");
        click("[data-category=CORE]");
        click("[data-entry='" + MATH + "']");
        click("[data-entry=addition_math]");
        maps("First Number");
        maps("Second Number");
        click("[data-test-step]");
        browser.awaitText("[data-test-output]", "84");
        browser.inspect("journey-tested");
        saved();
        click("[data-publish]");
        browser.awaitText("dialog", "Published with warnings");
        click("dialog header button");
        browser.awaitText(".builder-head", "Turn off");

        // Then: a call runs the flow
        server.anonymous().post("/v1/webhooks/" + flowId, Json.object().put("amount", 4));
        click("[data-flow-menu]");
        click(".menu [role=group]:nth-of-type(2) [role=menuitem]");
        browser.awaitText(".table", "Succeeded");
        click(".run-name");
        browser.awaitText(".run-facts", "Succeeded");
        browser.inspect("journey-run");
        assertThat(clicks).isLessThanOrEqualTo(CLICKS_MAX);
    }

    /** Maps a field to the amount of the call by the data picker. */
    private static void maps(String field) {
        click(".expression:has([data-field='" + field + "']) button");
        click(".data-picker [data-choice='body.amount']");
        browser.awaitText("[data-field='" + field + "'] .chip", "amount");
    }

    @Test
    void aNoteIsPlacedBesideTheSteps_rendered_andStaysBesideItsStep() {
        // Given
        var flow = LiveFlow.draft(ada, FlowScript.webhook().map("step_1", "{}").map("step_2", "{}"));
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id());
        browser.awaitText("[data-step=step_2]", "step_2");

        // When
        browser.click(".canvas-tools button");
        browser.press("**Ask sales** before changes:\n- prices\n- [terms](https://acme.example)");
        saved();
        browser.click("[data-step=step_1]");

        // Then
        browser.awaitText(".note-text", "Ask sales before changes");
        var written = browser.run(
                "const e = document.querySelector('.note-text'); return [e.querySelector('b, strong')?.innerText,"
                        + " e.querySelector('a')?.href, e.innerText.includes('**')].join()");
        assertThat(written.asText()).isEqualTo("Ask sales,https://acme.example/,false");
        var note = version(flow.id()).at("/notes/0/position");
        assertThat(note.path("x").asInt()).isGreaterThan(264);
        assertThat(coversNoStep()).isTrue();
        browser.inspect("note-beside-steps");

        // When: a step is added above
        browser.click("[data-place='trigger/AFTER']");
        browser.type(".picker input", "code");
        browser.click("[data-entry=code]");
        browser.awaitText("[data-step=step_3]", "Code");

        // Then
        var moved = version(flow.id()).at("/notes/0/position");
        assertThat(moved.path("y").asInt() - note.path("y").asInt()).isPositive();
        assertThat(moved.path("x").asInt()).isEqualTo(note.path("x").asInt());
        assertThat(coversNoStep()).isTrue();
    }

    private static boolean coversNoStep() {
        return is(
                "(() => { const n = document.querySelector('.note').getBoundingClientRect();"
                        + " return [...document.querySelectorAll('[data-step]')].map((e) => e.getBoundingClientRect())"
                        + ".every((c) => c.right <= n.left || n.right <= c.left || c.bottom <= n.top || n.bottom <= c.top); })()");
    }
}
