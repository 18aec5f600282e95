package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Selections in the editor: pieces by category, options of a combobox by keyboard, and lists of forms. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ChoiceBrowserIT {
    private static final String TABLES = "@activepieces/piece-tables";

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

    private static LiveFlow opens(FlowScript script, String query) {
        var flow = LiveFlow.draft(ada, script);
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + query);
        browser.awaitText("[data-step=trigger]", "1.");
        return flow;
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static JsonNode trigger(LiveFlow flow) {
        Waiting.until("all is saved", () -> is("document.querySelector('[data-saving=saved]') !== null"));
        return ada.api().get("/v1/flows/" + flow.id()).body().at("/version/trigger");
    }

    @Test
    void piecesAreFoundByCategory_andOwnStepsAndPopularPiecesComeFirst() {
        // Given
        opens(FlowScript.webhook(), "");

        // When
        browser.click(".plus.last");

        // Then
        browser.awaitText(".picker-section", "Flow control");
        browser.awaitText("[data-entry='@activepieces/piece-webhook']", "Responds to the caller");
        var sections =
                browser.run("return [...document.querySelectorAll('.picker-section')].map((e) => e.innerText).join()");
        assertThat(sections.asText()).isEqualTo("Flow control,Popular,All pieces");
        browser.inspect("picker-sections");

        // When
        browser.click("[data-category=COMMUNICATION]");

        // Then: published pieces that are not installed are listed, too
        browser.awaitText(".picker", "Slack");
        Waiting.until("the search field has the focus", () -> is("document.activeElement?.matches('.picker input')"));
        assertThat(is("document.querySelector('[data-category=COMMUNICATION]').ariaPressed === 'true'"
                        + " && document.querySelector('[data-entry=router]') === null"))
                .isTrue();
        browser.inspect("picker-category");

        // When
        browser.press("slack" + "\uE003".repeat(5));
        browser.click("[data-category=all]");

        // Then
        browser.awaitText("[data-entry=router]", "Router");
    }

    @Test
    void anOptionIsFoundByTyping_andEscapeLeavesTheValue() {
        // Given
        var flow = opens(FlowScript.cron("0 6 * * *", "UTC"), "?step=trigger");
        browser.awaitText(".step-panel", "Timezone");

        // When
        browser.click("[data-field=Timezone]");
        browser.awaitText(".combo-list [data-active=true]", "UTC");
        browser.press("berlin");
        browser.awaitText(".combo-list [data-active=true]", "Europe, Berlin");
        browser.inspect("combobox-open");
        browser.press(Keyboard.ESCAPE);

        // Then
        Waiting.until(
                "the list is closed, and the value stays",
                () -> is("document.querySelector('.combo-list') === null"
                        + " && document.querySelector('[data-field=Timezone]').dataset.value === '\"UTC\"'"
                        + " && document.querySelector('.step-panel') !== null"));

        // When
        browser.press(Keyboard.DOWN);
        browser.awaitText(".combo-list [data-active=true]", "UTC");
        browser.press("europe/ber" + Keyboard.ENTER);

        // Then
        browser.awaitText("[data-next-runs]", "Europe/Berlin");
        assertThat(trigger(flow).at("/settings/input/timezone").asText()).isEqualTo("Europe/Berlin");
    }

    @Test
    void aTriggerIsChangedByItsCombobox_whichDescribesEach() {
        // Given
        var flow = opens(FlowScript.cron("0 6 * * *", "UTC"), "?step=trigger");

        // When
        browser.choose("[data-field=operation]", "Every Day");

        // Then
        assertThat(trigger(flow).at("/settings/triggerName").asText()).isEqualTo("every_day");
    }

    @Test
    void aRecordIsCreatedInAFormThatIsOpenAlready() {
        // Given
        var table = ada.api()
                .post(
                        "/v1/tables",
                        Json.object().put("projectId", ada.projectId()).put("name", "Orders"))
                .body();
        ada.api()
                .post(
                        "/v1/fields",
                        Json.object()
                                .put("tableId", table.path("id").asText())
                                .put("name", "Customer")
                                .put("type", "TEXT"));
        opens(FlowScript.webhook(), "");
        browser.click(".plus.last");
        browser.type(".picker input", "tables");
        browser.click("[data-entry='" + TABLES + "']");
        browser.click("[data-entry=tables-create-records]");

        // When
        browser.choose("[data-field=Table]", "Orders");

        // Then
        browser.awaitText(".step-panel .item", "Record 1");
        browser.awaitText(".step-panel .item", "Customer");
        browser.awaitText("[data-add=Records]", "Add Record");
        browser.inspect("create-records");

        // When
        browser.click("[data-add=Records]");
        browser.awaitText(".step-panel .item:nth-of-type(2)", "Record 2");
    }
}
