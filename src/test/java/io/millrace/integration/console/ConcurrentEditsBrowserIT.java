package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Edits of one flow by two browser tabs, and by a tab and the API: no change is overwritten without a choice of the user. */
@NeedsBrowser
@Slow(Slow.Reason.BROWSER)
class ConcurrentEditsBrowserIT {
    private static final String NAME = ".panel-name input";

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser first = Browser.start();

    @AutoClose
    private static Browser second = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    private LiveFlow flow;

    @BeforeAll
    static void start() {
        for (var tab : List.of(first, second)) {
            tab.signIn(url, ada.api());
            tab.awaitText("nav", "Runs");
        }
    }

    @BeforeEach
    void publish() {
        flow = LiveFlow.publish(ada, webhook().code("step_1", "export const code = async () => 1;", "{'a':'1'}"));
    }

    private void opens(Browser tab) {
        tab.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + "?step=step_1");
        Waiting.until("the step is open", () -> is(tab, "document.querySelector('" + NAME + "') !== null"));
        Waiting.until("the code is shown", () -> codeIn(tab).contains("export const code"));
    }

    private static boolean is(Browser tab, String expression) {
        return tab.run("return " + expression).asBoolean();
    }

    private static String codeIn(Browser tab) {
        return tab.run(
                        "return document.querySelector('.code-editor.tall > div')?.shadowRoot?.querySelector('.cm-content')?.textContent ?? ''")
                .asText();
    }

    private static void rename(Browser tab, String text) {
        tab.run("""
                const field = document.querySelector(arguments[0]);
                field.value = arguments[1];
                field.dispatchEvent(new Event('input', { bubbles: true }));
                return true
                """, NAME, text);
    }

    private static void saved(Browser tab) {
        Waiting.until("all is saved", () -> is(tab, "!!document.querySelector('[data-saving=saved]')"));
    }

    /** Edits of the tab, and its reads of the flow, are held until they are released. */
    private static void hold(Browser tab) {
        tab.run("""
                const send = window.fetch;
                let release;
                const released = new Promise((resolve) => { release = resolve; });
                window.release = release;
                window.held = 0;
                window.fetch = async (address, options) => {
                  if (String(address).includes('/v1/flows/')) {
                    window.held += options?.method === 'POST' ? 1 : 0;
                    await released;
                  }
                  return send(address, options);
                };
                return true
                """);
    }

    private static void release(Browser tab) {
        Waiting.until("an edit is on its way", () -> is(tab, "window.held > 0"));
        tab.run("window.release(); return true");
    }

    private JsonNode step() {
        return ada.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger/nextAction");
    }

    /** Another writer changes the step in its current state of the API. */
    private void updateByApi(Consumer<ObjectNode> change) {
        var given = (ObjectNode) step().deepCopy();
        given.remove("nextAction");
        change.accept(given);
        var answer = flow.operate(Json.object().put("type", "UPDATE_ACTION").set("request", given));
        assertThat(answer.status()).isEqualTo(200);
    }

    private static void setCode(ObjectNode step, String code) {
        ((ObjectNode) step.at("/settings/sourceCode")).put("code", code);
    }

    @Test
    void renamingAStepKeepsItsCode_thatTheApiHasChangedMeanwhile() {
        opens(first);
        hold(first);
        rename(first, "Renamed in the tab");

        updateByApi(step -> {
            setCode(step, "export const code = async () => 2;");
            ((ObjectNode) step.at("/settings/input")).put("b", "by the API");
        });
        release(first);

        saved(first);
        var step = step();
        assertThat(step.path("displayName").asText()).isEqualTo("Renamed in the tab");
        assertThat(step.at("/settings/sourceCode/code").asText()).contains("=> 2");
        assertThat(step.at("/settings/input/b").asText()).isEqualTo("by the API");
        Waiting.until("the tab shows the code", () -> codeIn(first).contains("=> 2"));
        assertThat(is(first, "document.querySelector('.conflict') === null")).isTrue();
    }

    @Test
    void changesOfOthersAreShownAtOnce_alsoInTheFieldThatHasTheFocus() {
        opens(first);
        first.click(".code-editor.tall");

        updateByApi(step -> setCode(step.put("displayName", "By the API"), "export const code = async () => 'api';"));

        first.awaitText("[data-step=step_1]", "By the API");
        Waiting.until("the editor shows the code", () -> codeIn(first).contains("'api'"));
        first.run("return document.execCommand('insertText', false, '// typed ')");
        Waiting.until("the code is typed", () -> codeIn(first).contains("// typed"));
        saved(first);
        Waiting.until(
                "the code is saved",
                () -> step().at("/settings/sourceCode/code").asText().contains("// typed"));
        assertThat(step().at("/settings/sourceCode/code").asText()).contains("'api'");
        assertThat(step().path("displayName").asText()).isEqualTo("By the API");
    }

    @Test
    void twoTabsChangeOneStep_andBothChangesAreKept() {
        opens(first);
        opens(second);
        hold(first);
        hold(second);
        rename(first, "By the first tab");
        second.run("document.querySelector('[data-step=step_1]').focus(); return true");
        second.pressWith(Keyboard.CONTROL, "e");
        release(second);
        saved(second);
        release(first);
        saved(first);

        assertThat(step().path("displayName").asText()).isEqualTo("By the first tab");
        assertThat(step().path("skip").asBoolean()).isTrue();
        second.awaitText("[data-step=step_1]", "By the first tab");
        first.awaitText("[data-step=step_1]", "By the first tab");
    }

    @Test
    void twoTabsRenameOneStep_andTheUserOfTheSecondChooses() {
        opens(first);
        opens(second);
        hold(first);
        rename(first, "Mine");
        rename(second, "Theirs");
        saved(second);
        release(first);

        first.awaitText("[data-conflict=displayName] [data-theirs]", "Theirs");
        first.awaitText("[data-conflict=displayName] [data-mine]", "Mine");
        first.inspect("builder-conflict");
        assertThat(step().path("displayName").asText()).isEqualTo("Theirs");
        first.click("[data-conflict=displayName] .button.primary");
        Waiting.until(
                "the choice is saved", () -> step().path("displayName").asText().equals("Mine"));
        second.awaitText("[data-step=step_1]", "Mine");
        assertThat(is(first, "document.querySelector('.conflict') === null")).isTrue();
    }

    @Test
    void undoTakesBackTheOwnChangeOnly() {
        opens(first);
        first.run("document.querySelector('[data-step=step_1]').focus(); return true");
        first.pressWith(Keyboard.CONTROL, "d");
        Waiting.until("the step is copied", () -> is(first, "!!document.querySelector('[data-step=step_2]')"));
        saved(first);
        updateByApi(step -> step.put("displayName", "By the API"));
        first.awaitText("[data-step=step_1]", "By the API");

        first.run("document.querySelector('[data-step=step_1]').focus(); return true");
        first.pressWith(Keyboard.CONTROL, "z");

        Waiting.until("the copy is gone", () -> is(first, "!document.querySelector('[data-step=step_2]')"));
        saved(first);
        assertThat(step().path("displayName").asText()).isEqualTo("By the API");
        assertThat(step().has("nextAction")).isFalse();
        assertThat(is(first, "document.querySelector('.toast') === null")).isTrue();
    }
}
