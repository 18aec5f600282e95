package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Edits and creations whose responses are lost between server and browser are performed once, and nothing is published
 * without the edits.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class LostAnswersBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.startWithMotion();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static LiveFlow opens() {
        var flow = LiveFlow.publish(ada, webhook().map("step_1", "{'total':42}"));
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id());
        browser.awaitText("[data-step=step_1]", "step_1");
        return flow;
    }

    @Test
    void aKeyWhoseAnswerIsLostIsCreatedOnce_andItsPrivateHalfIsShown() {
        // Given
        browser.open(url + "/platform/keys?view=signing");
        browser.awaitText("main", "signing key");
        browser.run("""
                const send = window.fetch;
                let left = 1;
                window.fetch = async (address, options) => {
                  const answer = await send(address, options);
                  if (options?.method === 'POST' && String(address).includes('/v1/signing-keys') && left-- > 0) {
                    throw new TypeError('the answer is lost');
                  }
                  return answer;
                };
                """);

        // When
        browser.press("c");
        browser.type("dialog [name=displayName]", "Product");
        browser.click("dialog .primary");

        // Then
        browser.awaitText("dialog .once", "PRIVATE KEY");
        assertThat(ada.api().get("/v1/signing-keys").body().path("data")).hasSize(1);
    }

    /** The server performs each change of a flow; its response is replaced this many times. */
    private static void answersAreLost(String with, int times) {
        browser.run("""
                const send = window.fetch;
                const kind = arguments[0];
                let left = Number(arguments[1]);
                window.lost = 0;
                window.fetch = async (address, options) => {
                  const answer = await send(address, options);
                  if (options?.method === 'POST' && String(address).includes('/v1/flows/') && left > 0) {
                    left--;
                    window.lost++;
                    if (kind === 'nothing') {
                      throw new TypeError('lost');
                    }
                    return new Response('', { status: Number(kind) });
                  }
                  return answer;
                };
                return true
                """, with, String.valueOf(times));
    }

    private static void duplicatesTheStep() {
        browser.click("[data-step=step_1]");
        browser.run("document.querySelector('[data-step=step_1]').focus(); return true");
        browser.pressWith(Keyboard.CONTROL, "d");
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nothing", "502", "500", "504"})
    void anEditIsAppliedOnce_whenItsAnswerIsLost(String with) {
        var flow = opens();
        answersAreLost(with, 1);

        duplicatesTheStep();

        Waiting.until("an answer is lost", () -> is("window.lost === 1"));
        Waiting.until("all is saved", () -> is("!!document.querySelector('[data-saving=saved]')"));
        var draft = Json.text(ada.api().get("/v1/flows/" + flow.id()).body());
        assertThat(draft).contains("step_2").doesNotContain("step_3");
        assertThat(is("document.querySelectorAll('[data-step^=step_]').length === 2"))
                .isTrue();
    }

    @Test
    void nothingIsPublished_whileAnEditIsNotSaved() {
        var flow = opens();
        var before = ada.api().get("/v1/flows/" + flow.id()).text("/publishedVersionId");
        answersAreLost("502", 100);
        duplicatesTheStep();
        Waiting.until("an answer is lost", () -> is("window.lost > 0"));

        browser.click("[data-publish]");

        browser.awaitText("body", "are not saved");
        assertThat(ada.api().get("/v1/flows/" + flow.id()).text("/publishedVersionId"))
                .isEqualTo(before);
    }
}
