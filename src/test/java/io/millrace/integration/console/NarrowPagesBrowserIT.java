package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pages on a phone, in a half window, and at 200 % zoom of windows of 1280 and 1440 px: none scrolls horizontally, and no controls of a header overlap or leave the page. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class NarrowPagesBrowserIT {
    private static final List<Integer> WIDTHS = List.of(360, 390, 640, 720, 960);

    private static final List<String> PLATFORM = List.of(
            "",
            "/insight",
            "/audit",
            "/pieces",
            "/templates",
            "/connections",
            "/ai",
            "/projects",
            "/users",
            "/sign-on",
            "/keys",
            "/secrets",
            "/embedding",
            "/branding",
            "/events",
            "/encryption");

    private static final List<String> PROJECT = List.of(
            "/flows",
            "/runs",
            "/runs?view=causes",
            "/approvals",
            "/tables",
            "/connections",
            "/connections?view=variables",
            "/connections?view=global",
            "/people",
            "/people?view=roles",
            "/people?view=users",
            "/settings",
            "/settings?view=pieces",
            "/settings?view=alerts",
            "/settings?view=git",
            "/settings?view=releases",
            "/agents",
            "/mcp",
            "/mcp?view=tools",
            "/mcp?view=granted");

    /**
     * Widths of scrolling elements, controls of headers that overlap or are cut off, then columns of lists that are too
     * narrow for their title, their controls or the name of the row.
     */
    private static final String FINDINGS = """
            const found = [];
            for (const e of [document.documentElement, document.body, ...document.querySelectorAll('main, .page')]) {
              if (e.scrollWidth > e.clientWidth) { found.push(`${e.localName}.${e.className} is ${e.scrollWidth} of ${e.clientWidth} px wide`); }
            }
            for (const head of document.querySelectorAll('.top, .builder-head, .page-head, .section-head, .panel-head, .table-head, .json-head, .agent-head, dialog header')) {
              const shown = [...head.querySelectorAll('button, a, input, select, .badge, h1, h2')].filter((e) => e.checkVisibility());
              const boxes = shown.map((e) => [e.ariaLabel || e.innerText || e.localName, e.getBoundingClientRect(), e]);
              boxes.forEach(([name, box, e], at) => {
                if (box.left < -0.5 || box.right > innerWidth + 0.5) { found.push(`${name} is cut off`); }
                for (const [other, its, o] of boxes.slice(at + 1)) {
                  if (!e.contains(o) && box.left < its.right - 1 && its.left < box.right - 1 && box.top < its.bottom - 1 && its.top < box.bottom - 1) {
                    found.push(`${name} overlaps ${other}`);
                  }
                }
              });
            }
            for (const cell of document.querySelectorAll('.table :is(th, td)')) {
              const box = cell.getBoundingClientRect();
              const isTitle = cell.localName === 'th' && !cell.querySelector('.visually-hidden');
              const name = cell.closest('table').ariaLabel + ': ' + (cell.innerText.trim() || 'cell');
              if (box.width === 0 || getComputedStyle(cell).display === 'none') { continue; }
              if (isTitle && cell.scrollWidth > cell.clientWidth + 1) { found.push(`${name} is wider than its column`); }
              for (const e of cell.querySelectorAll('.button, .badge, .switch, .load, input, select')) {
                if (e.checkVisibility() && e.getBoundingClientRect().right > box.right + 0.5) { found.push(`${name} leaves its column`); }
              }
            }
            for (const col of document.querySelectorAll('.table colgroup')) {
              const cells = [...(col.parentElement.tBodies[0]?.rows[0]?.cells ?? [])];
              [...col.children].forEach((each, at) => {
                if (!each.style.width && cells[at] && cells[at].offsetWidth < 116) { found.push(`${col.parentElement.ariaLabel}: the main column is ${cells[at].offsetWidth} px wide`); }
              });
            }
            for (const e of document.querySelectorAll('.setting, .facts > div, .page-actions')) {
              const box = e.getBoundingClientRect();
              for (const child of e.querySelectorAll('*')) {
                const its = child.getBoundingClientRect();
                if (child.checkVisibility() && its.right > box.right + 0.5 && !child.closest('.visually-hidden, .cut, .tabs, pre')) { found.push(`${child.innerText || child.localName} leaves its line`); }
              }
            }
            return found.join('; ');
            """;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static final int LOOKS = 200;

    private static final Map<String, String> findings = new TreeMap<>();

    private static SignedIn ada =
            server.signUp("ada@acme-tools.example", "Ada").inTeam("Customer relations and after-sales");
    private static String url = "http://localhost:" + server.port();

    @Test
    void noPageScrollsSideways_andNoControlsOverlap() {
        // Given a record of each kind, with long names
        var flow = LiveFlow.publish(ada, webhook().map("step_1", "{'total':7}"));
        var run = flow.run(Json.object().put("amount", 42)).path("id").asText();
        var draft = LiveFlow.named(
                ada,
                "Answer questions about orders and deliveries",
                webhook().map("step_1", "{}").importOperation("Answer questions about orders and deliveries"));
        var table = Json.object().put("projectId", ada.projectId()).put("name", "Articles of the warehouse in Graz");
        table.putArray("fields").addObject().put("name", "Article").put("type", "TEXT");
        var tableId = ada.api().post("/v1/tables", table).text("/id");
        var agentId = made(
                "/v1/agents",
                ((ObjectNode) FlowScript.json(
                                "{'displayName':'Clerk for orders and returns','description':'Answers about orders',"
                                        + "'icon':'bot','color':'BLUE','draft':{'instructions':'Answer.'}}"))
                        .put("projectId", ada.projectId()));
        fillLists();
        browser.signIn(url, ada.api());
        browser.awaitText("main", "New flow");

        // Then
        var own = List.of(
                "/flows/" + flow.id(),
                "/flows/" + flow.id() + "?step=step_1",
                "/flows/" + flow.id() + "/tests",
                "/flows/" + draft.id(),
                "/runs/" + run,
                "/runs/" + run + "?view=flow",
                "/tables/" + tableId,
                "/agents/" + agentId,
                "/agents/" + agentId + "?view=try");
        for (var width : WIDTHS) {
            browser.inWidth(
                    width,
                    () -> Stream.concat(
                                    Stream.concat(own.stream(), PROJECT.stream())
                                            .map(path -> "/projects/" + ada.projectId() + path),
                                    PLATFORM.stream().map(path -> "/platform" + path))
                            .forEach(path -> look(width, path)));
        }
        assertThat(findings).isEmpty();
    }

    /** A row for lists that are empty on a new server: an empty list has no columns. */
    private static void fillLists() {
        made("/v1/api-keys", Json.object().put("displayName", "Key of the warehouse management"));
        var destination = Json.object().put("url", "https://events.acme-tools.example/a/long/path/to/the/receiver");
        destination.putArray("events").add("flow.run.finished");
        made("/v1/event-destinations", destination);
        made(
                "/v1/user-invitations",
                Json.object()
                        .put("type", "PROJECT")
                        .put("email", "bartholomew.featherstonehaugh@acme-tools.example")
                        .put("projectId", ada.projectId())
                        .put("projectRole", "Viewer"));
        made(
                "/v1/folders",
                Json.object().put("displayName", "Purchasing and receiving").put("projectId", ada.projectId()));
        made(
                "/v1/variables",
                Json.object()
                        .put("projectId", ada.projectId())
                        .put("name", "ADDRESS_OF_THE_SHOP")
                        .put("value", "https://shop.example"));
    }

    /** Id of a new object. */
    private static String made(String path, ObjectNode body) {
        var answer = ada.api().post(path, body);
        assertThat(answer.status()).as(path + " " + answer.body()).isLessThan(300);
        return answer.text("/id");
    }

    private static void look(int width, String path) {
        browser.open(url + path);
        Waiting.until(
                path + " is shown",
                () -> browser.run(
                                "return !!document.querySelector('main h1, main .builder-head') && !document.querySelector('.skeleton, [aria-busy=true]')")
                        .asBoolean());
        // A page may still be loading a part.
        var found = browser.run(FINDINGS).asText();
        for (var again = 0; again < LOOKS && !found.isEmpty(); again++) {
            found = browser.run(FINDINGS).asText();
        }
        if (!found.isEmpty()) {
            findings.put(width + " px: " + path, found);
        }
    }
}
