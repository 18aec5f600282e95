package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.AgentCaller;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.ModelServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user reads the model usage of a project, and manages its custom MCP servers. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class AgentOperationBrowserIT {
    private static final Map<String, List<String>> findings = new TreeMap<>();

    @AutoClose
    private static ModelServer models = ModelServer.start();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        models.serve(ada);
        LiveFlow.publish(
                ada,
                FlowScript.trigger(
                        "@activepieces/piece-mcp",
                        "0.1.0",
                        "mcp_tool",
                        "{'toolName':'Price',"
                                + "'toolDescription':'Says a price','returnsResponse':false,'inputSchema':[]}"));
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Agents");
    }

    private static void look(String page) {
        var found = browser.look(page);
        if (!found.isEmpty()) {
            findings.put(page, found);
        }
    }

    private static String in(String path) {
        return url + "/projects/" + ada.projectId() + path;
    }

    private static JsonNode servers() {
        return ada.api().get("/v1/mcp/" + ada.projectId() + "/servers").body().path("data");
    }

    private static int toolCount(String token) {
        var list = (ObjectNode) FlowScript.json("{'jsonrpc':'2.0','id':1,'method':'tools/list'}");
        return server.anonymous()
                .with(token)
                .post("/v1/mcp/" + ada.projectId() + "/http", list)
                .body()
                .at("/result/tools")
                .size();
    }

    /** In order: each test continues with the data of the previous one. */
    @Test
    void readsTheUsageOfModels_andManagesServers() {
        showsNoUsage_beforeTheFirstCall();
        showsUsageByModelAndDay();
        createsAServer_andShowsItsTokenOnce();
        changesItsTools();
        replacesItsToken();
        deletesIt();

        // Then
        assertThat(findings).isEmpty();
    }

    private static void showsNoUsage_beforeTheFirstCall() {
        browser.open(in("/agents"));
        browser.awaitText("main", "No model calls this month");
        look("model-usage-empty");
    }

    private static void showsUsageByModelAndDay() {
        var agents = new AgentCaller(ada);
        models.then(ModelServer.text("One.").costing(1_200)).then(ModelServer.text("Two."));
        agents.run(agents.order("Count."));
        agents.run(agents.order("Count on."));
        Waiting.until(
                "the usage is counted",
                () -> ada.api()
                                .get("/v1/ai-usage?projectId=" + ada.projectId())
                                .body()
                                .at("/data/0/calls")
                                .asInt()
                        == 2);

        browser.open(in("/agents"));
        browser.awaitText("main", "mill-1");

        var row = browser.run("return [...document.querySelectorAll('.table tbody tr')].map((each) => each.innerText)"
                        + ".find((text) => text.includes('mill-1'))")
                .asText();
        assertThat(row).contains("mill-1 (custom)", "1,220", "$0.0000").containsPattern("\\d{4}-\\d{2}-\\d{2}");
        look("model-usage");
    }

    private static void createsAServer_andShowsItsTokenOnce() {
        browser.open(in("/mcp?view=servers"));
        browser.awaitText("main", "No custom servers yet");
        look("mcp-servers-empty");
        click("main button", "New server");
        browser.type("dialog [name=displayName]", "Support");
        look("mcp-server-new");
        browser.click("dialog .primary");
        browser.awaitText("dialog", "This is shown only once");
        var token = browser.run("return document.querySelector('dialog .once pre').innerText")
                .asText();
        look("mcp-server-token");
        browser.click("dialog .primary");
        browser.awaitText(".table", "Support");
        browser.awaitText(".table", "All flows that are tools");
        assertThat(toolCount(token)).isEqualTo(1);
        look("mcp-servers");
    }

    /** Clicks the first element of a selector with a text. */
    private static void click(String selector, String text) {
        var script = "const found = [...document.querySelectorAll(arguments[0])]"
                + ".find((each) => each.innerText.includes(arguments[1])); if (!found) return false;"
                + "found.click(); return true";
        Waiting.until(
                text + " is clicked", () -> browser.run(script, selector, text).asBoolean());
    }

    private static void choose(String item) {
        browser.click(".table tbody [aria-haspopup=menu]");
        browser.awaitText(".menu", item);
        click(".menu [role=menuitem]", item);
    }

    private static void changesItsTools() {
        choose("Edit");
        browser.awaitText("dialog", "Edit server");
        click("dialog .check", "All flows that are tools");
        browser.awaitText("dialog", "Price");
        click("dialog .check", "Price");
        click("dialog .check", "Tables");
        look("mcp-server-edit");
        browser.click("dialog .primary");
        browser.awaitText(".table", "1 flow, Tables");
        assertThat(servers().at("/0/allFlows").asBoolean()).isFalse();
        assertThat(servers().at("/0/flowIds")).hasSize(1);
        assertThat(servers().at("/0/tables").asBoolean()).isTrue();
    }

    private static void replacesItsToken() {
        choose("Replace token");
        browser.awaitText("dialog", "lose access at once");
        browser.click("dialog footer .danger");
        browser.awaitText("dialog", "This is shown only once");
        var token = browser.run("return document.querySelector('dialog .once pre').innerText")
                .asText();
        assertThat(toolCount(token)).isEqualTo(9);
        browser.click("dialog .primary");
    }

    private static void deletesIt() {
        choose("Delete");
        browser.awaitText("dialog", "Delete “Support”?");
        browser.click("dialog footer .danger");
        browser.awaitText("main", "No custom servers yet");
        assertThat(servers()).isEmpty();
    }
}
