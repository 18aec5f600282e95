package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** List of flows in bulk, the menu of the builder, and the preview of a schedule. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class FlowListBrowserIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().startInRealTime();

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeEach
    void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Runs");
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static String names() {
        return browser.run("return [...document.querySelectorAll('.flow-name a')].map((each) => each.innerText).join()")
                .asText();
    }

    private static LiveFlow published(SignedIn owner, String name) {
        return LiveFlow.named(owner, name, webhook().map("step_1", "{}").importOperation(name));
    }

    @Test
    void flowsAreSortedFiltered_andSwitchedOffAndDeletedInBulk() {
        // Given
        var team = ada.inTeam("Bulk");
        published(team, "Beta");
        published(team, "Alpha");
        published(team, "Gamma");

        // When
        browser.open(url + "/projects/" + team.projectId() + "/flows?sort=name");
        browser.awaitText("main", "Gamma");

        // Then
        assertThat(names()).isEqualTo("Alpha,Beta,Gamma");

        // When
        browser.click("[aria-label='Select Alpha']");
        browser.click("[aria-label='Select Gamma']");
        browser.awaitText(".bulk", "2 flows selected");
        browser.inspect("flows-selected");
        browser.run(
                "[...document.querySelectorAll('.bulk button')].find((each) => each.innerText === 'Turn off').click()");

        // Then
        Waiting.until(
                "both are off",
                () -> server.count(
                                "select count(*) from flow where project_id = $1 and status = 'DISABLED'",
                                team.projectId())
                        == 2);

        // When
        browser.open(url + "/projects/" + team.projectId() + "/flows?sort=name&status=DISABLED");
        Waiting.until("only the two are shown", () -> names().equals("Alpha,Gamma"));
        browser.click("[aria-label='Select Gamma']");
        browser.run(
                "[...document.querySelectorAll('.bulk button')].find((each) => each.innerText === 'Delete').click()");
        browser.awaitText("dialog", "Delete 1 flow?");
        browser.click("dialog [type=submit]");

        // Then
        Waiting.until("it is gone", () -> names().equals("Alpha"));
    }

    @Test
    void theMenuOfTheBuilderMovesAndDuplicates_andLeadsToTheRuns() {
        // Given
        var team = ada.inTeam("Menu");
        var input = Json.object().put("auth", "{{connections['mail']}}");
        input.putObject("mapping");
        var script = webhook().piece("step_1", "@activepieces/piece-data-mapper", "0.3.15", "advanced_mapping", input);
        var flow = LiveFlow.named(team, "Orders", script.importOperation("Orders"));
        var folder = team.api()
                .post("/v1/folders", Json.object().put("displayName", "Shop").put("projectId", team.projectId()))
                .text("/id");
        browser.open(url + "/projects/" + team.projectId() + "/flows/" + flow.id());

        // When
        chooses("Duplicate");

        // Then
        Waiting.until(
                "the copy exists with its connection",
                () -> team.api()
                        .get("/v1/flows?projectId=" + team.projectId() + "&name=Orders%20copy")
                        .body()
                        .at("/data/0/version/connectionIds/0")
                        .asText()
                        .equals("mail"));

        // When
        chooses("Move to folder…");
        browser.awaitText("dialog", "Move Orders");
        browser.chooseValue("dialog [role=combobox]", folder);
        browser.click("dialog [type=submit]");

        // Then
        Waiting.until(
                "it is in the folder",
                () -> team.api().get("/v1/flows/" + flow.id()).text("/folderId").equals(folder));

        // When
        Waiting.until("the dialog is closed", () -> is("document.querySelector('dialog') === null"));
        chooses("Rename");

        // Then
        Waiting.until("the name has the focus", () -> is("document.activeElement.classList.contains('editor-name')"));

        // When
        chooses("Runs of this flow");

        // Then
        Waiting.until("the runs are shown", () -> is("location.search.includes('flow=" + flow.id() + "')"));
    }

    @Test
    void theConfirmationOfACopyLeadsToIt() {
        // Given
        var team = ada.inTeam("Copies");
        var flow = published(team, "Orders");
        browser.open(url + "/projects/" + team.projectId() + "/flows/" + flow.id());

        // When
        chooses("Duplicate");
        browser.awaitText(".toast.good", "Duplicated as Orders copy");
        browser.click(".toast.good p + button");

        // Then
        Waiting.until(
                "the copy is open",
                () -> browser.address().contains("/flows/")
                        && !browser.address().contains(flow.id()));
        Waiting.until("its name is shown", () -> is("document.querySelector('.editor-name')?.value === 'Orders copy'"));
    }

    @Test
    void theHeadOfTheBuilderFits_at960Pixels() {
        // Given
        var flow = published(ada, "Orders of the northern warehouses");
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id());
        Waiting.until("the head is here", () -> is("document.querySelector('[data-flow-menu]') !== null"));

        // When, then
        browser.inWidth(960, () -> {
            var overlaps = browser.run("const boxes = [...document.querySelectorAll('.builder-head > *')].map((each) =>"
                    + " each.getBoundingClientRect()).filter((box) => box.width > 0);"
                    + "return boxes.filter((box, index) => index > 0 && box.left < boxes[index - 1].right - 1"
                    + " || box.right > innerWidth).length");
            assertThat(overlaps.asInt(-1)).isZero();
            assertThat(browser.run("return document.querySelector('.editor-name').getBoundingClientRect().width")
                            .asDouble())
                    .isGreaterThanOrEqualTo(120);
            assertThat(is("document.querySelector('[data-flow-menu]').getBoundingClientRect().width > 0"))
                    .isTrue();
        });
    }

    private static void chooses(String item) {
        browser.click("[data-flow-menu]");
        browser.awaitText("[role=menu]", item);
        browser.run(
                "[...document.querySelectorAll('[role=menuitem]')].find((each) => each.innerText.includes(arguments[0])).click()",
                item);
    }

    @Test
    void aScheduleShowsItsNextFiveRuns() {
        // Given
        var flow = LiveFlow.draft(ada, webhook());
        var trigger = Json.object()
                .put("name", "trigger")
                .put("displayName", "Nightly")
                .put("type", "PIECE_TRIGGER");
        trigger.put("valid", true);
        var settings = trigger.putObject("settings");
        settings.put("pieceName", "@activepieces/piece-schedule").put("pieceVersion", "0.1.17");
        settings.put("triggerName", "every_day");
        settings.putObject("input")
                .put("hour_of_the_day", 3)
                .put("timezone", "Europe/Berlin")
                .put("run_on_weekends", true);
        settings.putObject("propertySettings");
        var update = Json.object().put("type", "UPDATE_TRIGGER");
        update.set("request", trigger);
        var updated = flow.operate(update);
        assertThat(updated.status()).as(updated.toString()).isEqualTo(200);

        // When
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow.id() + "?step=trigger");

        // Then
        browser.awaitText("[data-next-runs]", "Next runs (Europe/Berlin)");
        assertThat(browser.run("return document.querySelectorAll('[data-next-runs] li').length")
                        .asInt())
                .isEqualTo(5);
        assertThat(browser.run("return document.querySelector('[data-next-runs] li').innerText")
                        .asText())
                .contains("03:00");
        browser.inspect("schedule-next-runs");
    }
}
