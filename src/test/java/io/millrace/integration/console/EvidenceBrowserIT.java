package io.millrace.integration.console;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.Outside;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * A wrong router condition is found by a diagnosis, replayed with another input, covered by a test, compared with
 * history and repaired: all in the console.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class EvidenceBrowserIT {
    private static final String WRONG = "big";
    private static final String RIGHT = "large";

    @AutoClose
    private Outside outside = Outside.start();

    @AutoClose
    private TestServer server = ServerSettings.localCalls().startInRealTime();

    private TestServer.SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");

    @AutoClose
    private Browser browser = Browser.start();

    private String url = "http://localhost:" + server.port();

    /** Orders of a certain size go to a review; all others are sent to the address of the event. */
    private static FlowScript orders(String size) {
        return webhook()
                .firstMatch(
                        "size",
                        Branch.whenEqual(
                                "Review",
                                "{{trigger.output.body.size}}",
                                size,
                                steps().map("review", "{'review':'{{trigger.output.body.size}}'}")),
                        Branch.otherwise(steps().http("ship", "POST", "{{trigger.output.body.shipTo}}")));
    }

    private JsonNode order(LiveFlow flow, String size, String shipTo) {
        return flow.run(json("{'size':'" + size + "','shipTo':'" + shipTo + "'}"));
    }

    private void openRun(JsonNode run) {
        browser.open(
                url + "/projects/" + ada.projectId() + "/runs/" + run.path("id").asText());
    }

    private String flowPage(LiveFlow flow) {
        return url + "/projects/" + ada.projectId() + "/flows/" + flow.id();
    }

    private String published(LiveFlow flow) {
        return ada.api().get("/v1/flows/" + flow.id()).text("/publishedVersionId");
    }

    @Test
    void findsReplaysGuardsAndRepairsAWrongCondition() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
        var flow = LiveFlow.publish(ada, orders(WRONG));
        order(flow, "small", outside.url("/small"));
        order(flow, "small", outside.url("/small"));
        order(flow, "large", outside.url("/large"));
        var bad = order(flow, "large", outside.url("/broken"));
        assertThat(bad.path("status").asText()).isEqualTo("FAILED");

        diagnose(bad);
        replayWithAnotherInput(bad);
        makeTest(flow, bad);
        expectTheReview(flow);
        requireTests();
        flow.change(orders("huge"));
        refusePublication(flow);
        flow.change(orders(RIGHT));
        publishAfterAComparison(flow);
        deleteTheTest(flow);
    }

    private void diagnose(JsonNode bad) {
        openRun(bad);
        browser.awaitText(".diagnosis", "Remote service");
    }

    private void replayWithAnotherInput(JsonNode bad) {
        var calls = outside.calls().size();
        browser.click("[data-replay]");
        browser.awaitText(".replay-effects", "Recorded response");
        browser.run("const effects = document.querySelectorAll('.replay select')[1]; effects.value = 'step';"
                + "effects.dispatchEvent(new Event('change', { bubbles: true })); return true");
        browser.awaitText(".replay-effects", "Will be performed");
        browser.click(".replay .check input");
        browser.type(".replay textarea", "{");
        browser.awaitText(".replay .problem", "not valid JSON");
        var input = ((ObjectNode) bad.at("/steps/ship/input").deepCopy()).put("url", outside.url("/replayed"));
        fill(".replay textarea", input.toString());
        browser.awaitText(".replay-effects", "POST 127.0.0.1");
        browser.awaitText("[data-start-replay]", "Start and perform 1 call");
        browser.inspect("replay-dialog");
        assertThat(outside.calls()).hasSize(calls);
        browser.click("[data-start-replay]");
        browser.awaitText(".run-facts", "Open replayed run");
        browser.awaitText(".run-facts", "Succeeded");
        assertThat(outside.paths()).contains("/replayed");
        browser.inspect("replay-run");
        openRun(bad);
        browser.awaitText("[data-replays]", "Succeeded");
    }

    /**
     * Replaces a text at once: a driver clears a field without an event, and a render in between restores the former
     * text.
     */
    private void fill(String selector, String text) {
        browser.run(
                "const field = document.querySelector(arguments[0]); field.value = arguments[1];"
                        + "field.dispatchEvent(new Event('input', { bubbles: true })); return true",
                selector,
                text);
    }

    private void makeTest(LiveFlow flow, JsonNode bad) {
        openRun(bad);
        browser.click("[data-make-test]");
        browser.type("dialog input[name=name]", "Large order is reviewed");
        browser.inspect("make-test");
        browser.click("dialog [type=submit]");
        browser.awaitText(".flow-test-list", "Large order is reviewed");
        browser.awaitText(".flow-test-list", "Not run");
        assertThat(browser.address()).contains("/flows/" + flow.id() + "/tests");
    }

    /** The test of a wrong run expects the right result: it fails until the flow is repaired. */
    private void expectTheReview(LiveFlow flow) {
        browser.click("[data-run-tests]");
        browser.awaitText(".flow-test-list", "Passed");
        var given = ada.api().get("/v1/flows/" + flow.id() + "/tests").body().at("/data/0");
        var edited = Json.object().put("name", "Large order is reviewed");
        edited.set("trigger", given.path("trigger"));
        edited.set("fixtures", given.path("fixtures"));
        edited.set("expectations", json("{'status':'SUCCEEDED','calls':[],'branches':{'size':['Review']}}"));
        browser.click("[data-edit-test]");
        browser.type("dialog textarea", "{}");
        browser.click("dialog [type=submit]");
        browser.awaitText("dialog .problem", "a name and a trigger");
        fill("dialog textarea", edited.toString());
        browser.inspect("flow-test-json");
        browser.click("dialog [type=submit]");
        browser.awaitText(".flow-test-list", "Not run");
        browser.click("[data-run-tests]");
        browser.awaitText(".flow-test-list", "Failed");
        browser.awaitText(".flow-test-details", "Branches of");
        browser.awaitText(".flow-test-coverage", "Not reached");
        browser.inspect("flow-tests");
    }

    private void requireTests() {
        browser.open(url + "/projects/" + ada.projectId() + "/settings");
        browser.awaitText(".settings-form", "Publish a flow only when all its tests pass");
        browser.run(
                "[...document.querySelectorAll('.settings-form .check')].at(-1).querySelector('input').click(); return true");
        browser.inspect("settings-tests-required");
        browser.click(".settings-form [type=submit]");
        Waiting.until(
                "the setting is saved",
                () -> ada.api()
                        .get("/v1/projects/" + ada.projectId())
                        .body()
                        .path("flowTestsRequired")
                        .asBoolean());
    }

    private void refusePublication(LiveFlow flow) {
        var before = published(flow);
        browser.open(flowPage(flow));
        browser.click("[data-publish]");
        browser.awaitText(".publish-compare", "None of the 5 recent runs would take another branch");
        browser.click("[data-confirm-publish]");
        browser.awaitText(".publish-refusal", "Large order is reviewed");
        browser.inspect("publish-refused");
        assertThat(published(flow)).isEqualTo(before);
        browser.click("[data-open-tests]");
        browser.awaitText(".flow-test-list", "Failed");
    }

    private void publishAfterAComparison(LiveFlow flow) {
        var before = published(flow);
        browser.open(flowPage(flow));
        browser.click("[data-publish]");
        browser.awaitText(".publish-compare", "3 of 5 recent runs would take another branch");
        browser.click("[data-groups]");
        browser.awaitText(".publish-groups", "Different branch");
        browser.awaitText(".publish-groups", "3 runs");
        browser.awaitText(".publish-sides", "Otherwise");
        browser.awaitText(".publish-sides", "Review");
        browser.inspect("publish-compared");
        browser.click("[data-confirm-publish]");
        Waiting.until("the draft is published", () -> !published(flow).equals(before));
    }

    private void deleteTheTest(LiveFlow flow) {
        browser.open(flowPage(flow) + "/tests?run=true");
        browser.awaitText(".flow-test-list", "Passed");
        browser.inspect("flow-tests-passed");
        browser.click(".flow-test-list [aria-haspopup=menu]");
        browser.run("[...document.querySelectorAll('[role=menuitem]')].at(-1).click(); return true");
        browser.awaitText("dialog", "are lost");
        browser.click("dialog [type=submit]");
        browser.awaitText("main", "No tests yet");
        browser.inspect("flow-tests-empty");
        assertThat(ada.api().get("/v1/flows/" + flow.id() + "/tests").body().path("data"))
                .isEmpty();
    }
}
