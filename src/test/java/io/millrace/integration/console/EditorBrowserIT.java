package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ChannelClient;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Flow-level features of the editor: notes, tests, discarded drafts and concurrent editors. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class EditorBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static LiveFlow opens(String more) {
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .map("step_1", "{'total':42,'customer':'Ada'}")
                        .code("step_2", "export const code = async (i) => i;", "{'said':''}"));
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + more);
        browser.awaitText("[data-step=step_2]", "step_2");
        return flow;
    }

    private static SignedIn invited(String email) {
        var request = Json.object().put("type", "PLATFORM").put("email", email).put("platformRole", "MEMBER");
        var link = ada.api().post("/v1/user-invitations", request).text("/link");
        var token = link.replaceAll(".*token=([^&]+).*", "$1");
        server.anonymous().post("/v1/user-invitations/accept", Json.object().put("invitationToken", token));
        return server.signUp(email, "Bob");
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static void saved() {
        Waiting.until("all is saved", () -> is("!!document.querySelector('[data-saving=saved]')"));
    }

    @Test
    void aNoteIsWritten_colored_andStillThereLater() {
        // Given
        var flow = opens("");

        // When
        browser.click("[aria-label='Add a note']");
        browser.type(".note textarea", "Ask Bob about the tax");
        browser.click(".note [aria-haspopup=menu]");
        browser.click(".menu [role=group]:first-child [role=menuitemradio]:nth-last-child(2)");
        saved();

        // Then
        browser.open(browser.address());
        Waiting.until(
                "the note is there",
                () -> is("document.querySelector('.note textarea')?.value === 'Ask Bob about the tax'"));
        var note = ada.api().get("/v1/flows/" + flow.id()).body().at("/version/notes/0");
        assertThat(note.path("color").asText()).isEqualTo("blue");

        // When
        browser.click(".note [aria-haspopup=menu]");
        browser.click(".menu .danger");

        // Then
        Waiting.until("the note is gone", () -> is("!document.querySelector('.note')"));
        browser.click(".toast .button");
        Waiting.until("the note is back", () -> is("!!document.querySelector('.note')"));
    }

    @Test
    void theWholeFlowIsTested_whereItIsDrawn() {
        // Given
        opens("");

        // When
        browser.click("[data-test-flow]");

        // Then
        browser.awaitText("[data-test-run=SUCCEEDED]", "Succeeded");
        Waiting.until(
                "each step says how it went",
                () -> is("document.querySelectorAll('.step-card.tone-green').length === 3"));
        browser.inspect("builder-tested");

        // When
        browser.click("[data-test-run] [aria-label=Close]");

        // Then
        Waiting.until("the marks are gone", () -> is("!document.querySelector('.step-card.tone-green')"));
    }

    @Test
    void integersOfMoreThan53BitsKeepTheirDigits_inEditedStepsAndInRuns() {
        // Given
        var id = 8_202_522_731_445_525_542L;
        var flow = LiveFlow.publish(ada, webhook().map("step_1", "{'id':" + id + "}"));
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + "?step=step_1");

        // When
        browser.awaitText(".step-panel", "Mapping");
        browser.type(".panel-name input", "Number of the order");
        saved();

        // Then
        var step = ada.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger/nextAction");
        assertThat(step.path("displayName").asText()).isEqualTo("Number of the order");
        assertThat(step.at("/settings/input/mapping/id").asLong()).isEqualTo(id);

        // When
        var run = flow.run(Json.object().put("order", id)).path("id").asText();
        browser.open(url + "/projects/" + ada.projectId() + "/runs/" + run);
        browser.awaitText(".timeline [data-key=trigger]", "");
        browser.click(".timeline [data-key=trigger]");

        // Then
        browser.awaitText(".step-view", String.valueOf(id));
    }

    @Test
    void aDraftIsDiscarded() {
        // Given
        opens("");
        browser.click("[data-step=step_2]");
        browser.type(".panel-name input", "Something else");
        saved();
        browser.click(".step-panel [aria-label=Close]");

        // When
        browser.click(".builder-head [aria-haspopup=menu]");
        browser.awaitText(".menu", "Discard draft");
        browser.run("[...document.querySelectorAll('.menu [role=menuitem]')]"
                + ".find((each) => each.textContent.includes('Discard')).click()");
        browser.awaitText("dialog", "are lost");
        browser.click("dialog .danger");

        // Then
        browser.awaitText("[data-step=step_2]", "The step_2");
    }

    @Test
    void aLinkLeadsToAStep_andTheAddressSaysWhichIsOpen() {
        // When
        opens("?step=step_1");

        // Then
        Waiting.until(
                "the step is open", () -> is("document.querySelector('.panel-name input')?.value === 'The step_1'"));

        // When
        browser.click("[data-step=step_2]");

        // Then
        Waiting.until("the address has the parameter", () -> browser.address().endsWith("?step=step_2"));
        browser.press(Keyboard.ESCAPE);
        Waiting.until("the address has no parameter", () -> !browser.address().contains("step="));
    }

    @Test
    void dataAndFormulasAreOfferedForWhatIsTyped() {
        // Given
        var flow = opens("?step=step_1");
        browser.click(".step-panel [role=tab]:nth-child(2)");
        browser.awaitText(".step-panel", "Test step");
        browser.click(".step-panel .button.primary");
        browser.awaitText(".step-panel", "Succeeded");
        browser.click("[data-step=step_2]");
        browser.awaitText(".step-panel", "Inputs");

        // When
        browser.click("[data-field='Value of said']");
        browser.press("{{tot");
        browser.awaitText(".offers", "The step_1 › total");
        browser.inspect("builder-offers");
        browser.press(Keyboard.ENTER);

        // Then
        browser.awaitText("[data-field='Value of said'] .chip", "The step_1 › total");

        // When
        browser.press("{{multi");
        browser.awaitText(".offers", "multiply(a; b)");
        browser.press(Keyboard.ENTER);
        browser.awaitText("dialog", "Formula");
        browser.press("6; 7)");
        browser.inspect("builder-formula");
        browser.click("dialog .primary");

        // Then
        browser.awaitText("[data-field='Value of said']", "ƒ multiply(6; 7)");
        saved();
        var input = ada.api()
                .get("/v1/flows/" + flow.id())
                .body()
                .at("/version/trigger/nextAction/nextAction/settings/input/said")
                .asText();
        assertThat(input).isEqualTo("{{step_1['output']['total']}}ap-formula-v1::{multiply(6; 7)}::ap-formula-v1");
    }

    @Test
    void whoComesSecondLooksOn_untilItIsTakenOver() {
        // Given
        var team = ada.inTeam("Team");
        var bob = invited("bob@acme-tools.example");
        server.join(bob, team.projectId(), "Editor");
        var flow = LiveFlow.publish(team, webhook().map("step_1", "{'total':42}"));
        try (var channel =
                ChannelClient.of(server, new SignedIn(bob.api(), bob.userId(), bob.platformId(), team.projectId()))) {
            channel.ask(1, "LOCK_RESOURCE", Json.object().put("resourceId", flow.id()));

            // When
            browser.open(url + "/projects/" + team.projectId() + "/flows/" + flow.id());

            // Then
            browser.awaitText(".builder-bar", "Bob");
            browser.inspect("builder-locked");
            assertThat(is("!document.querySelector('[aria-label=\"Add a note\"]')"))
                    .isTrue();

            // When
            browser.click(".builder-bar .button");

            // Then
            Waiting.until("the bar is gone", () -> is("!document.querySelector('.builder-bar')"));
            channel.awaitEvent("RESOURCE_LOCKED");
            browser.click("[aria-label='Add a note']");
            Waiting.until("the note is there", () -> is("!!document.querySelector('.note')"));
            saved();
        }
    }
}
