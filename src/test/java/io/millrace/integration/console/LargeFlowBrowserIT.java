package io.millrace.integration.console;

import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Console with large data (a flow of 200 steps, a run of 1,000 iterations) and with no data, as for a new user. Reports
 * the times; asserts only that no more is rendered than is visible.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class LargeFlowBrowserIT {
    private static final int STEPS = 200;
    private static final int DRAWN_MAX = 40;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.startWithMotion();

    private static String url = "http://localhost:" + server.port();

    @Test
    void aNewcomerGetsAnAnswer_andLargeThingsAreDrawnInParts() {
        var ada = comesIn();
        opensALargeFlow(ada);
        opensALongRun(ada);
    }

    /** From an empty project to a published flow that has responded. */
    private static SignedIn comesIn() {
        var start = System.nanoTime();
        browser.open(url + "/");
        browser.awaitText("h1", "Create your account");
        tell(
                "first load",
                "return Math.round(performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd)"
                        + " + ' ms to the page, ' + Math.round(performance.now()) + ' ms when it was looked at, '"
                        + " + Math.round(performance.getEntriesByType('resource').filter((each) => each.name.includes('/assets/'))"
                        + ".reduce((sum, each) => sum + each.encodedBodySize, 0) / 1000) + ' kB of files'");
        browser.type("[name=firstName]", "Ada");
        browser.type("[name=lastName]", "Miller");
        browser.type("[name=email]", "ada@acme-tools.example");
        browser.type("[name=password]", "correct horse");
        browser.click("[type=submit]");
        browser.type("[name=displayName]", "Shop");
        browser.click("[type=submit]");
        browser.click(".starter");
        browser.awaitText("h1", "is live");
        browser.click(".gate .primary");
        browser.awaitText("[data-response]", "Ada");
        System.out.println("newcomer: 4 clicks and 5 fields, " + sinceMs(start) + " ms");
        var session = server.anonymous()
                .post(
                        "/v1/authentication/sign-in",
                        Json.object().put("email", "ada@acme-tools.example").put("password", "correct horse"));
        return new SignedIn(
                server.anonymous().with(session.text("/token")),
                session.text("/id"),
                session.text("/platformId"),
                session.text("/projectId"));
    }

    private static void opensALargeFlow(SignedIn ada) {
        // given
        var script = webhook();
        for (var step = 1; step <= STEPS; step++) {
            script.map("step_" + step, "{'n':" + step + "}");
        }
        var flow = LiveFlow.draft(ada, script);

        // when
        var start = System.nanoTime();
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id());
        browser.awaitText("[data-step=step_3]", "step_3");
        System.out.println("a flow of " + STEPS + " steps: open after " + sinceMs(start) + " ms");

        // then
        assertThat(drawn()).isBetween(3, DRAWN_MAX);

        // when scrolled from one end to the other, once per frame
        browser.run("""
                const canvas = document.querySelector('.canvas');
                const began = performance.now();
                let frames = 0;
                let longest = 0;
                let last = began;
                const frame = (now) => {
                  frames += 1;
                  longest = Math.max(longest, now - last);
                  last = now;
                  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: 110, bubbles: true, cancelable: true }));
                  if (frames < 210) {
                    requestAnimationFrame(frame);
                  } else {
                    window.scrolled = Math.round(1000 * frames / (now - began)) + ' frames/s, longest ' + Math.round(longest) + ' ms';
                  }
                };
                requestAnimationFrame(frame);
                """);
        until("it is scrolled", () -> browser.run("return !!window.scrolled").asBoolean());
        tell("a flow of " + STEPS + " steps, scrolled", "return window.scrolled");

        // then
        until(
                "the last step is drawn",
                () -> browser.run("return !!document.querySelector('[data-step=step_" + STEPS + "]')")
                        .asBoolean());
        assertThat(drawn()).isBetween(3, DRAWN_MAX);
    }

    private static int drawn() {
        return browser.run("return document.querySelectorAll('.step-card').length")
                .asInt();
    }

    private static void opensALongRun(SignedIn ada) {
        // given
        var flow = LiveFlow.publish(
                ada,
                webhook()
                        .code("step_1", "export const code = async () => Array.from({length: 1000}, (_, n) => n);")
                        .loop(
                                "step_2",
                                "{{step_1.output}}",
                                steps().map("step_3", "{'twice':'{{step_2.output.item}}'}")));
        var run = flow.run(Json.object());

        // when
        var start = System.nanoTime();
        browser.open(
                url + "/projects/" + ada.projectId() + "/runs/" + run.path("id").asText());
        browser.awaitText(".timeline", "1000");

        // then
        System.out.println("a run of 1000 iterations: open after " + sinceMs(start) + " ms");
        assertThat(browser.run("return document.querySelectorAll('.timeline-line').length")
                        .asInt())
                .isLessThan(20);
    }

    private static void until(String expectation, BooleanSupplier condition) {
        Waiting.until(expectation, condition);
    }

    private static long sinceMs(long start) {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static void tell(String about, String script) {
        System.out.println(about + ": " + browser.run(script).asText());
    }
}
