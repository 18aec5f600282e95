package io.millrace.integration.console;

import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.support.Browser;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody without an account fills in a form, and writes in a chat. */
class GuestPagesBrowserIT {
    private static final String PIECE = "@activepieces/piece-forms";
    private static final String VERSION = "0.5.0";
    private static final String INPUTS =
            """
            'inputs':[{'displayName':'First Name','type':'text','required':true,'description':'As your friends call you'},
             {'displayName':'About You','type':'text_area','required':false},
             {'displayName':'News','type':'toggle','required':false,'description':'Once a month'},
             {'displayName':'Your CV','type':'file','required':true}]""";

    @TempDir
    private static Path directory;

    private static TestServer server;
    private static Browser browser;
    private static SignedIn ada;
    private static String url;

    @BeforeAll
    static void start() {
        assumeTrue(Browser.isHere(), "there is no chromedriver, or no Chromium");
        server = TestServer.startInRealTime(Map.of());
        ada = server.signUp("ada@acme-tools.example", "Ada");
        url = "http://localhost:" + server.port();
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            browser.close();
            server.close();
        }
    }

    private static FlowScript answering(FlowScript flow, String markdown) {
        return flow.piece("step_1", PIECE, VERSION, "return_response", Json.object().put("markdown", markdown));
    }

    private static FlowScript form(boolean waits) {
        return trigger(PIECE, VERSION, "form_submission", "{'waitForResponse':" + waits + "," + INPUTS + "}");
    }

    @Test
    void fillsInAForm_andReadsTheAnswer() throws IOException {
        // Given
        var flow = LiveFlow.publish(
                ada,
                answering(form(true), "**Hello {{trigger.output.firstName}}**, news: {{trigger.output.news}}\n\n- {{trigger.output.aboutYou}}"));
        var cv = Files.writeString(directory.resolve("cv.txt"), "grinds flour");

        // When: nothing is filled in but what the address gives
        browser.open(url + "/forms/" + flow.id() + "?aboutYou=a%20miller");
        browser.awaitText("label", "First Name");
        browser.shoot("guest-form");
        browser.click("[type=submit]");

        // Then: what is missing is said at its field, which has the focus
        browser.awaitText(".problem", "Fill this in.");
        assertThat(browser.run("return document.activeElement.name").asText()).isEqualTo("firstName");
        browser.shoot("guest-form-missing");

        // When
        browser.type("[name=firstName]", "Ada");
        browser.click("[name=news]");
        browser.type("[name=yourCv]", cv.toString());
        browser.click("[type=submit]");

        // Then
        browser.awaitText(".guest-sent", "Hello Ada, news: true");
        assertThat(browser.run("return document.querySelector('.item-line').innerText")
                        .asText())
                .contains("a miller");
        browser.shoot("guest-form-answer");
        assertThatThrownBy(() -> browser.cookie("millrace_session")).hasMessageContaining("no such cookie");
        var run = flow.ended(1);
        assertThat(run.path("steps").path("trigger").path("output").path("yourCv").asText())
                .as(run.toString())
                .startsWith("http");
    }

    @Test
    void isThanked_whereNobodyAnswers() throws IOException {
        var flow = LiveFlow.publish(ada, answering(form(false), "unseen"));

        browser.open(url + "/forms/" + flow.id() + "?firstName=Ada");
        browser.awaitText("label", "First Name");
        browser.type("[name=yourCv]", Files.writeString(directory.resolve("b.txt"), "b").toString());
        browser.click("[type=submit]");

        browser.awaitText(".guest-sent", "Thank you");
    }

    @Test
    void chats_withAFile_andMayTryAgain() throws IOException {
        // Given
        var flow = LiveFlow.publish(
                ada,
                answering(
                        trigger(PIECE, VERSION, "chat_submission", "{'botName':'Miller'}"),
                        "You said **{{trigger.output.message}}** with {{trigger.output.files.length}} files"));
        var sack = Files.writeString(directory.resolve("sack.txt"), "rye");

        // When
        browser.open(url + "/chats/" + flow.id());
        browser.awaitText(".guest-begin", "Write to Miller.");
        browser.shoot("guest-chat-empty");
        browser.type("[name=message]", "Good morning");
        browser.press("\uE007");

        // Then
        browser.awaitText(".guest-talk", "You said Good morning with 0 files");

        // When
        browser.type("[name=files]", sack.toString());
        browser.awaitText(".guest-composer .attached", "sack.txt");
        browser.type("[name=message]", "Take this");
        browser.click("[type=submit]");

        // Then
        browser.awaitText(".guest-talk", "You said Take this with 1 files");
        browser.shoot("guest-chat");

        // When the tab is loaded again, and the flow is gone
        assertThat(flow.operate(Json.object()
                                .put("type", "CHANGE_STATUS")
                                .set("request", Json.object().put("status", "DISABLED")))
                        .status())
                .isEqualTo(200);
        browser.open(url + "/chats/" + flow.id());
        browser.awaitText(".guest-talk", "Good morning");
        browser.type("[name=message]", "Still there?");
        browser.click("[type=submit]");

        // Then what failed is said, and nothing of the conversation is lost
        browser.awaitText(".said.failed", "Try again");
        browser.shoot("guest-chat-failed");
        var sessions = flow.runs().stream()
                .map(run -> run.path("id").asText())
                .map(id -> ada.api().get("/v1/flow-runs/" + id).body())
                .map(run -> run.path("steps").path("trigger").path("output").path("sessionId").asText())
                .distinct()
                .toList();
        assertThat(sessions).hasSize(1);
        assertThat(sessions.getFirst()).isNotEmpty();
    }

    @Test
    void saysThatNothingIsThere() {
        browser.open(url + "/forms/abcdefghijklmnopqrstu");
        browser.awaitText("h1", "Nothing here");
        browser.shoot("guest-gone");
        assertThat(browser.run("return document.querySelectorAll('nav').length").asInt())
                .isZero();
    }

    @Test
    void loadsNoMoreThanItNeeds() {
        browser.open(url + "/forms/abcdefghijklmnopqrstu");
        browser.awaitText("h1", "Nothing here");
        var bytes = browser.run("return performance.getEntriesByType('resource')"
                + ".filter(e => e.name.includes('/assets/')).reduce((sum, e) => sum + e.encodedBodySize, 0)");

        Waiting.until("the page has loaded", () -> bytes.asInt() > 0);
        assertThat(bytes.asInt()).isLessThan(64 * 1024);
    }
}
