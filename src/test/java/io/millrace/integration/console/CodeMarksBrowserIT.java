package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.FlowScript;
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
import org.junit.jupiter.api.Test;

/** Marks in the editor of a code step: names without a definition and promises without {@code await}. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class CodeMarksBrowserIT {
    private static final String EDITOR = "document.querySelector('[data-code=Code] > div')?.shadowRoot";

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    /** Marked texts of a severity, joined. */
    private static String marked(String severity) {
        return browser.run(
                        "return [..." + EDITOR
                                + "?.querySelectorAll('.cm-lintRange-' + arguments[0]) ?? []].map((e) => e.textContent).join('|')",
                        severity)
                .asText();
    }

    @Test
    void undefinedNamesAndLostPromisesAreMarked_untilTheyAreCorrected() {
        // Given
        var flow = LiveFlow.draft(
                ada, FlowScript.webhook().code("step_1", "export const code = async () => ({ sum: 1 });"));
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + "?step=step_1");
        browser.awaitText(".step-panel", "Settings");

        // When
        browser.click("[data-code=Code]");
        Waiting.until(
                "the code field listens",
                () -> browser.run("return document.activeElement?.shadowRoot?.activeElement != null")
                        .asBoolean());
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press("export const code = async () => { const page = fetch('https://acme.example').text();");
        browser.press("return { sum: totl, page }; };");

        // Then
        Waiting.until("the undefined name is marked", () -> marked("error").contains("totl"));
        Waiting.until("the lost promise is marked", () -> marked("warning").contains("fetch"));
        browser.inspect("code-marks");

        // When
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press("export const code = async () => { const page = await fetch('https://acme.example');");
        browser.press("return { sum: 1, page }; };");

        // Then
        Waiting.until(
                "no name is marked",
                () -> !marked("error").contains("totl") && marked("warning").isEmpty());
        assertThat(marked("error")).isEmpty();
    }
}
