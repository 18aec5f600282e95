package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;

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
import org.junit.jupiter.api.Test;

/** A user works by keyboard alone: from sign-in to a retried run and back. A flow and a table by keyboard have tests of their own. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class KeyboardJourneyBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

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

    @Test
    void signsIn_findsAFailedRun_retriesIt_andSignsOut() {
        // given
        LiveFlow.publish(ada, webhook().http("step_1", "GET", url + "/api/v1/nothing"))
                .run(Json.object());

        // when
        browser.open(url + "/sign-in");
        browser.awaitText("h1", "Sign in");
        tabsTo("[name=email]");
        browser.press("ada@acme-tools.example");
        tabsTo("[name=password]");
        browser.press("correct horse" + Keyboard.ENTER);

        // then
        browser.awaitText("h1", "Flows");

        // when
        browser.press("gr");
        browser.awaitText(".table", "Failed");
        tabsTo(".run-name a");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".run-facts", "Failed");
        tabsTo("[data-retry]");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".menu", "From the failed step");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText(".toasts", "Retrying 1 run");

        // when
        browser.pressWith(Keyboard.CONTROL, "k");
        browser.awaitText(".palette", "Recent");
        browser.press("sign out");
        browser.awaitText(".palette [data-active=true]", "Sign out");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText("h1", "Sign in");
    }
}
