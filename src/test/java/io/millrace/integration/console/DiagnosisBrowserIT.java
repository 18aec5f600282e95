package io.millrace.integration.console;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.steps;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Head of a failed run: cause, first difference in the data, changes with links, similar failures and actions. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class DiagnosisBrowserIT {
    private static final String PART = ".diagnosis";

    @Test
    void showsTheDiagnosisOfAFailedRun() {
        try (var server = TestServer.startInRealTime(Map.of());
                var browser = Browser.start()) {
            // Given
            var ada = server.signUp("ada@acme-tools.example", "Ada");
            var url = "http://localhost:" + server.port();
            browser.signIn(url, ada.api());
            browser.awaitText("nav", "Runs");
            var flow = LiveFlow.publish(ada, webhook().loop("step_1", "{{trigger.output.body.items}}", steps()));
            var good = flow.run(json("{'customer':'Ada','items':[1]}"));
            flow.change(webhook()
                    .loop("step_1", "{{trigger.output.body.items}}", steps())
                    .map("step_2", "{}"));
            flow.publish();
            flow.run(json("{'customer':null,'items':7}"));
            var bad = flow.run(json("{'customer':null,'items':8}"));

            // When
            browser.open(url + "/projects/" + ada.projectId() + "/runs/"
                    + bad.path("id").asText());

            // Then
            browser.awaitText(PART, "Data or code of the flow");
            browser.awaitText(PART, "The items of the loop are not a list.");
            browser.awaitText(PART, "body.customer was text, is null.");
            browser.awaitText(PART, "The flow has another version.");
            browser.awaitText(PART, "2 failures with this cause on 1 day.");
            browser.awaitText(PART, "Retry from the failed step");
            browser.inspect("diagnosis");

            browser.click(PART + " .diagnosis-claims a");
            browser.awaitText("main", good.path("id").asText());
            assertThat(browser.address()).endsWith("/runs/" + good.path("id").asText());
        }
    }
}
