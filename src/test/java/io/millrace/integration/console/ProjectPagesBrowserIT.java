package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Tables, people and settings of a project, empty and with data: axe finds no serious violation, and
 * scripts/screenshots takes their pictures here.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ProjectPagesBrowserIT {
    private static final Map<String, List<String>> findings = new TreeMap<>();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada").inTeam("Shop");

    @Test
    void everyPageCanBeUsedByEverybody() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Tables");
        tables();
        team();
        settings();
        agent();
        switchesTheProject_inTheSameArea();

        // Then
        assertThat(findings).isEmpty();
    }

    /** Checks the current page. */
    private static void look(String page) {
        var found = browser.look(page);
        if (!found.isEmpty()) {
            findings.put(page, found);
        }
    }

    private static void tables() {
        browser.open(in("/tables"));
        browser.awaitText("main", "No tables yet");
        look("tables-empty");
        var stock = Json.object().put("projectId", ada.projectId()).put("name", "Stock");
        var fields = stock.putArray("fields");
        fields.addObject().put("name", "Article").put("type", "TEXT");
        fields.addObject().put("name", "Pieces").put("type", "NUMBER");
        fields.addObject().put("name", "Since").put("type", "DATE");
        fields.addObject().put("name", "Counted").put("type", "DATETIME");
        var options = fields.addObject().put("name", "State").put("type", "STATIC_DROPDOWN");
        var data = options.putObject("data").putArray("options");
        List.of("there", "ordered", "gone").forEach(option -> data.addObject().put("value", option));
        var tableId = ada.api().post("/v1/tables", stock).text("/id");
        var page = in("/tables/" + tableId);
        browser.open(page);
        browser.awaitText("main", "No records yet");
        look("table-empty");
        fill(tableId);
        browser.open(in("/tables"));
        browser.awaitText(".table", "Stock");
        look("tables");
        browser.press("c");
        browser.awaitText("dialog", "Name");
        look("table-new");
        browser.open(page);
        browser.awaitText(".grid-status", "120 records");
        look("table");
        browser.click(".grid-title .field-head");
        browser.awaitText(".menu", "Sort ascending");
        look("table-column");
        browser.press(Keyboard.ESCAPE);
        browser.press("f");
        browser.awaitText("dialog", "Filter records");
        look("table-filter");
        browser.press(Keyboard.ESCAPE);
        browser.click(".grid-aside .button");
        browser.awaitText("dialog", "Type");
        look("field-new");
    }

    private static void fill(String tableId) {
        var fields = ada.api().get("/v1/fields?tableId=" + tableId).body();
        var records = Json.object().put("tableId", tableId);
        var rows = records.putArray("records");
        for (var number = 1; number <= 120; number++) {
            var row = rows.addArray();
            var texts = List.of(
                    "Wheel " + number,
                    number % 7 == 0 ? "many" : "" + number * 3,
                    "2026-03-0" + (1 + number % 9),
                    "2026-03-09T1" + number % 10 + ":30",
                    List.of("there", "ordered", "gone").get(number % 3));
            for (var column = 0; column < texts.size(); column++) {
                row.addObject()
                        .put("fieldId", fields.at("/" + column + "/id").asText())
                        .put("value", texts.get(column));
            }
        }
        post("/v1/records", records);
    }

    private static void team() {
        for (var email : List.of("bob@acme-tools.example", "eve@acme-tools.example")) {
            post(
                    "/v1/user-invitations",
                    Json.object()
                            .put("type", "PROJECT")
                            .put("email", email)
                            .put("projectId", ada.projectId())
                            .put("projectRole", "Viewer"));
        }
        browser.open(in("/people"));
        browser.awaitText("main", "eve@acme-tools.example");
        look("people");
        browser.press("c");
        browser.awaitText("dialog", "E-mail address");
        look("people-invite");
        browser.open(in("/people?view=roles"));
        browser.awaitText(".table", "Editor");
        look("people-roles");
        browser.click(".role-name");
        browser.awaitText("dialog", "Project settings");
        look("people-role");
        browser.open(in("/people?view=users"));
        browser.awaitText(".table", "ada@acme-tools.example");
        look("people-users");
    }

    private static void settings() {
        for (var view : List.of("general", "pieces", "alerts", "git", "releases")) {
            browser.open(in("/settings?view=" + view));
            browser.awaitText("[role=tab][aria-selected=true]", view.substring(1));
            browser.awaitText(".settings", "");
            look("settings-" + view);
        }
        browser.open(in("/settings?view=git"));
        browser.click(".settings .primary");
        browser.awaitText("dialog", "Private SSH key");
        look("git-connect");
        browser.open(in("/tables/NoSuchTableIsThereAt1"));
        browser.awaitText(".state", "no longer exists");
        look("table-gone");
    }

    private static void agent() {
        var clerk = ((ObjectNode)
                        FlowScript.json("{'displayName':'Order clerk','description':'','icon':'bot','color':'BLUE',"
                                + "'draft':{'instructions':'Answer.'}}"))
                .put("projectId", ada.projectId());
        var id = ada.api().post("/v1/agents", clerk).text("/id");
        browser.open(in("/agents/" + id + "?view=try"));
        browser.awaitText(".composer .notice", "No model is available");
        browser.type(".composer textarea", "Hello");
        assertThat(browser.run("return document.querySelector('.composer .primary').disabled")
                        .asBoolean())
                .isTrue();
        look("agent-no-model");
        browser.click(".composer .notice a");
        browser.awaitText("h1", "AI");
    }

    private static void switchesTheProject_inTheSameArea() {
        browser.open(in("/people"));
        browser.click(".project-button");
        browser.click(".menu [role^=menuitem]:not([aria-checked=true])");
        browser.awaitText("main", "This is a personal project");
        look("people-personal");
        browser.click("main .state .button");
        browser.awaitText("dialog", "New project");
        browser.press(Keyboard.ESCAPE);
    }

    private static void post(String path, ObjectNode body) {
        var answer = ada.api().post(path, body);
        assertThat(answer.status()).as(path + " " + answer.body()).isLessThan(300);
    }

    private static String in(String path) {
        return url + "/projects/" + ada.projectId() + path;
    }
}
