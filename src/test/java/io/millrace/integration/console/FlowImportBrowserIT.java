package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.importer.n8n.ImportSamples;
import io.millrace.base.core.Json;
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

/** Files that a user drops on the list of flows, or chooses in the dialog: drafts and their report. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class FlowImportBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String flowsPage = "http://localhost:" + server.port() + "/projects/" + ada.projectId() + "/flows";

    @BeforeAll
    static void start() {
        browser.signIn("http://localhost:" + server.port(), ada.api());
        browser.awaitText("nav", "Flows");
    }

    @Test
    void droppedFilesBecomeDrafts_withTheirReport() {
        // Given
        opensPage();
        var before = flows().size();
        var list = Json.array().add(ImportSamples.named("05-")).add(ImportSamples.named("61-"));

        // When
        drops(Map.of(
                "orders.json",
                Json.text(ImportSamples.named("01-")),
                "several.json",
                Json.text(list),
                "notes.json",
                "{\"note\": 1}",
                "broken.json",
                "{"));
        browser.awaitText("dialog .file-drop", "several.json");
        assertThat(flows()).as("nothing is created before it is confirmed").hasSize(before);
        browser.inspect("flow-import");
        browser.click("dialog .primary");

        // Then
        browser.awaitText("dialog h2", "Import report");
        browser.awaitText("dialog .import-sums", "Nodes");
        browser.awaitText("dialog .notice", "notes.json: expected a workflow of n8n or an exported flow");
        browser.awaitText("dialog .notice", "broken.json: expected JSON");
        browser.click("dialog details summary");
        browser.inspect("flow-import-report");
        assertThat(flows()).hasSize(before + 3).allSatisfy(flow -> {
            assertThat(flow.path("status").asText()).isEqualTo("DISABLED");
            assertThat(flow.path("publishedVersionId").isNull()).isTrue();
        });
        assertThat(ada.api()
                        .get("/v1/flow-runs?projectId=" + ada.projectId())
                        .body()
                        .path("data"))
                .isEmpty();

        // When
        browser.run("""
            window.saved = [];
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { blob.text().then((text) => window.saved.push(text)); return make(blob); };
            """);
        browser.run(
                "[...document.querySelectorAll('dialog footer .button')].find((each) => each.textContent.includes('Download')).click()");
        Waiting.until(
                "the report is saved",
                () -> browser.run("return window.saved.length > 0").asBoolean());
        var report =
                Json.object().put("text", browser.run("return window.saved[0]").asText());
        assertThat(report.path("text").asText()).contains("\"byHand\"", "\"entries\"", "notes.json");
        browser.click("dialog .import-flow a");

        // Then
        Waiting.until(
                "the flow is open",
                () -> browser.run("return !!document.querySelector('[data-step=trigger]')")
                        .asBoolean());
        assertThat(browser.run("return !!document.querySelector('dialog')").asBoolean())
                .isFalse();
    }

    @Test
    void theReportAloneCreatesNothing() {
        // Given
        opensPage();
        var before = flows().size();
        drops(Map.of("orders.json", Json.text(ImportSamples.named("01-"))));
        browser.awaitText("dialog .file-drop", "orders.json");

        // When
        browser.click("dialog .check input");
        browser.click("dialog .primary");

        // Then
        browser.awaitText("dialog h2", "Report without import");
        browser.awaitText("dialog", "1 flow would be created");
        assertThat(flows()).hasSize(before);
    }

    private static void opensPage() {
        browser.open(flowsPage);
        browser.awaitText("h1", "Flows");
        Waiting.until(
                "the list is here",
                () -> browser.run("return !!document.querySelector('.flows .card .state, .flows .table')")
                        .asBoolean());
    }

    private static List<JsonNode> flows() {
        return ada.api()
                .get("/v1/flows?limit=100&projectId=" + ada.projectId())
                .body()
                .path("data")
                .valueStream()
                .toList();
    }

    private static void drops(Map<String, String> files) {
        browser.run("""
            const data = new DataTransfer();
            Object.entries(JSON.parse(arguments[0])).forEach(([name, text]) => data.items.add(new File([text], name, { type: 'application/json' })));
            const area = document.querySelector('.flows');
            for (const type of ['dragover', 'drop']) {
              area.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
            }
            """, Json.text(Json.mapper().valueToTree(files)));
    }
}
