package io.millrace.integration.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that the console imports: the preview with its choices, and large files with their progress. {@code
 * -Dtable.import.rows=100000} imports a large file.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class TableImportBrowserIT {
    private static final int ROWS = Integer.getInteger("table.import.rows", 4_000);
    private static final Duration DEADLINE = Duration.ofMinutes(15);

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_MAX_RECORDS_PER_TABLE", String.valueOf(ROWS)), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static TableGrid grid = new TableGrid(browser, ada);
    private static String tables = "http://localhost:" + server.port() + "/projects/" + ada.projectId() + "/tables";

    @BeforeAll
    static void start() {
        browser.signIn("http://localhost:" + server.port(), ada.api());
        browser.awaitText("nav", "Tables");
    }

    private static void choosesFile(String name, byte[] bytes) {
        browser.run("""
            const bytes = Uint8Array.from(atob(arguments[1]), (letter) => letter.charCodeAt(0));
            const data = new DataTransfer();
            data.items.add(new File([bytes], arguments[0]));
            const input = document.querySelector('dialog input[type=file]');
            input.files = data.files;
            input.dispatchEvent(new Event('change', { bubbles: true }));
            """, name, Base64.getEncoder().encodeToString(bytes));
    }

    /** Chooses the target of a column of the file. */
    private static void choosesTarget(String column, String value) {
        browser.chooseValue("dialog [aria-label='" + column + "']", value);
    }

    /** Chooses a value in the select with this label. */
    private static void chooses(String label, String value) {
        browser.run("""
            const select = [...document.querySelectorAll('dialog select')].find((each) =>
              (each.labels[0]?.textContent ?? each.getAttribute('aria-label')).trim() === arguments[0]);
            select.value = arguments[1];
            select.dispatchEvent(new Event('change', { bubbles: true }));
            """, label, value);
    }

    private static String chosen(String label) {
        return browser.run("""
            return [...document.querySelectorAll('dialog select')].find((each) =>
              (each.labels[0]?.textContent ?? each.getAttribute('aria-label')).trim() === arguments[0]).selectedOptions[0].textContent
            """, label).asText();
    }

    private static String target(String column) {
        return browser.run("return document.querySelector(arguments[0]).value", "dialog [aria-label='" + column + "']")
                .asText();
    }

    /** Lines of the preview, their cells separated by a bar. */
    private static List<String> preview() {
        return browser.run("""
            return [...document.querySelectorAll('.import-preview tr')]
              .map((row) => [...row.cells].map((cell) => cell.textContent).join('|'))
            """).valueStream().map(JsonNode::asText).toList();
    }

    private static void awaitPreview(String... lines) {
        Waiting.until("the preview shows " + List.of(lines), () -> preview().equals(List.of(lines)));
    }

    @Test
    void previewsAFile_andReadsItWithAnotherEncodingAndSeparator() {
        // Given
        var tableId = grid.make("Stock", TableGrid.field("Ort", "TEXT"));
        browser.open(tables + "/" + tableId);
        browser.awaitText("main", "No records yet");
        browser.click(".table-head [aria-label='Actions for Stock']");
        grid.chooses("Import a file");
        browser.awaitText("dialog", "The first line has the column names");

        // When
        choosesFile(
                "stock.csv",
                "Name;Ort;Preis\r\n\"Müller; Söhne\";Zürich;1,5\r\nÖz €;Graz;2,25\r\n"
                        .getBytes(Charset.forName("windows-1252")));

        // Then
        awaitPreview("Name|Ort|Preis", "Müller; Söhne|Zürich|1,5", "Öz €|Graz|2,25");
        assertThat(chosen("Encoding")).isEqualTo("windows-1252");
        assertThat(chosen("Separator")).isEqualTo(";");
        assertThat(target("Import into: Name")).isEqualTo("New field (Text)");
        assertThat(target("Import into: Ort")).isEqualTo("Ort");
        assertThat(target("Import into: Preis")).isEqualTo("New field (Number)");
        browser.inspect("table-import-preview");

        // When
        chooses("Encoding", "windows-1251");

        // Then
        awaitPreview("Name|Ort|Preis", "Mьller; Sцhne|Zьrich|1,5", "Цz \u0402|Graz|2,25");

        // When
        chooses("Encoding", "windows-1252");
        chooses("Separator", "|");

        // Then
        awaitPreview("Name;Ort;Preis", "Müller; Söhne;Zürich;1,5", "Öz €;Graz;2,25");

        // When
        chooses("Separator", ";");
        awaitPreview("Name|Ort|Preis", "Müller; Söhne|Zürich|1,5", "Öz €|Graz|2,25");
        choosesTarget("Import into: Name", "skip");
        browser.click("dialog .primary");

        // Then
        browser.awaitText(".grid-status", "2 records");
        assertThat(grid.recordsOf("Stock")).containsExactly("Zürich 1.5", "Graz 2.25");
    }

    private static String name(int number) {
        return "Müller; \"" + number + "\"";
    }

    private static byte[] file(String kind) {
        if (kind.equals("xlsx")) {
            return LargeWorkbook.of(ROWS, TableImportBrowserIT::name);
        }
        var text = new StringBuilder("Number;Name\r\n");
        for (var number = 1; number <= ROWS; number++) {
            text.append(number)
                    .append(";\"")
                    .append(name(number).replace("\"", "\"\""))
                    .append("\"\r\n");
        }
        return text.toString().getBytes(UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"csv", "xlsx"})
    void importsALargeFile_withItsProgress_andExportsIt(String kind) {
        // Given
        opensFileDialog();
        choosesFile("Large" + kind + "." + kind, file(kind));
        Waiting.until("the file is read", DEADLINE, () -> preview().size() > 1);
        assertThat(preview()).startsWith("Number|Name", "1|" + name(1), "2|" + name(2));
        browser.run("""
            window.progress = [];
            new MutationObserver(() => {
              const shown = /([0-9]+) of ([0-9]+) records/.exec(document.querySelector('dialog')?.textContent ?? '');
              if (shown) {
                window.progress.push(Number(shown[1]));
              }
            }).observe(document.body, { subtree: true, childList: true, characterData: true });
            """);

        // When
        browser.click("dialog .primary");
        var records = "[data-records='" + ROWS + "']";
        Waiting.until(
                "all records are shown",
                DEADLINE,
                () -> browser.run("return !!document.querySelector(arguments[0])", records)
                        .asBoolean());

        // Then
        var progress = browser.run("return window.progress")
                .valueStream()
                .mapToInt(JsonNode::asInt)
                .toArray();
        assertThat(progress).as("progress").hasSizeGreaterThan(2).isSorted();
        var exported = ada.api()
                .get("/v1/tables/" + grid.table("Large" + kind).path("id").asText() + "/export")
                .body()
                .path("rows");
        assertThat(exported).hasSize(ROWS);
        for (var number = 1; number <= ROWS; number++) {
            var row = exported.get(number - 1);
            assertThat(row.path("Number").asText()).isEqualTo(String.valueOf(number));
            assertThat(row.path("Name").asText()).isEqualTo(name(number));
        }
    }

    @Test
    void refusesAFile_withMoreRowsThanATableMayHave() {
        opensFileDialog();

        choosesFile("many.csv", ("a\r\n" + "1\r\n".repeat(ROWS + 1)).getBytes(UTF_8));
        Waiting.until("the file is read", () -> preview().size() > 1);
        browser.click("dialog .primary");

        browser.awaitText("dialog", "The file has " + (ROWS + 1) + " rows; a table can have " + ROWS);
        assertThat(grid.table("many").isMissingNode()).isTrue();
    }

    @Test
    void refusesFurtherRows_thatATableHasNoRoomFor() {
        // Given
        var tableId = grid.make("Full", TableGrid.field("a", "TEXT"));
        ada.api().post("/v1/records", recordOf(tableId));
        browser.open(tables + "/" + tableId);
        browser.awaitText(".grid-status", "1 record");
        browser.click(".table-head [aria-label='Actions for Full']");
        grid.chooses("Import a file");
        browser.awaitText("dialog", "The first line has the column names");

        // When
        choosesFile("many.csv", ("a;b\r\n" + "1;2\r\n".repeat(ROWS)).getBytes(UTF_8));
        Waiting.until("the file is read", () -> preview().size() > 1);
        browser.click("dialog .primary");

        // Then
        browser.awaitText("dialog", "The table can have " + ROWS + " records and has 1");
        assertThat(grid.recordsOf("Full")).containsExactly("first");
        assertThat(ada.api().get("/v1/fields?tableId=" + tableId).body()).hasSize(1);
    }

    private static JsonNode recordOf(String tableId) {
        var fieldId = ada.api().get("/v1/fields?tableId=" + tableId).text("/0/id");
        var request = Json.object().put("tableId", tableId);
        request.putArray("records")
                .addArray()
                .addObject()
                .put("fieldId", fieldId)
                .put("value", "first");
        return request;
    }

    private static void opensFileDialog() {
        browser.open(tables);
        Waiting.until(
                "the list is here",
                () -> browser.run("return !!document.querySelector('.flows .card .state, .flows .table')")
                        .asBoolean());
        browser.click("main .button.primary[aria-haspopup]");
        grid.chooses("From a file");
        browser.awaitText("dialog", "The first line has the column names");
    }
}
