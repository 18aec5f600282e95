package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages for users without an account: forms, chats and approvals. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class GuestBrowserIT {
    private static final String FORMS = "@activepieces/piece-forms";
    private static final String APPROVAL = "@activepieces/piece-approval";

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "20"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn owner = server.signUp("ada@acme.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @TempDir
    private Path folder;

    private static FlowScript trigger(String name, String input) {
        return FlowScript.trigger(FORMS, "0.5.0", name, input);
    }

    private static FlowScript form(boolean waits) {
        return trigger("form_submission", """
                {'waitForResponse':%s,'inputs':[
                 {'displayName':'Your name','type':'text','required':true,'description':'First and last'},
                 {'displayName':'What happened','type':'text_area','required':false},
                 {'displayName':'Tell me more','type':'toggle','required':true,'description':'By mail, once a month'},
                 {'displayName':'Receipt','type':'file','required':true}]}
                """.formatted(waits));
    }

    private static JsonNode json(String text) {
        try {
            return Json.parse(text.replace('\'', '"'));
        } catch (IOException malformed) {
            throw new UncheckedIOException(malformed);
        }
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    @Test
    void fillsInEveryKindOfField_andSeesTheAnswer() throws IOException {
        // given
        var flow = LiveFlow.publish(
                owner,
                form(true)
                        .piece(
                                "step_1",
                                "@activepieces/piece-file-helper",
                                "0.2.0",
                                "read_file",
                                json("{'file':'{{trigger.output.receipt}}','readOptions':'text'}"))
                        .piece(
                                "step_2",
                                FORMS,
                                "0.5.0",
                                "return_response",
                                Json.object()
                                        .put(
                                                "markdown",
                                                "## Thanks, {{trigger.output.yourName}}\n- more: **{{trigger.output.tellMeMore}}**\n"
                                                        + "- file: `{{step_1.output.text}}`\n\n<script>document.title='x'</script>"
                                                        + " [bad](javascript:alert(1)) [good](https://example.com)")
                                        .put("file", "data:text/plain;base64,aGk=")));
        browser.open(url + "/forms/" + flow.id() + "?YOURNAME=Bo%20Li&tellMeMore=true");

        // when a required file is missing
        browser.awaitText("main", "Your name");
        browser.inspect("guest-form");
        browser.click("[type=submit]");

        // then the error is at the field, nothing was sent, and the values of the query are in the fields
        browser.awaitText(".problem", "Choose a file");
        Waiting.until(
                "the field has the focus",
                () -> browser.run("return document.activeElement.name === 'receipt'")
                        .asBoolean());
        assertThat(browser.run("return document.querySelector('[name=yourName]').value")
                        .asText())
                .isEqualTo("Bo Li");
        assertThat(flow.runs()).isEmpty();
        browser.inspect("guest-form-problem");

        // when
        browser.type("[name=whatHappened]", "A wheel\ncame off");
        browser.type("[name=receipt]", file("receipt.txt", "paid 42").toString());
        browser.awaitText("main", "receipt.txt");
        browser.inspect("guest-form-filled");
        browser.click("[type=submit]");

        // then
        browser.awaitText(".answer", "Thanks, Bo Li");
        browser.awaitText(".answer", "paid 42");
        Waiting.until(
                "what was sent is read out",
                () -> browser.run("return document.activeElement.tagName === 'H1'")
                        .asBoolean());
        assertThat(browser.run("return [...document.querySelectorAll('.answer a')].map(a => a.href).join(' ')")
                        .asText())
                .startsWith("https://example.com/ http")
                .doesNotContain("javascript");
        assertThat(browser.run("return document.querySelectorAll('.answer script').length")
                        .asInt())
                .isZero();
        assertThat(browser.run("return document.cookie").asText()).isEmpty();
        browser.inspect("guest-form-answer");
        var sent = flow.ended(1).at("/steps/trigger/output");
        assertThat(sent.path("whatHappened").asText()).contains("came off");
        assertThat(sent.path("tellMeMore").asBoolean()).isTrue();
    }

    @Test
    void thanks_whereNoAnswerIsAwaited_andKeepsWhatWasTypedWhenItFails() throws IOException {
        // given
        var flow = LiveFlow.publish(owner, form(false).map("step_1", "{'a':'b'}"));
        browser.open(url + "/forms/" + flow.id());
        browser.type("[name=yourName]", "Bo");
        browser.type("[name=receipt]", file("r.txt", "paid").toString());
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));

        // when
        Waiting.until("a form that is switched off refuses", () -> {
            browser.click("[type=submit]");
            return browser.run("return document.querySelector('main').innerText")
                    .asText()
                    .contains("Not accepting answers");
        });

        // then
        browser.inspect("guest-form-refused");
        assertThat(browser.run("return document.querySelector('[name=yourName]').value")
                        .asText())
                .isEqualTo("Bo");

        // when
        flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'ENABLED'}}"));
        Waiting.until("an enabled form accepts", () -> {
            browser.run("document.querySelector('[type=submit]')?.click()");
            return browser.run("return document.querySelector('main').innerText")
                    .asText()
                    .contains("Thank you");
        });

        // then
        browser.inspect("guest-form-thanks");
        assertThat(flow.ended(1).at("/steps/trigger/output/yourName").asText()).isEqualTo("Bo");
    }

    @Test
    void reportsMissingPages() {
        // given
        var draft = LiveFlow.draft(owner, form(true));
        var chat = LiveFlow.publish(
                owner, trigger("chat_submission", "{'botName':'Miller'}").map("step_1", "{}"));

        // when, then
        browser.open(url + "/forms/" + Ids.next());
        browser.awaitText("main", "Form not found");
        browser.inspect("guest-not-found");
        browser.open(url + "/forms/not-an-id");
        browser.awaitText("main", "Form not found");
        browser.open(url + "/forms/" + draft.id());
        browser.awaitText("main", "not published yet");
        browser.inspect("guest-not-published");
        browser.open(url + "/forms/" + draft.id() + "?useDraft=true");
        browser.awaitText(".notice", "Draft");
        browser.inspect("guest-form-draft");
        browser.open(url + "/forms/" + chat.id());
        browser.click("main a");
        browser.awaitText("main", "Write the first message");
        browser.inspect("guest-chat-empty");
    }

    @Test
    void chats_withAFile_andFindsWhatWasSaidAfterALoad() throws IOException {
        // given
        var flow = LiveFlow.publish(
                owner,
                trigger("chat_submission", "{'botName':'Miller'}")
                        .code(
                                "step_1",
                                "export const code = async ({ said }) => { if (said.message === 'fail') throw new Error('no');"
                                        + " return { files: said.files.length, text: said.message, session: said.sessionId }; }",
                                "{'said':'{{trigger.output}}'}")
                        .piece(
                                "step_2",
                                FORMS,
                                "0.5.0",
                                "return_response",
                                Json.object()
                                        .put(
                                                "markdown",
                                                "You said **{{step_1.output.text}}** with {{step_1.output.files}} file(s)."
                                                        + "\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode here\n```")
                                        .put(
                                                "file",
                                                "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42"
                                                        + "mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")));
        browser.open(url + "/chats/" + flow.id());

        // when
        browser.type(".composer textarea", "Hello <b>there</b>");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText(".message.bot", "Hello <b>there</b> with 0 file(s).");

        // when
        browser.type(".composer [type=file]", file("list.txt", "1").toString());
        browser.awaitText(".attachments", "list.txt");
        browser.type(".composer textarea", "Look at this");
        browser.click(".composer [type=submit]");

        // then
        browser.awaitText(".message.bot:last-of-type", "Look at this with 1 file(s).");
        browser.inspect("guest-chat");
        var before = flow.ended(2).at("/steps/step_1/output/session").asText();

        // when
        browser.type(".composer textarea", "fail");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText(".message .failed", "processing it failed");
        browser.inspect("guest-chat-failed");

        // when
        browser.open(url + "/chats/" + flow.id());
        browser.awaitText(".log", "Look at this with 1 file(s).");
        browser.click(".message .failed button");
        flow.ended(4);
        browser.awaitText(".message .failed", "processing it failed");
        browser.type(".composer textarea", "Again");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText(".log", "Again with 0 file(s).");
        assertThat(flow.ended(5).at("/steps/step_1/output/session").asText()).isEqualTo(before);
        assertThat(flow.runs()).as("every message was sent once").hasSize(5);
        assertThat(browser.run("return document.cookie").asText()).isEmpty();

        // when
        browser.click(".chat-head button");

        // then
        browser.awaitText(".log", "Write the first message");
    }

    /** Chromium repeats a request whose reused connection answers 408. */
    @Test
    void sendsAMessageOnce_whenTheFlowTakesLongerThanACallerWaits() {
        try (var hasty = TestServer.startInRealTime(Map.of("AP_WEBHOOK_TIMEOUT_SECONDS", "1"))) {
            // given a flow that never answers
            var flow = LiveFlow.publish(
                    hasty.signUp("ada@acme.example", "Ada"),
                    trigger("chat_submission", "{'botName':'Miller'}").map("step_1", "{'a':'b'}"));
            browser.open("http://localhost:" + hasty.port() + "/chats/" + flow.id());

            // when
            browser.type(".composer textarea", "Hello");
            browser.press(Keyboard.ENTER);

            // then
            browser.awaitText(".message .failed", "No response in time");
            flow.ended(1);
            assertThat(flow.runs()).hasSize(1);

            // when the user sends it again
            browser.click(".message .failed button");

            // then that is another message
            flow.ended(2);
        }
    }

    @Test
    void decides_onlyByAButton() {
        // given
        var flow = LiveFlow.publish(
                owner,
                webhook()
                        .piece("step_1", APPROVAL, "0.1.13", "create_approval_links", Json.object())
                        .piece("step_2", APPROVAL, "0.1.13", "wait_for_approval", Json.object()));
        flow.call(Json.object());
        Waiting.until(
                "the run waits",
                () -> flow.runs().size() == 1
                        && flow.runs().getFirst().path("status").asText().equals("PAUSED"));
        var paused = flow.run(flow.runs().getFirst().path("id").asText());
        var link = URI.create(paused.at("/steps/step_1/output/approvalLink").asText());
        var address = url + link.getRawPath() + "?" + link.getRawQuery();

        // when
        browser.open(address);

        // then
        browser.awaitText("main", "Nothing is decided");
        browser.inspect("guest-approval");
        assertThat(flow.runs().getFirst().path("status").asText()).isEqualTo("PAUSED");
        assertThat(browser.run(
                                "const i = document.querySelector('header img'); return i.complete && i.naturalWidth > 0")
                        .asBoolean())
                .as("the logo is shown")
                .isTrue();

        // when
        browser.click("main button");

        // then
        browser.awaitText("main", "has been recorded");
        browser.inspect("guest-approval-done");
        assertThat(flow.ended(1).at("/steps/step_2/output/approved").asBoolean())
                .isTrue();
    }

    @Test
    void sendsTheFormOfTheFirstStart() {
        try (var fresh = TestServer.startInRealTime(Map.of())) {
            // given
            var home = "http://localhost:" + fresh.port();
            browser.open(home + "/");
            browser.type("[name=firstName]", "Ada");
            browser.type("[name=lastName]", "Lovelace");
            browser.type("[name=email]", "ada@acme.example");
            browser.type("[name=password]", "Correct-horse-9");
            browser.click("[type=submit]");
            browser.type("[name=displayName]", "Acme");
            browser.click("[type=submit]");

            // when
            browser.click(".starters > :nth-child(3)");
            browser.awaitText(".address", "/forms/");
            var shown = URI.create(browser.run("return document.querySelector('.actions a.primary').href")
                    .asText());
            browser.forget();
            browser.open(home + shown.getRawPath());
            browser.type("[name=name]", "Bo");
            browser.type("[name=message]", "All went well");
            browser.click("[type=submit]");

            // then
            browser.awaitText("main", "Thank you");
            Waiting.until(
                    "the answers are in the table",
                    () -> fresh.count("select count(*) from table_cell where value = 'All went well'") > 0);
        }
    }
}
