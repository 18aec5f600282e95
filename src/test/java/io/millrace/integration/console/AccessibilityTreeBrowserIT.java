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
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Roles and names that the browser passes to assistive technology. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class AccessibilityTreeBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada").inTeam("Trees");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("main", "New flow");
    }

    private static List<String> nodes(String selector) {
        return browser.accessibleNodes(selector);
    }

    private static void opens(String path) {
        browser.open(url + "/projects/" + ada.projectId() + path);
    }

    @Test
    void theCanvasIsAGroupOfNamedSteps_whoseNamesHaveTheirProblems() {
        // given
        var flow = LiveFlow.draft(
                ada, webhook().map("step_1", "{'total':7}").code("step_2", "", "{'of':'{{step_9.output}}'}"));

        // when
        opens("/flows/" + flow.id());
        browser.awaitText("[data-step=step_2]", "step_2");

        // then
        assertThat(nodes(".builder"))
                .contains(
                        "link Back to flows",
                        "textbox Flow name",
                        "button Undo",
                        "button Actions for Mill",
                        "button Test flow",
                        "button Publish",
                        "group Steps of Mill. Arrow keys move between them, Enter opens one.",
                        "button 1 The trigger",
                        "button Add a step",
                        "button Add a note",
                        "button Zoom to fit");
        assertThat(nodes("[data-step=step_1]")).first().isEqualTo("button 2 The step_1");
        assertThat(nodes("[data-step=step_2]").getFirst())
                .isEqualTo("button 3 The step_2, This flow has no step step_9.");

        // when
        browser.click("[data-step=step_1]");
        browser.awaitText(".step-panel", "Settings");

        // then
        assertThat(nodes(".step-panel"))
                .contains(
                        "textbox Step name",
                        "tablist Step sections",
                        "tab Settings",
                        "tab Test",
                        "tabpanel Settings",
                        "button Test step");
    }

    @Test
    void completionsOfAnExpressionAreAListOfTheField_withTheActiveOption() {
        // given
        var flow = LiveFlow.draft(ada, webhook().code("step_1", "", "{'of':''}"));
        opens("/flows/" + flow.id() + "?step=step_1");
        browser.awaitText(".step-panel", "Settings");
        browser.click("[data-field='Value of of']");

        // when
        browser.press("{{upper");
        browser.awaitText(".offers", "uppercase");

        // then
        assertThat(browser.run("const e = document.querySelector(\"[data-field='Value of of']\");"
                                + " const list = document.getElementById(e.getAttribute('aria-controls'));"
                                + " return list?.role + ' ' + list?.getAttribute('aria-label') + ': '"
                                + " + document.getElementById(e.getAttribute('aria-activedescendant'))?.innerText")
                        .asText())
                .startsWith("listbox Suggestions: uppercase");
        browser.inspect("expression-completions");

        // when
        browser.press("zzz");

        // then
        Waiting.until(
                "the list is closed",
                () -> browser.run(
                                "return document.querySelector('[data-field=\"Value of of\"][aria-activedescendant]') === null")
                        .asBoolean());
    }

    @Test
    void thePickerIsADialogWithAComboboxAndOptions_thatDescribeThemselves() {
        // given
        opens("/flows/" + LiveFlow.draft(ada, webhook().map("step_1", "{}")).id());

        // when
        browser.click(".plus.last");
        browser.awaitText(".picker", "Code");
        browser.awaitText(".picker-categories", "Communication");

        // then
        assertThat(nodes(".picker"))
                .contains(
                        "dialog What happens next?",
                        "combobox Search steps",
                        "group Categories",
                        "button Communication",
                        "listbox What happens next?",
                        "option Router Chooses branches by conditions",
                        "option Code Runs JavaScript, TypeScript or Python");
        assertThat(browser.run("const e = document.querySelector('.picker [role=combobox]');"
                                + " return document.getElementById(e.getAttribute('aria-activedescendant'))?.innerText")
                        .asText())
                .startsWith("Router");
    }

    @Test
    void listsAreTablesWithNamedControls_andMenusAndDialogsHaveTheirRoles() {
        // given
        LiveFlow.draft(ada, webhook().map("step_1", "{}"));
        opens("/flows");
        browser.awaitText("main", "Mill");

        // then
        assertThat(nodes("main"))
                .contains(
                        "main",
                        "heading Flows",
                        "searchbox Search flows",
                        "combobox Sort by",
                        "table Flows",
                        "columnheader Last runs",
                        "columnheader Status",
                        "checkbox Select Mill",
                        "link Mill",
                        "switch Turn Mill on or off",
                        "button Actions for Mill");

        // when
        browser.click(".page-head .primary");

        // then
        assertThat(nodes(".menu")).contains("menu New flow", "menuitem Empty flow c", "menuitem Import files…");

        // when
        browser.click(".menu [role=menuitem]:first-child");
        browser.awaitText("dialog", "Name");

        // then
        assertThat(nodes("dialog"))
                .contains(
                        "dialog New flow",
                        "heading New flow",
                        "textbox Name",
                        "button Close",
                        "button Cancel",
                        "button Create");
    }

    @Test
    void recordsAreAGrid_withNamedColumnsAndCells() {
        // given
        var table = Json.object().put("projectId", ada.projectId()).put("name", "Orders");
        table.putArray("fields").addObject().put("name", "Amount").put("type", "NUMBER");
        var id = ada.api().post("/v1/tables", table).text("/id");
        var field = ada.api().get("/v1/fields?tableId=" + id).body().at("/0/id").asText();
        var records = Json.object().put("tableId", id);
        records.putArray("records").addArray().addObject().put("fieldId", field).put("value", "42");
        assertThat(ada.api().post("/v1/records", records).status()).isEqualTo(201);

        // when
        opens("/tables/" + id);
        browser.awaitText(".grid-head", "Amount");
        browser.awaitText("main", "42");

        // then
        assertThat(nodes("main"))
                .contains(
                        "heading Orders",
                        "button Filter",
                        "button Add record",
                        "grid Orders",
                        "columnheader Row number",
                        "columnheader Number Amount",
                        "button Add field",
                        "rowheader 1",
                        "gridcell 42");
    }
}
