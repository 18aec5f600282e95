package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import java.util.List;
import java.util.stream.Collectors;

/** Page of a table, and its records as the API returns them. */
final class TableGrid {
    private final Browser browser;
    private final SignedIn ada;

    TableGrid(Browser browser, SignedIn ada) {
        this.browser = browser;
        this.ada = ada;
    }

    /** The first key opens the cell, the last one leaves it; the keys between are typed into it at any speed. */
    void types(String text, String last) {
        browser.press(text + last);
    }

    /** Non-empty cell values of the first rows of a table. */
    List<String> texts(String tableId, int rows) {
        return ada.api()
                .get("/v1/records?limit=" + rows + "&tableId=" + tableId)
                .body()
                .path("data")
                .valueStream()
                .map(record -> record.path("cells")
                        .valueStream()
                        .map(cell -> cell.path("value").asText(""))
                        .filter(text -> !text.isEmpty())
                        .collect(Collectors.joining("|")))
                .filter(text -> !text.isEmpty())
                .toList();
    }

    void adds(String name, String type) {
        browser.click(".grid-aside .button");
        browser.type("dialog [name=name]", name);
        browser.click("dialog select");
        browser.press(type + Keyboard.ENTER);
        if (type.equals("Choice")) {
            browser.type("dialog [name=options]", "open\npaid");
        }
        browser.click("dialog .primary");
        browser.awaitText(".grid-head", name);
    }

    void records(String... texts) {
        try {
            Waiting.until(
                    "the table holds " + List.of(texts),
                    () -> recordsOf("Orders").equals(List.of(texts)));
        } catch (AssertionError late) {
            throw new AssertionError(
                    "found " + recordsOf("Orders") + ", and on the page: "
                            + browser.run("return document.querySelector('main').innerText"),
                    late);
        }
    }

    List<String> recordsOf(String table) {
        return ada.api()
                .get("/v1/records?limit=10&tableId=" + table(table).path("id").asText())
                .body()
                .path("data")
                .valueStream()
                .map(record -> String.join(
                        " ",
                        record.path("cells")
                                .valueStream()
                                .map(cell -> cell.path("value").asText())
                                .toList()))
                .toList();
    }

    JsonNode table(String name) {
        return ada.api()
                .get("/v1/tables?name=" + name + "&projectId=" + ada.projectId())
                .body()
                .at("/data/0");
    }

    List<Integer> columnWidths() {
        return browser.run("return [...document.querySelectorAll('.grid-title')].map((each) => each.offsetWidth)")
                .valueStream()
                .map(JsonNode::asInt)
                .toList();
    }

    void paste(String text) {
        browser.click(".grid");
        browser.run(
                "const data = new DataTransfer(); data.setData('text/plain', " + text + ");"
                        + "document.querySelector('.grid').dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}))");
    }

    void chooses(String action) {
        browser.awaitText(".menu", action);
        browser.run(
                "[...document.querySelectorAll('.menu [role^=menuitem]')]"
                        + ".find((each) => each.textContent.includes(arguments[0])).click()",
                action);
    }

    static ObjectNode field(String name, String type) {
        return Json.object().put("name", name).put("type", type);
    }

    String make(String name, ObjectNode... fields) {
        var table = Json.object().put("projectId", ada.projectId()).put("name", name);
        table.putArray("fields").addAll(List.of(fields));
        var made = ada.api().post("/v1/tables", table);
        assertThat(made.status()).isEqualTo(201);
        return made.text("/id");
    }
}
