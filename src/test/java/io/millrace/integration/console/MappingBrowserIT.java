package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.FlowScript.Branch;
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

/** Mapping of data between steps and tests of single steps: completion, formulas, JSON, previews, broken references. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class MappingBrowserIT {
    private static final String TOTAL =
            "export const code = async () => { console.log('summing'); return { total: 42, large: true, lines: [7, 8] }; };";

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

    /** Opens a flow at a step. The code step has the display name "Work out the total". */
    private static LiveFlow opens(FlowScript script, String step) {
        var flow = LiveFlow.draft(ada, script);
        var rename = Json.object().put("type", "UPDATE_ACTION");
        var code = (ObjectNode) script.tree().path("nextAction").deepCopy();
        code.remove("nextAction");
        code.remove("lastUpdatedDate");
        rename.set("request", code.put("displayName", "Work out the total"));
        flow.operate(rename);
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + "?step=" + step);
        browser.awaitText(".step-panel", "Settings");
        return flow;
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static boolean isShown(String selector) {
        return browser.run("return document.querySelector(arguments[0]) !== null", selector)
                .asBoolean();
    }

    private static void saved() {
        Waiting.until("all is saved", () -> isShown("[data-saving=saved]"));
    }

    /** Tests the open step with one click, and waits for its success. */
    private static void testsWithOneClick() {
        browser.click("[data-test-step]");
        browser.awaitText(".step-panel", "Succeeded in");
    }

    private static JsonNode settings(LiveFlow flow, String path) {
        saved();
        return ada.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger" + path + "/settings");
    }

    @Test
    void theFirstCompletionIsVisible_marked_andInserted() {
        // Given
        var flow = opens(
                webhook()
                        .code("step_1", TOTAL)
                        .firstMatch(
                                "step_2",
                                Branch.whenEqual("Large", "", "yes", FlowScript.steps()),
                                Branch.otherwise(FlowScript.steps())),
                "step_1");
        testsWithOneClick();
        browser.click("[data-step=step_2]");
        browser.click("[data-branch='0'] [data-field=Value]");

        // When
        for (var letter : "{{tot".split("")) {
            browser.press(letter);
        }

        // Then
        browser.awaitText(".offers li:first-child", "Work out the total");
        Waiting.until(
                "the first completion is marked",
                () -> is("document.querySelector('.offers li')?.getAttribute('aria-selected') === 'true'"
                        + " && document.querySelector('.offers li').id.endsWith('-0')"));
        browser.inspect("mapping-completion");
        var first = browser.run("return document.querySelector('.offers li .spread').innerText")
                .asText();
        browser.press(Keyboard.ENTER);
        browser.awaitText("[data-branch='0'] [data-field=Value] .chip", first);

        // When: completion by key, without braces
        browser.click("[data-branch='0'] [data-field='Compared with']");
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press("lar");
        browser.pressWith(Keyboard.CONTROL, " ");
        browser.awaitText(".offers li:first-child", "Work out the total › large");
        browser.press(Keyboard.ENTER);

        // Then
        browser.awaitText("[data-branch='0'] [data-field='Compared with'] .chip", "Work out the total › large");
        browser.awaitText("[data-preview=value]", "42");

        // When
        testsWithOneClick();

        // Then
        browser.awaitText("[data-branches-taken]", "Otherwise");
        browser.inspect("mapping-router-tested");
        var condition = settings(flow, "/nextAction/nextAction").at("/branches/0/conditions/0/0");
        assertThat(condition.path("secondValue").asText()).isEqualTo("{{step_1['output']['large']}}");
    }

    @Test
    void aFormulaIsInsertedWhole_edited_andRefusedWhileItIsBroken() {
        // Given
        var flow = opens(webhook().code("step_1", TOTAL).code("step_2", TOTAL, "{'at':''}"), "step_2");
        browser.click("[data-field='Value of at']");

        // When
        browser.press("{{now");
        browser.awaitText(".offers li:first-child", "now()");
        browser.press(Keyboard.ENTER);

        // Then
        browser.awaitText("[data-field='Value of at'] .chip", "ƒ now()");
        browser.awaitText("[data-preview=value]", "20");

        // When
        browser.click("[data-field='Value of at'] .chip");
        browser.awaitText("dialog", "Formula");
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press("add(");

        // Then
        browser.awaitText("dialog [data-signature]", "add(a; b)");
        browser.awaitText("dialog [data-preview=problem]", "ormula");
        assertThat(is("document.querySelector('dialog .primary').disabled")).isTrue();
        browser.inspect("mapping-formula-broken");

        // When
        browser.press("2; 3)");
        browser.awaitText("dialog [data-preview=value]", "5");
        browser.click("dialog .primary");

        // Then
        browser.awaitText("[data-field='Value of at'] .chip", "ƒ add(2; 3)");
        assertThat(settings(flow, "/nextAction/nextAction").at("/input/at").asText())
                .isEqualTo("ap-formula-v1::{add(2; 3)}::ap-formula-v1");
    }

    @Test
    void jsonHasChips_completion_aPicker_andNamesItsErrorBeforePublishing() {
        // Given
        var flow = opens(webhook().code("step_1", TOTAL).map("step_2", "{}"), "step_1");
        testsWithOneClick();
        browser.click("[data-step=step_2]");
        browser.click("[data-code=Mapping]");
        Waiting.until("the code field listens", () -> is("document.activeElement?.shadowRoot?.activeElement != null"));
        browser.pressWith(Keyboard.CONTROL, "a");

        // When
        browser.press("{\"sum\": {{tot");
        Waiting.until("completions are shown", () -> isInCode("Mapping", ".cm-tooltip-autocomplete li"));
        browser.shoot("mapping-json-completion");
        completes("Mapping");

        // Then
        Waiting.until("the chip is shown", () -> codeText("Mapping", ".cm-chip").contains("Work out the total"));
        browser.awaitText("[data-preview=value]", "42");

        // When
        browser.press(", \"lines\": ");
        browser.click("[data-insert=Mapping]");
        browser.click(".data-picker [data-choice=lines]");

        // Then
        Waiting.until(
                "both chips are shown",
                () -> codeText("Mapping", ".cm-chip:nth-of-type(n)").contains("lines"));
        assertThat(Json.text(settings(flow, "/nextAction/nextAction").at("/input/mapping")))
                .contains("\"lines\":\"{{step_1['output']['lines']}}\"");

        // When: the last brace is deleted
        browser.press(Keyboard.END + "\uE003");

        // Then
        browser.awaitText("[data-json-problem]", "Not valid JSON");
        saved();
        browser.click("[data-publish]");
        browser.awaitText("dialog [data-listed=step_2]", "Mapping is not valid JSON");
        browser.inspect("mapping-json-invalid");
    }

    @Test
    void aFailedTestIsExplained_andTheConsoleOutputIsShown() {
        // Given
        opens(
                webhook()
                        .code(
                                "step_1",
                                "export const code = async (i) => {\n  console.log('before');\n  return i.rows.reduce((a) => a);\n};"),
                "step_1");

        // When
        browser.click("[data-step=step_1]");
        browser.click(".panel-name input");
        browser.pressWith(Keyboard.CONTROL, Keyboard.ENTER);

        // Then
        browser.awaitText(".error-view", "What happened");
        browser.awaitText(".error-view", "reduce");
        browser.awaitText(".error-view", "What to do");
        browser.awaitText("[data-console]", "before");
        assertThat(is("document.querySelector('.step-panel').innerText.includes('ErrorVersion')"))
                .isFalse();
        browser.inspect("mapping-test-failed");
    }

    @Test
    void aBrokenReferenceIsRedOnFieldAndCard_withTheNameOfTheStep() {
        // Given
        opens(webhook().code("step_1", TOTAL).map("step_2", "{'sum':'{{step_1.output.total}}'}"), "step_2");
        browser.press(Keyboard.ESCAPE);

        // When
        browser.click("[data-step=step_1]");
        browser.click(".step-panel [aria-haspopup=menu]");
        browser.click(".menu .danger");

        // Then
        Waiting.until("the card is red", () -> isShown("[data-step=step_2].tone-red"));
        assertThat(is("document.querySelector('[data-step=step_2]').getAttribute('aria-label')"
                        + ".includes('“Work out the total” was deleted')"))
                .isTrue();
        browser.click("[data-step=step_2]");
        browser.awaitText("[data-json-problem]", "“Work out the total” was deleted");
        saved();
        browser.click("[data-publish]");
        browser.awaitText("dialog [data-listed=step_2]", "“Work out the total” was deleted");
        browser.inspect("mapping-publish-doubtful");
        browser.press(Keyboard.ESCAPE);
        Waiting.until("the dialog is closed", () -> !isShown("dialog"));
        Waiting.until(
                "the chip is broken",
                () -> codeText("Mapping", ".cm-chip.broken").contains("Work out the total (deleted) › total"));
        browser.inspect("mapping-broken-reference");
    }

    @Test
    void stepsWithoutASampleAreTestedFirst_andThePickerTestsInPlace() {
        // Given
        var script = webhook()
                .code("step_1", TOTAL)
                .code("step_2", "export const code = async (i) => i;", "{'sum':'{{step_1.output.total}}'}");
        opens(script, "step_2");

        // When
        browser.click("[data-test-step]");
        browser.awaitText("dialog [data-untested=step_1]", "Work out the total");
        browser.inspect("mapping-untested");
        browser.click("dialog .primary");

        // Then
        browser.awaitText(".step-panel", "Succeeded in");
        browser.awaitText("[data-test-input]", "42");
        browser.awaitText("[data-test-output]", "42");
        Waiting.until(
                "the output is beside the input",
                () -> is("document.querySelector('[data-test-output]').getBoundingClientRect().left"
                        + " >= document.querySelector('[data-test-input]').getBoundingClientRect().right"));
        browser.inspect("mapping-step-tested");

        // When
        opens(script, "step_2");
        browser.click("[data-field='Value of sum']");
        browser.click(".pair .expression button");
        browser.click("[data-test=step_1]");

        // Then
        browser.awaitText(".data-picker", "total");
        Waiting.until("the focus stays in the picker", () -> is("document.activeElement.matches('.data-picker *')"));
        Waiting.until(
                "the panel of the step stays open",
                () -> is("document.querySelector('.panel-name input')?.value === 'The step_2'"));
        browser.press(Keyboard.ESCAPE);
        Waiting.until("the picker is closed", () -> !isShown(".data-picker"));
        assertThat(isShown(".step-panel")).isTrue();
    }

    @Test
    void codeIsWrittenInPython_onTheFullScreen_inAWiderPanel() {
        // Given
        var flow = opens(webhook().code("step_1", TOTAL), "step_1");

        // When
        browser.run("""
                const select = [...document.querySelectorAll('.step-panel label')].find((each) => each.innerText.trim() === 'Language').parentElement.querySelector('select');
                select.value = 'python';
                select.dispatchEvent(new Event('change', { bubbles: true }));
                """);
        browser.click("[data-code=Code]");
        Waiting.until("the code field listens", () -> is("document.activeElement?.shadowRoot?.activeElement != null"));
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press("def code(inputs):\nprint('from Python')\nreturn {'sum': 5}\n");
        browser.click("[data-code=Code] .code-full button");
        Waiting.until(
                "the editor fills the window",
                () -> is("document.querySelector('.code-editor.full').clientWidth > innerWidth - 60"));
        browser.inspect("mapping-python-full");
        browser.click("[data-code=Code] .code-full button");

        // Then
        Waiting.until("the editor is back in its place", () -> !isShown(".code-editor.full"));
        assertThat(isShown(".step-panel")).isTrue();
        assertThat(settings(flow, "/nextAction").at("/sourceCode/language").asText())
                .isEqualTo("python");

        // When
        var before = width();
        browser.drag(".panel-edge", -200);

        // Then
        Waiting.until("the panel is wider", () -> width() > before + 100);
        browser.shoot("mapping-wide-panel");
    }

    @Test
    void choicesOfARecordTakeReferences_byTheirToggleAndByADrop() {
        // Given
        var tableId = orders("orders");
        var source = "export const code = async () => ({ paid: true, state: 'open' });";
        var input = Json.object().put("table_id", "orders");
        input.putObject("values").putArray("values").addObject();
        var flow = opens(
                webhook()
                        .code("step_1", source)
                        .piece("step_2", "@activepieces/piece-tables", "0.3.0", "tables-create-records", input),
                "step_1");
        testsWithOneClick();
        browser.click("[data-step=step_2]");

        // When
        browser.click("[data-toggle=Paid]");
        browser.click("[role=textbox][data-field=Paid]");
        browser.press("{{pai");
        browser.awaitText(".offers li:first-child", "Work out the total › paid");
        browser.press(Keyboard.ENTER);
        browser.awaitText("[data-field=Paid] .chip", "Work out the total › paid");
        browser.run("""
                const data = new DataTransfer();
                data.setData('text/x-reference', "{{step_1['output']['state']}}");
                const target = document.querySelector('[data-control=State] .combo, [data-control=State] input');
                target.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
                """);

        // Then
        browser.awaitText("[data-field=State] .chip", "Work out the total › state");
        browser.inspect("mapping-record");
        var record = settings(flow, "/nextAction/nextAction").at("/input/values/values/0");
        assertThat(record.path("paid").asText()).isEqualTo("{{step_1['output']['paid']}}");
        assertThat(record.path("state").asText()).isEqualTo("{{step_1['output']['state']}}");

        // When: the reference is deleted
        browser.click("[data-field=State]");
        browser.press(Keyboard.END + "\uE003");

        // Then: the field stays a text until it is switched back
        saved();
        assertThat(isShown("[role=textbox][data-field=State]")).isTrue();
        browser.click("[data-toggle=State]");
        browser.choose("[data-field=State]", "closed");
        saved();

        // When
        flow.publish();
        var run = flow.run(Json.object());

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(Json.text(ada.api().get("/v1/records?tableId=" + tableId).body()))
                .contains("\"value\":\"true\"")
                .contains("\"value\":\"closed\"");
    }

    @Test
    void aBrokenFormulaIsRedOnFieldAndCard_andRefusedWithoutASample() {
        // Given: step_1 has no sample
        var formula = "ap-formula-v1::{add({{step_1.output.total}};}::ap-formula-v1";
        var flow = opens(webhook().code("step_1", TOTAL).code("step_2", TOTAL, "{'at':'" + formula + "'}"), "step_2");

        // Then
        Waiting.until("the card is red", () -> isShown("[data-step=step_2].tone-red"));
        browser.awaitText(".expression .chip.broken", "add(");
        browser.awaitText(".pair .problem", "ormula");
        browser.inspect("mapping-formula-red");

        // When
        browser.click("[data-field='Value of at'] .chip");

        // Then
        browser.awaitText("dialog [data-preview=problem]", "ormula");
        assertThat(is("document.querySelector('dialog .primary').disabled")).isTrue();

        // When: the button is pressed before the preview of the new text
        browser.run("""
                const text = document.querySelector('dialog textarea');
                text.value = 'add(1; 2)';
                text.dispatchEvent(new Event('input', { bubbles: true }));
                """);
        browser.awaitText("dialog [data-preview=value]", "3");
        browser.run("""
                const text = document.querySelector('dialog textarea');
                text.value = 'add(1; 2';
                text.dispatchEvent(new Event('input', { bubbles: true }));
                setTimeout(() => text.form.requestSubmit(), 20);
                """);

        // Then
        browser.awaitText("dialog .notice", "ormula");
        assertThat(settings(flow, "/nextAction/nextAction").at("/input/at").asText())
                .isEqualTo(formula);
    }

    @Test
    void theFocusGoesToANewRow() {
        // Given
        opens(webhook().code("step_1", TOTAL).returnJson("step_2", "{}"), "step_2");

        // When
        browser.click("[data-add=Headers]");
        browser.press("X-Total");

        // Then
        Waiting.until(
                "the name of the header is typed",
                () -> is("document.querySelector('[data-key=Headers]')?.value === 'X-Total'"));

        // Given
        var input = Json.object().put("table_id", "entries");
        input.putObject("values").putArray("values");
        orders("entries");
        opens(
                webhook()
                        .code("step_1", TOTAL)
                        .piece("step_2", "@activepieces/piece-tables", "0.3.0", "tables-create-records", input),
                "step_2");

        // When
        browser.click("[data-add=Records]");

        // Then
        Waiting.until(
                "the first control of the record has the focus",
                () -> is("document.activeElement?.closest('[data-control=Paid]') != null"));
    }

    @Test
    void aTextThatIsNoDateIsNamedAtItsField() {
        // Given
        var input = Json.object().put("table_id", "days");
        input.putObject("values").putArray("values").addObject().put("day", "tomorrow");
        var table = Json.object().put("name", "days").put("externalId", "days").put("projectId", ada.projectId());
        table.putArray("fields")
                .addObject()
                .put("name", "Day")
                .put("type", "DATE")
                .put("externalId", "day");
        ada.api().post("/v1/tables", table);
        opens(
                webhook()
                        .code("step_1", TOTAL)
                        .piece("step_2", "@activepieces/piece-tables", "0.3.0", "tables-create-records", input),
                "step_2");

        // Then
        browser.awaitText(".with-native .problem", "date");

        // When
        browser.type("[data-field=Day]", "2026-03-01");

        // Then
        Waiting.until("the field has no problem", () -> !isShown(".with-native .problem"));
    }

    @Test
    void invalidJsonOfAResponseIsNamedBeforePublishing() {
        // Given
        opens(webhook().code("step_1", TOTAL).returnJson("step_2", "{'total':1}"), "step_2");
        browser.click("[data-code='JSON Body']");
        Waiting.until("the code field listens", () -> is("document.activeElement?.shadowRoot?.activeElement != null"));
        browser.pressWith(Keyboard.CONTROL, "a");

        // When
        browser.press("{\"total\": ]");
        browser.awaitText("[data-json-problem]", "Not valid JSON");
        saved();
        browser.click("[data-publish]");

        // Then
        browser.awaitText("dialog [data-listed=step_2]", "JSON Body is not valid JSON");
    }

    /** Creates a table with a checkbox and a choice. */
    private static String orders(String name) {
        var table = Json.object().put("name", name).put("externalId", name).put("projectId", ada.projectId());
        var fields = table.putArray("fields");
        var paid = fields.addObject()
                .put("name", "Paid")
                .put("type", "STATIC_DROPDOWN")
                .put("externalId", "paid");
        paid.putObject("data").putArray("options").add(value("true")).add(value("false"));
        var state = fields.addObject()
                .put("name", "State")
                .put("type", "STATIC_DROPDOWN")
                .put("externalId", "state");
        state.putObject("data").putArray("options").add(value("open")).add(value("closed"));
        return ada.api().post("/v1/tables", table).text("/id");
    }

    private static ObjectNode value(String text) {
        return Json.object().put("value", text);
    }

    private static double width() {
        return browser.run("return document.querySelector('.step-panel').clientWidth")
                .asDouble();
    }

    /** True if the code field has an element in its shadow tree. */
    private static boolean isInCode(String field, String selector) {
        return browser.run(
                        "return document.querySelector('[data-code=\"' + arguments[0] + '\"] > div')?.shadowRoot?.querySelector(arguments[1]) != null",
                        field,
                        selector)
                .asBoolean();
    }

    /** Texts of elements in the shadow tree of a code field. */
    private static String codeText(String field, String selector) {
        return browser.run(
                        "return [...document.querySelector('[data-code=\"' + arguments[0] + '\"] > div')?.shadowRoot?.querySelectorAll(arguments[1]) ?? []].map((e) => e.textContent).join('|')",
                        field,
                        selector)
                .asText();
    }

    /** Accepts the selected completion. While the list is recomputed, it is disabled, and Enter begins a line. */
    private static void completes(String field) {
        Waiting.until(
                "a completion is marked",
                () -> isInCode(
                        field, ".cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled) li[aria-selected]"));
        browser.press(Keyboard.ENTER);
        Waiting.until("the completion is accepted", () -> !isInCode(field, ".cm-tooltip-autocomplete"));
    }
}
