package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tables in the console: creation, typing, pasting, filters, sorting, import and export of files. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class TablesBrowserIT {
    private static final int ROWS = 10_000;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static TableGrid grid = new TableGrid(browser, ada);
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Tables");
    }

    /** By keyboard only, from the list to the last cell. */
    @Test
    void makesATable_andFillsItByKeys() {
        // given
        browser.open(url + "/projects/" + ada.projectId() + "/tables");
        Waiting.until(
                "the list is here",
                () -> browser.run("return !!document.querySelector('.flows .card .state, .flows .table')")
                        .asBoolean());

        // when
        browser.press("c");
        browser.type("dialog [name=name]", "Orders");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".grid-head", "Name");
        grid.adds("Amount", "Number");
        grid.adds("State", "Choice");
        browser.click(".table-head .button.primary");
        browser.awaitText(".grid-status", "1 record");
        browser.click("[data-row='0'] [data-column='0']");
        grid.types("Ada", Keyboard.TAB);
        grid.types("12,5", Keyboard.TAB);
        grid.types("p", Keyboard.ENTER);
        grid.records("Ada 12.5 paid");
        browser.press(Keyboard.UP + Keyboard.LEFT);
        grid.types("x", Keyboard.ESCAPE);
        grid.types("9", Keyboard.ENTER);
        grid.records("Ada 9 paid");
        browser.pressWith(Keyboard.CONTROL, "z");
        grid.records("Ada 12.5 paid");
        browser.pressWith(Keyboard.CONTROL, "y");
        grid.records("Ada 9 paid");

        // then a text that is not a number is kept, and marked
        browser.press(Keyboard.UP);
        grid.types("many", Keyboard.ENTER);
        browser.awaitText(".misfit", "many");
        grid.records("Ada many paid");

        // when an edit is undone outside of the grid
        browser.press(Keyboard.ESCAPE);
        browser.pressWith(Keyboard.CONTROL, "z");
        grid.records("Ada 9 paid");
        browser.pressWith(Keyboard.CONTROL, "y");
        grid.records("Ada many paid");
        browser.click("[data-row='0'] [data-column='1']");

        // when the column is renamed by its menu, which a key opens
        browser.pressWith(Keyboard.ALT, Keyboard.DOWN);
        browser.awaitText(".menu", "Edit field");
        browser.press("e" + Keyboard.ENTER);
        browser.type("dialog .field input", "Sum");
        browser.press(Keyboard.ENTER);

        // then
        browser.awaitText(".grid-head", "Sum");
    }

    @Test
    void aColumnGetsAnotherType_otherChoices_andCheckboxesToggle() {
        // given
        var tableId = grid.make("Typed", TableGrid.field("Amount", "TEXT"), TableGrid.field("Page", "TEXT"));
        browser.open(url + "/projects/" + ada.projectId() + "/tables/" + tableId);
        browser.awaitText(".grid-head", "Page");
        browser.click(".table-head .button.primary");
        browser.awaitText(".grid-status", "1 record");
        browser.click("[data-row='0'] [data-column='0']");
        grid.types("many", Keyboard.TAB);
        grid.types("https://acme.example/terms", Keyboard.ENTER);
        holds(tableId, "many|https://acme.example/terms");

        // when the text column becomes a number column
        chooses("Amount", "Edit field");
        type("NUMBER");
        browser.awaitText("dialog", "Values stay");
        browser.click("dialog .primary");

        // then the value stays, marked
        browser.awaitText(".misfit", "many");
        browser.awaitText(".grid-row", "https://acme.example/terms");
        assertThat(browser.run("return document.querySelector('.cell-link').href")
                        .asText())
                .isEqualTo("https://acme.example/terms");

        // when it becomes a choice column, and its choices change
        chooses("Amount", "Edit field");
        type("STATIC_DROPDOWN");
        browser.type("dialog [name=options]", "few");
        browser.click("dialog .primary");
        Waiting.until("it is a choice", () -> options(tableId).equals("few"));
        chooses("Amount", "Edit field");
        browser.type("dialog [name=options]", "few\nmany");
        browser.click("dialog .primary");
        browser.awaitText(".cell-option", "many");
        assertThat(options(tableId)).isEqualTo("few,many");

        // when it becomes a checkbox column, and Space toggles it twice
        chooses("Amount", "Edit field");
        type("CHECKBOX");
        browser.click("dialog .primary");
        Waiting.until("it is a checkbox", () -> options(tableId).equals("true,false"));
        browser.click("[data-row='0'] [data-column='0']");
        browser.press(" ");
        holds(tableId, "true|https://acme.example/terms");
        browser.press(" ");
        holds(tableId, "false|https://acme.example/terms");
        browser.inspect("table-checkbox");
    }

    private static void holds(String tableId, String texts) {
        Waiting.until("the table has " + texts, () -> grid.texts(tableId, 1).equals(List.of(texts)));
    }

    private static void type(String kind) {
        browser.run(
                "const e = document.querySelector('dialog select'); e.value = arguments[0]; e.dispatchEvent(new Event('change', { bubbles: true }))",
                kind);
    }

    private static String options(String tableId) {
        return ada.api()
                .get("/v1/fields?tableId=" + tableId)
                .body()
                .at("/0/data/options")
                .valueStream()
                .map(option -> option.path("value").asText())
                .collect(Collectors.joining(","));
    }

    @Test
    void columnsAreMovedAndHidden_alsoAfterAReload() {
        // given
        var tableId = grid.make(
                "Arranged",
                TableGrid.field("Name", "TEXT"),
                TableGrid.field("Weight", "NUMBER"),
                TableGrid.field("Note", "TEXT"));
        var address = url + "/projects/" + ada.projectId() + "/tables/" + tableId;
        browser.open(address);
        browser.awaitText(".grid-head", "Note");

        // when
        chooses("Weight", "Move left");
        Waiting.until("the column has moved", () -> heads().equals("Weight,Name,Note"));
        chooses("Name", "Hide field");

        // then
        Waiting.until("the column is hidden", () -> heads().equals("Weight,Note"));
        browser.open(address);
        Waiting.until("the arrangement is kept", () -> heads().equals("Weight,Note"));

        // when
        chooses("Note", "Show 1 hidden field");

        // then
        Waiting.until("all columns are shown", () -> heads().equals("Weight,Name,Note"));
    }

    private static String heads() {
        return browser.run("return [...document.querySelectorAll('[data-column-menu]')].map((each) =>"
                        + " each.querySelector('.cut').innerText).join()")
                .asText();
    }

    private static void chooses(String column, String item) {
        browser.run(
                "[...document.querySelectorAll('[data-column-menu]')].find((each) =>"
                        + " each.querySelector('.cut').innerText === arguments[0]).click()",
                column);
        browser.awaitText(".menu", item);
        browser.run(
                "[...document.querySelectorAll('.menu [role^=menuitem]')].find((each) =>"
                        + " each.innerText.includes(arguments[0])).click()",
                item);
    }

    /** Keys are sent without waiting for the slow page, and rows are removed meanwhile. */
    @Test
    void losesNoKey_howeverSoonItComes() {
        // given more rows than are visible, and the last one far away
        var tableId = grid.make(
                "Stones",
                TableGrid.field("Name", "TEXT"),
                TableGrid.field("Weight", "NUMBER"),
                TableGrid.field("Note", "TEXT"));
        var rows = 200;
        var records = Json.object().put("tableId", tableId);
        var all = records.putArray("records");
        for (var row = 0; row < rows; row++) {
            all.addArray();
        }
        assertThat(ada.api().post("/v1/records", records).status()).isEqualTo(201);
        browser.open(url + "/projects/" + ada.projectId() + "/tables/" + tableId);
        browser.awaitText(".grid-status", rows + " records");
        browser.slowDown(4);

        // when
        browser.click("[data-row='0'] [data-column='0']");
        grid.types("Granite" + Keyboard.TAB + "12,5" + Keyboard.TAB + "grey", Keyboard.ENTER);
        browser.pressWith(Keyboard.CONTROL, Keyboard.END);
        grid.types("the very last one", Keyboard.TAB);
        browser.pressWith(Keyboard.CONTROL, Keyboard.HOME);
        grid.types(
                Keyboard.DOWN + "Basalt" + Keyboard.TAB + "7" + Keyboard.TAB + "black" + Keyboard.TAB + "Gneiss"
                        + Keyboard.TAB + "9",
                Keyboard.ENTER);

        // then
        browser.slowDown(1);
        Waiting.until(
                "every key has arrived",
                () -> grid.texts(tableId, rows)
                        .equals(List.of("Granite|12.5|grey", "Basalt|7|black", "Gneiss|9", "the very last one")));

        // when another client deletes the first row while the second is edited
        browser.click("[data-row='1'] [data-column='0']");
        browser.press("Ba");
        var first = browser.run("return document.querySelector(\"[data-row='0']\").dataset.id")
                .asText();
        var gone = Json.object().put("tableId", tableId);
        gone.putArray("ids").add(first);
        assertThat(ada.api()
                        .send("DELETE", "/v1/records", Map.of("Content-Type", "application/json"), Json.text(gone))
                        .status())
                .isLessThan(300);
        browser.awaitText(".grid-status", (rows - 1) + " records");
        browser.press("salt of the sea" + Keyboard.ENTER);

        // then
        Waiting.until(
                "it is in the row that it was typed into",
                () -> grid.texts(tableId, rows)
                        .equals(List.of("Basalt of the sea|7|black", "Gneiss|9", "the very last one")));
    }

    /** Ten thousand rows: pasted at once, scrolled, sorted, filtered, edited, and changed by another user. */
    @Test
    void pastesTenThousandRows_andFindsItsWayInThem() {
        // given
        var tableId = grid.make(
                "People",
                TableGrid.field("Name", "TEXT"),
                TableGrid.field("Number", "NUMBER"),
                TableGrid.field("Day", "DATE"),
                TableGrid.field("Town", "TEXT"),
                TableGrid.field("Note", "TEXT"));
        browser.open(url + "/projects/" + ada.projectId() + "/tables/" + tableId);
        browser.awaitText(".grid-head", "Town");

        // when
        grid.paste(
                "Array.from({ length: " + ROWS + " }, (_, i) => ['Person ' + i, (i * 7919) % " + ROWS
                        + ", '2026-03-0' + (1 + i % 9), ['Linz', 'Graz', 'Wels'][i % 3], 'note ' + i].join('\\t')).join('\\n')");
        browser.awaitText(".grid-status", "of 10,000");
        browser.awaitText(".toasts", "10000 rows pasted");

        // then
        browser.awaitText(".grid-status", "10,000 records");
        assertThat(ada.api().get("/v1/tables/" + tableId + "/export").body().path("rows"))
                .hasSize(ROWS);
        scrollsSmoothly();

        // when the largest number is first, and of one town only
        browser.open(url + "/projects/" + ada.projectId() + "/tables/" + tableId);
        browser.awaitText(".grid-status", "10,000 records");
        browser.click(".grid-title:nth-of-type(3) button");
        grid.chooses("Sort descending");
        browser.awaitText("[data-row='0'] [data-column='1']", "9999");
        browser.press("f");
        browser.awaitText("dialog", "Filter records");
        browser.click("dialog [aria-label=Field]");
        browser.press("Town" + Keyboard.ENTER);
        browser.type("dialog [name=value]", "Graz");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".grid-status", "3,333 of 10,000");
        browser.awaitText("[data-row='0'] [data-column='3']", "Graz");
        browser.inspect("table-filtered");

        // when a column is drawn wider, and another one made wider by its menu
        var before = grid.columnWidths();
        browser.drag(".grid-title .column-edge", 90);
        browser.click(".grid-title:nth-of-type(3) button");
        grid.chooses("Wider");

        // then this browser remembers it
        assertThat(grid.columnWidths()).startsWith(before.get(0) + 90, before.get(1) + 40, before.get(2));
        var widths = grid.columnWidths();
        browser.open(browser.address());
        browser.awaitText("[data-row='0'] [data-column='3']", "Graz");
        assertThat(grid.columnWidths()).isEqualTo(widths);

        // when another client writes into the first row
        var recordId = browser.run("return document.querySelector('.grid-row').dataset.id")
                .asText();
        var fieldId = ada.api()
                .get("/v1/fields?tableId=" + tableId)
                .body()
                .at("/4/id")
                .asText();
        var change = Json.object().put("tableId", tableId);
        change.putArray("cells").addObject().put("fieldId", fieldId).put("value", "by somebody else");
        ada.api().post("/v1/records/" + recordId, change);

        // then
        browser.awaitText("[data-row='0'] [data-column='4']", "by somebody else");
    }

    /** Prints the frame rate, and asserts only the rendered rows: the frame rate depends on the machine. */
    private static void scrollsSmoothly() {
        var told = browser.run("""
                const grid = document.querySelector('.grid');
                const frames = 60;
                return new Promise((done) => {
                  let frame = 0;
                  let longest = 0;
                  let last = performance.now();
                  const first = last;
                  const step = (now) => {
                    longest = Math.max(longest, now - last);
                    last = now;
                    grid.scrollTop = (grid.scrollHeight - grid.clientHeight) * frame / frames;
                    grid.scrollLeft = frame;
                    if (frame++ < frames) {
                      requestAnimationFrame(step);
                    } else {
                      done({ fps: Math.round(frames * 1000 / (now - first)), longest: Math.round(longest),
                        rows: document.querySelectorAll('.grid-row').length, last: document.querySelector('.grid-row:last-of-type').textContent });
                    }
                  };
                  requestAnimationFrame(step);
                });
                """);
        System.out.println("A table of " + ROWS + " records scrolled from end to end: "
                + told.path("fps").asInt() + " frames a second, the longest took "
                + told.path("longest").asInt() + " ms");
        assertThat(told.path("rows").asInt())
                .as("only visible rows are rendered")
                .isLessThan(60);
        browser.awaitText(".grid-body", "Person 9999");
    }

    @Test
    void takesFilesInAndOut_andRemovesRows() {
        // given
        var tableId = grid.make("Stock", TableGrid.field("Article", "TEXT"), TableGrid.field("Pieces", "NUMBER"));
        browser.open(url + "/projects/" + ada.projectId() + "/tables/" + tableId);
        browser.awaitText("main", "No records yet");

        // when
        browser.click(".table-head [aria-label='Actions for Stock']");
        grid.chooses("Import a file");
        browser.awaitText("dialog", "The first line has the column names");
        browser.run("""
                const file = new File(['article;Pieces;Price\\n"Nut; M8";100;0,05\\nBolt;70;"1,20"\\n=1+1;1;2'], 'stock.csv');
                const data = new DataTransfer();
                data.items.add(file);
                const input = document.querySelector('dialog input[type=file]');
                input.files = data.files;
                input.dispatchEvent(new Event('change', { bubbles: true }));
                """);
        browser.awaitText("dialog", "Import 3 records");
        browser.inspect("table-import");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".grid-status", "3 records");
        assertThat(grid.recordsOf("Stock")).containsExactly("Nut; M8 100 0.05", "Bolt 70 1.20", "=1+1 1 2");

        // when
        browser.run(
                "const original = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((text) => { window.handed = text; }); return original(blob); }");
        browser.click(".table-head [aria-label='Actions for Stock']");
        grid.chooses("Export as CSV");

        // then a text that a spreadsheet would execute is exported as a text
        Waiting.until(
                "the file is handed out",
                () -> browser.run("return (window.handed ?? '').includes('Nut; M8')")
                        .asBoolean());
        assertThat(browser.run("return window.handed").asText())
                .contains("Article,Pieces,Price\r\n\"Nut; M8\",100,0.05\r\nBolt,70,1.20\r\n'=1+1,1,2");

        // when two rows are selected by keyboard and deleted
        browser.click("[data-row='1'] [data-column='0']");
        browser.pressWith(Keyboard.SHIFT, Keyboard.DOWN);
        browser.pressWith(Keyboard.SHIFT, " ");
        browser.awaitText(".grid-bulk", "2 records selected");
        browser.inspect("table-chosen");
        browser.click(".grid-bulk .button");
        browser.awaitText(".toasts", "2 records deleted");

        // then
        browser.awaitText(".grid-status", "1 record");
        assertThat(grid.recordsOf("Stock")).containsExactly("Nut; M8 100 0.05");

        // when
        browser.click(".toast .button");

        // then
        browser.awaitText(".grid-status", "3 records");

        // when all cells are cleared, and this is undone
        browser.click("[data-row='0'] [data-column='0']");
        browser.pressWith(Keyboard.CONTROL, "a");
        browser.press(Keyboard.DELETE);
        Waiting.until(
                "no cell holds a text", () -> grid.recordsOf("Stock").stream().allMatch(String::isBlank));
        browser.pressWith(Keyboard.CONTROL, "z");

        // then
        Waiting.until("they are back", () -> grid.recordsOf("Stock").contains("Bolt 70 1.20"));
        browser.press(Keyboard.HOME);
    }
}
