package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * From an empty server to a published flow with a webhook, code, a router, a loop with an HTTP request, a record of a table
 * and a response: each step tested, published, failed, mended and retried, with a bounded number of clicks. Every press of the
 * mouse counts, and so does the choice of an option; typed text, completions, shortcuts and Enter do not (decision 0463).
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class WholeJourneyBrowserIT {
    private static final String WEBHOOK = "@activepieces/piece-webhook";
    private static final String HTTP = "@activepieces/piece-http";
    private static final String TABLES = "@activepieces/piece-tables";
    private static final String CODE =
            "export const code = async (inputs) => ({ total: inputs.order.amount * 2, lines: inputs.order.lines });";
    private static final int CLICKS_MAX = 39;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static int clicks;

    private static void click(String selector) {
        browser.click(selector);
        clicks++;
    }

    private static void choose(String field, String label) {
        browser.choose("[data-field='" + field + "']", label);
        clicks++;
    }

    private static void saved() {
        Waiting.until(
                "all is saved",
                () -> browser.run("return document.querySelector('[data-saving=saved]') !== null")
                        .asBoolean());
    }

    @Test
    void anEmptyServerRunsAFlow_thatFailed_isMendedAndRetried() {
        signsUp();
        makesATable();
        var flowId = makesAFlow();
        addsCode();
        addsARouterWithALoop();
        addsARecordAndAResponse();
        click("[data-publish]");
        browser.awaitText(".builder-head", "Turn off");
        server.anonymous().post("/v1/webhooks/" + flowId, order());
        mends();
        retries();
        System.out.println("The journey takes " + clicks + " clicks");
        assertThat(clicks).isLessThanOrEqualTo(CLICKS_MAX);
    }

    private static ObjectNode order() {
        var order = Json.object().put("amount", 60);
        order.putArray("lines").add("wheel").add("bell");
        return order;
    }

    private static void signsUp() {
        browser.open(url + "/");
        browser.type("[name=firstName]", "Ada");
        browser.type("[name=lastName]", "Miller");
        browser.type("[name=email]", "ada@acme-tools.example");
        browser.type("[name=password]", "correct horse");
        browser.press(Keyboard.ENTER);
        browser.awaitText("h1", "What are you working on?");
        browser.type("[name=displayName]", "Shop");
        browser.press(Keyboard.ENTER);
        browser.awaitText("h1", "Your first flow");
        click(".gate .actions .button");
        browser.awaitText("nav", "Tables");
    }

    private static void makesATable() {
        click(".areas a[href$='/tables']");
        browser.awaitText("main", "No tables yet");
        click(".page-head .primary");
        click(".menu [role=menuitem]:first-child");
        browser.type("dialog [name=name]", "Totals");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".grid-head", "Name");
    }

    /** Returns the id of the flow, whose trigger has received a call. */
    private static String makesAFlow() {
        click(".areas a[href$='/flows']");
        browser.awaitText("main", "New flow");
        click(".page-head .primary");
        click(".menu [role=menuitem]:first-child");
        browser.type("dialog input", "Orders");
        browser.press(Keyboard.ENTER);
        click("[data-step=trigger]");
        click("[data-entry='" + WEBHOOK + "']");
        click("[data-entry=catch_webhook]");
        beginsTest();
        browser.awaitText(".test-tab", "/test");
        var flowId = browser.address().replaceAll(".*/flows/([^/?]+).*", "$1");
        server.anonymous().post("/v1/webhooks/" + flowId + "/test", order());
        browser.awaitText("[data-test-output]", "amount");
        return flowId;
    }

    private static void addsCode() {
        click("[data-place='trigger/AFTER']");
        browser.type(".picker input", "code");
        click("[data-entry=code]");
        browser.type("[data-key=Inputs]", "order");
        maps("[data-field='Value of order']", "body", "body");
        click("[data-code=Code]");
        writes(CODE);
        tests();
        browser.awaitText("[data-test-output]", "120");
    }

    private static void addsARouterWithALoop() {
        click("[data-place='step_1/AFTER']");
        browser.type(".picker input", "router");
        click("[data-entry=router]");
        maps("[data-branch='0'] [data-field=Value]", "total", "total");
        choose("Comparison", "is greater than");
        browser.type("[data-branch='0'] [data-field='Compared with']", "100");
        tests();
        click("[data-place='step_2/INSIDE_BRANCH/0']");
        browser.type(".picker input", "loop");
        click("[data-entry=loop]");
        maps("[data-field=Items]", "lines", "lines");
        tests();
        click("[data-place='step_3/INSIDE_LOOP']");
        browser.type(".picker input", "http");
        click("[data-entry='" + HTTP + "']");
        click("[data-entry=send_request]");
        choose("Method", "GET");
        browser.type("[data-field=URL]", url + "/api/v1/nothing");
        beginsTest();
        browser.awaitText(".step-panel", "404");
    }

    private static void addsARecordAndAResponse() {
        click("[data-place='step_2/AFTER']");
        browser.type(".picker input", "tables");
        click("[data-entry='" + TABLES + "']");
        click("[data-entry=tables-create-records]");
        choose("Table", "Totals");
        browser.awaitText(".step-panel .item", "Record 1");
        maps("[data-field=Name]", "total", "total");
        tests();
        click("[data-place='step_5/AFTER']");
        browser.type(".picker input", "webhook");
        click("[data-entry='" + WEBHOOK + "']");
        click("[data-entry=return_response]");
        click(".step-panel .code-editor");
        writes("{\"done\": true}");
        tests();
        browser.inspect("whole-journey");
    }

    /** The failed run names the step, whose address is mended. */
    private static void mends() {
        opensTheRun("Failed");
        browser.awaitText(".error-view", "404");
        browser.awaitText(".run-step h2", "Send HTTP request");
        click(".run-step header a");
        browser.type("[data-field=URL]", url + "/api/v1/health");
        saved();
        click("[data-publish]");
        browser.awaitText("dialog", "Publish");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".builder-head", "Turn off");
    }

    private static void retries() {
        browser.run("history.back()");
        clicks++;
        browser.awaitText(".run-facts", "Failed");
        click("[data-retry]");
        click(".menu [role=menuitem]:last-child");
        browser.awaitText(".run-facts", "Succeeded");
        browser.awaitText("[data-attempts='1']", "Retried by Ada Miller on the latest version");
        browser.awaitText("[data-attempts='1']", "Send HTTP request: ");
        browser.inspect("whole-journey-retried");
        assertThat(server.count("select count(*) from table_cell where value = '120'"))
                .as("one record by the test of the step, one by the retried run")
                .isEqualTo(2);
    }

    private static void opensTheRun(String status) {
        click("[data-flow-menu]");
        click(".menu [role=group]:nth-of-type(2) [role=menuitem]");
        browser.awaitText(".table", status);
        click(".run-name");
    }

    /** Maps a field to a value of the samples by completion. */
    private static void maps(String field, String typed, String value) {
        tabsTo(field);
        browser.press("{{" + typed);
        browser.awaitText(".offers [aria-selected=true]", value);
        browser.press(Keyboard.ENTER);
        browser.awaitText(field + " .chip", value);
    }

    private static void tabsTo(String selector) {
        Waiting.until(selector + " has the focus", () -> {
            var hasFocus = browser.run("return document.activeElement?.matches(arguments[0]) ?? false", selector)
                    .asBoolean();
            if (!hasFocus) {
                browser.press(Keyboard.TAB);
            }
            return hasFocus;
        });
    }

    /** Tests the open step by its shortcut. */
    private static void tests() {
        beginsTest();
        browser.awaitText(".step-panel", "Succeeded in");
    }

    private static void beginsTest() {
        saved();
        Waiting.until(
                "the step can be tested",
                () -> browser.run("return document.querySelector('[data-test-step]:not(:disabled)') !== null")
                        .asBoolean());
        browser.pressWith(Keyboard.CONTROL, Keyboard.ENTER);
    }

    /** Replaces the text of the code field that has the focus. */
    private static void writes(String text) {
        Waiting.until(
                "the code field has the focus",
                () -> browser.run("return document.activeElement?.shadowRoot?.activeElement != null")
                        .asBoolean());
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press(text);
    }
}
