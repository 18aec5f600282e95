package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user creates, publishes and calls a flow in the editor: by mouse, and by keyboard alone. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class BuilderBrowserIT {
    private static final String MAPPING = "{\"total\": \"{{trigger['output']['body']['amount']}}\"}";
    private static final String TOTAL = "{{step_1['output']['total']}}";
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static String projectId;

    @BeforeAll
    static void start() {
        browser.open(url + "/sign-up");
        projectId = ask("POST", "/v1/authentication/sign-up", """
                {"email": "ada@acme.example", "password": "Correct-horse-9", "firstName": "Ada", "lastName": "Lovelace",
                 "trackEvents": false, "newsLetter": false}
                """, "projectId");
    }

    @Test
    void aFlowIsMadeByMouse_publishedAndAnswers() throws Exception {
        // Given
        var flow = opensNewFlow("Orders by mouse");

        // When
        browser.click("[data-step=trigger]");
        chooses("webhook", WEBHOOK, "catch_webhook");
        browser.click(".plus.last");
        chooses("mapper", "@activepieces/piece-data-mapper", "advanced_mapping");
        browser.click("[data-code=Mapping]");
        writes(MAPPING);
        browser.click("[data-place='step_1/AFTER']");
        browser.type(".picker input", "router");
        browser.click("[data-entry=router]");
        browser.type("[data-branch='0'] [data-field=Value]", TOTAL);
        browser.choose("[data-field=Comparison]", "is greater than");
        browser.type("[data-branch='0'] [data-field='Compared with']", "100");
        answers(0, "large");
        answers(1, "small");
        browser.inspect("builder");
        browser.click("[data-publish]");
        browser.awaitText(".builder-head", "Turn off");

        // Then
        assertThat(calls(flow, 250)).isEqualTo("{\"size\":\"large\"}");
        assertThat(calls(flow, 5)).isEqualTo("{\"size\":\"small\"}");
    }

    @Test
    void aStepIsDraggedAsItsCard() {
        // Given
        opensNewFlow("Dragged");
        browser.click("[data-step=trigger]");
        chooses("webhook", WEBHOOK, "catch_webhook");
        browser.click(".plus.last");
        chooses("mapper", "@activepieces/piece-data-mapper", "advanced_mapping");
        Waiting.until(
                "the step is shown",
                () -> browser.run("return document.querySelector('[data-step=step_1]') !== null")
                        .asBoolean());

        // When
        var image = browser.run("""
            const card = document.querySelector('[data-step=step_1]');
            const box = card.getBoundingClientRect();
            const data = new DataTransfer();
            let image = 'none';
            data.setDragImage = (element, x, y) => image = [element.dataset.step, Math.round(x), Math.round(y)].join(' ');
            card.querySelector('.piece-logo').dispatchEvent(new DragEvent('dragstart', {
              dataTransfer: data, bubbles: true, clientX: box.left + 12, clientY: box.top + 7 }));
            return image;
            """);

        // Then
        assertThat(image.asText()).isEqualTo("step_1 12 7");
    }

    @Test
    void aFlowIsMadeByKeyboardAlone_publishedAndAnswers() throws Exception {
        // Given
        var flow = opensNewFlow("Orders by keyboard");

        // When
        tabsTo("[data-step=trigger]");
        browser.press(Keyboard.ENTER);
        finds("webhook", WEBHOOK);
        finds("", "catch_webhook");
        awaitPanel("Catch Webhook");
        browser.press(Keyboard.ESCAPE);
        tabsTo("[data-step=trigger]");
        browser.press("/");
        finds("advanced mapping", "@activepieces/piece-data-mapper/advanced_mapping");
        awaitPanel("Advanced Mapping");
        tabsTo("[data-code=Mapping] > div");
        writes(MAPPING);
        browser.press(Keyboard.ESCAPE);
        tabsTo("[data-step=step_1]");
        browser.press("/");
        finds("router", "router");
        awaitPanel("Router");
        tabsTo("[data-branch='0'] [data-field=Value]");
        browser.press(TOTAL);
        tabsTo("[data-branch='0'] [data-field=Comparison]");
        browser.press("is greater" + Keyboard.ENTER);
        tabsTo("[data-branch='0'] [data-field='Compared with']");
        browser.press("100");
        answersByKeys(0, "large");
        answersByKeys(1, "small");
        browser.pressWith(Keyboard.CONTROL + Keyboard.SHIFT, "p");
        browser.awaitText(".builder-head", "Turn off");

        // Then
        assertThat(calls(flow, 250)).isEqualTo("{\"size\":\"large\"}");
        assertThat(calls(flow, 5)).isEqualTo("{\"size\":\"small\"}");
    }

    @Test
    void whatIsDoneIsTakenBack_andSurvivesAReload() {
        // Given
        opensNewFlow("Taken back");
        browser.click(".plus.last");
        browser.type(".picker input", "loop");
        browser.click("[data-entry=loop]");
        awaitPanel("Loop on items");
        browser.click("[data-step=step_1]");
        browser.press(Keyboard.ESCAPE);

        // When
        tabsTo("[data-step=step_1]");
        browser.press("\uE017");
        Waiting.until("the step is gone", () -> !isThere("[data-step=step_1]"));
        browser.pressWith(Keyboard.CONTROL, "z");

        // Then
        Waiting.until("the step is back", () -> isThere("[data-step=step_1]"));
        Waiting.until("all is saved", () -> isThere("[data-saving=saved]"));
        browser.open(browser.address());
        Waiting.until("the step is still there", () -> isThere("[data-step=step_1]"));
    }

    @Test
    void warningsAreShownOnTheStepAndAfterPublishing_andBlockNothing() {
        // Given
        var flow = opensNewFlow("With warnings");
        ask("POST", "/v1/flows/" + flow, """
                {"type": "UPDATE_TRIGGER", "request": {"name": "trigger", "displayName": "Hook", "type": "PIECE_TRIGGER",
                 "valid": true, "settings": {"pieceName": "@activepieces/piece-webhook", "pieceVersion": "0.1.29",
                 "triggerName": "catch_webhook", "input": {"authType": "none", "authFields": {}}, "propertySettings": {}}}}""", "id");
        ask("POST", "/v1/flows/" + flow, """
                {"type": "ADD_ACTION", "request": {"parentStep": "trigger", "action": {"name": "step_1", "displayName": "Code",
                 "type": "CODE", "valid": true, "settings": {"sourceCode": {"code": "export const code = async (i) => i;",
                 "packageJson": "{}"}, "input": {"v": "{{step_9['output']}}"}}}}}""", "id");
        browser.open(browser.address());

        // When
        browser.click("[data-step=step_1]");
        browser.awaitText("[data-step-warnings]", "the step step_9 does not exist");
        browser.press(Keyboard.ESCAPE);
        browser.click("[data-publish]");
        browser.awaitText("dialog footer", "Publish anyway");
        browser.click("dialog footer .primary");

        // Then
        browser.awaitText("dialog [data-listed=trigger]", "no step responds to the caller");
        browser.awaitText("dialog [data-listed=step_1]", "the step step_9 does not exist");
        assertThat(ask("GET", "/v1/flows/" + flow, null, "status")).isEqualTo("ENABLED");
        browser.click("dialog [data-listed=step_1]");
        browser.awaitText("[data-step-warnings]", "the step step_9 does not exist");
    }

    private static String opensNewFlow(String name) {
        var flow = ask("POST", "/v1/flows", """
                {"displayName": "%s", "projectId": "%s"}""".formatted(name, projectId), "id");
        browser.open(url + "/projects/" + projectId + "/flows/" + flow);
        Waiting.until("the canvas is drawn", () -> isThere("[data-step=trigger]"));
        return flow;
    }

    private static void chooses(String words, String piece, String operation) {
        browser.type(".picker input", words);
        browser.click("[data-entry='" + piece + "']");
        browser.click("[data-entry='" + operation + "']");
        Waiting.until("the picker is closed", () -> !isThere(".picker"));
    }

    /** Types into the picker and moves down to an entry. */
    private static void finds(String words, String entry) {
        Waiting.until("the picker listens", () -> isThere(".picker input:focus"));
        browser.press(words);
        Waiting.until(entry + " is offered", () -> isThere("[data-entry='" + entry + "']"));
        Waiting.until(entry + " is reached", () -> {
            var reached = isThere("[data-entry='" + entry + "'][data-active=true]");
            if (!reached) {
                browser.press(Keyboard.DOWN);
            }
            return reached;
        });
        browser.press(Keyboard.ENTER);
        Waiting.until("the choice is accepted", () -> !isThere("[data-entry='" + entry + "']"));
    }

    private static void answers(int branch, String size) {
        browser.click("[data-place='step_2/INSIDE_BRANCH/" + branch + "']");
        chooses("webhook", WEBHOOK, "return_response");
        awaitPanel("Return Response");
        browser.click(".step-panel .code-editor");
        writes("{\"size\": \"" + size + "\"}");
    }

    private static void answersByKeys(int branch, String size) {
        tabsTo("[data-place='step_2/INSIDE_BRANCH/" + branch + "']");
        browser.press(Keyboard.ENTER);
        finds("webhook", WEBHOOK);
        finds("", "return_response");
        awaitPanel("Return Response");
        tabsTo(".step-panel .code-editor > div");
        writes("{\"size\": \"" + size + "\"}");
    }

    /** Replaces the content of a code field. */
    private static void writes(String text) {
        Waiting.until(
                "the code field listens",
                () -> browser.run("return document.activeElement?.shadowRoot?.activeElement != null")
                        .asBoolean());
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press(text);
    }

    private static void awaitPanel(String name) {
        Waiting.until(
                "the settings of " + name + " are open",
                () -> browser.run("return document.querySelector('.panel-name input')?.value === arguments[0]", name)
                        .asBoolean());
    }

    private static void tabsTo(String selector) {
        Waiting.until(selector + " has the focus", () -> {
            var there = browser.run("return document.activeElement.matches(arguments[0])", selector)
                    .asBoolean();
            if (!there) {
                browser.press(Keyboard.TAB);
            }
            return there;
        });
    }

    private static boolean isThere(String selector) {
        return browser.run("return document.querySelector(arguments[0]) !== null", selector)
                .asBoolean();
    }

    /** Sends a request from the page, with its session. */
    private static String ask(String method, String path, String body, String field) {
        browser.run("""
                window.asked = undefined;
                fetch('/api' + arguments[1], { method: arguments[0], body: arguments[2], credentials: 'same-origin',
                  headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' } })
                  .then((answer) => answer.json()).then((json) => { window.asked = json; });
                """, method, path, body);
        Waiting.until(
                path + " is answered",
                () -> browser.run("return window.asked !== undefined").asBoolean());
        return browser.run("return window.asked[arguments[0]]", field).asText();
    }

    private static String calls(String flow, int amount) throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(url + "/api/v1/webhooks/" + flow + "/sync"))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString("{\"amount\": " + amount + "}"))
                    .build();
            return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
