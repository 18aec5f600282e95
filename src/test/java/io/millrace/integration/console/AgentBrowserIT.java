package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.secret.Hashes;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.ModelServer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user creates and tests an agent, grants and revokes access of assistants, and searches by name. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class AgentBrowserIT {
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

    private static JsonNode agents() {
        return ada.api().get("/v1/agents?projectId=" + ada.projectId()).body().path("data");
    }

    /** In order: each test continues with the data of the previous one. */
    @Test
    void makesAnAgent_connectsAssistants_andFindsThings() {
        makesAnAgent();
        triesIt();
        connectsAssistants();
        takesBackWhatWasGranted();
        findsThingsByName();

        // Then
        assertThat(findings).isEmpty();
    }

    private static void makesAnAgent() {
        browser.open(in("/agents"));
        browser.awaitText("main", "No agents yet");
        look("agents-empty");
        browser.press("c");
        browser.type("[name=displayName]", "Order clerk");
        browser.type("[name=description]", "Answers about orders");
        look("agent-new");
        browser.click("dialog .primary");
        browser.awaitText("h1", "Order clerk");
        browser.type("[name=instructions]", "You answer questions about orders.");
        // A driver considers content below the sticky bar visible.
        browser.run("document.querySelector('.agent-form [aria-haspopup=menu]').scrollIntoView({ block: 'center' })");
        browser.click(".agent-form [aria-haspopup=menu]");
        browser.awaitText(".menu", "Action");
        browser.click(".menu [role=menuitem]:nth-child(2)");
        browser.choose("dialog [data-field=piece]", "Math Helper");
        browser.choose("dialog [data-field=action]", "Addition");
        browser.click("dialog .primary");
        browser.awaitText(".origins", "Math helper: Addition math");
        browser.click(".save-bar .primary");
        browser.awaitText(".save-bar", "All changes saved");
        look("agent");
        browser.click(".page-head .primary");
        browser.awaitText(".agent-head", "Published");
        assertThat(agents().at("/0/isPublished").asBoolean()).isTrue();
        assertThat(agents().at("/0/toolCount").asInt()).isEqualTo(1);
    }

    private static void triesIt() {
        models.otherwise(question -> isFirst(question)
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(), "{'first_number':2,'second_number':5}")
                : ModelServer.text("Together they are **seven**."));
        browser.click("main [role=tab]:nth-child(2)");
        browser.type("[name=question]", "Add two to five.");
        browser.click("main form .primary");
        browser.awaitText(".turn:nth-child(1) .blocks", "Together they are seven.");
        asksAgain();
        browser.click(".called summary");
        browser.awaitText(".called", "Result");
        look("agent-try");
        newConversation();
        browser.click("main [role=tab]:nth-child(3)");
        browser.awaitText(".table", "Add two to five.");
        look("agent-runs");
        browser.click(".table tbody tr:last-child a");
        browser.awaitText(".blocks", "seven");
        browser.awaitText(".agent-head", "Ended");
        look("agent-run");
        browser.open(in("/agents"));
        browser.awaitText(".table", "Order clerk");
        look("agents");
    }

    private static boolean isFirst(JsonNode question) {
        return question.path("messages")
                .valueStream()
                .noneMatch(each -> each.path("role").asText().equals("tool"));
    }

    /** The second turn reads the first one; the third one is canceled. */
    private static void asksAgain() {
        browser.awaitText(".composer-actions", "Send");
        models.then(ModelServer.text("It was *seven*."));
        browser.type("[name=question]", "What was the sum?");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".turn:nth-child(2) .turn-question", "What was the sum?");
        browser.awaitText(".turn:nth-child(2) .blocks", "It was seven.");
        assertThat(models.questions
                        .getLast()
                        .path("messages")
                        .valueStream()
                        .map(each -> each.path("role").asText() + ": "
                                + each.path("content").asText()))
                .contains("user: Add two to five.", "assistant: Together they are **seven**.")
                .last()
                .isEqualTo("user: What was the sum?");
        browser.awaitText(".composer-actions", "Send");
        models.holding();
        browser.type("[name=question]", "Are you sure?");
        browser.click("main form .primary");
        browser.awaitText(".turn:nth-child(3) .blocks", "Thinking");
        browser.click(".composer-actions .button");
        browser.awaitText(".composer-actions", "Send");
        models.release();
    }

    /** The conversation survives a change of the view; a new one is empty. */
    private static void newConversation() {
        browser.click("main [role=tab]:nth-child(3)");
        browser.awaitText(".table", "Add two to five.");
        browser.click("main [role=tab]:nth-child(2)");
        browser.awaitText(".turn:nth-child(1) .turn-question", "Add two to five.");
        browser.click(".section-actions .button");
        Waiting.until(
                "the conversation is empty",
                () -> browser.run("return !document.querySelector('.turn')").asBoolean());
    }

    private static void connectsAssistants() {
        browser.open(in("/mcp"));
        browser.awaitText(".once", "claude mcp add --transport http");
        browser.awaitText(".facts", "/api/v1/mcp/" + ada.projectId() + "/http");
        look("mcp");
        browser.open(in("/mcp?client=cursor"));
        browser.awaitText(".once", "mcpServers");
        look("mcp-guide");
        browser.open(in("/mcp?view=tools"));
        browser.awaitText(".table", "ap_list_flows");
        browser.click(".table .switch");
        Waiting.until(
                "a tool is hidden",
                () -> ada.api()
                                .get("/v1/mcp/" + ada.projectId())
                                .body()
                                .path("disabledTools")
                                .size()
                        == 1);
        look("mcp-tools");
    }

    /** Inserts the rows of a client whose user has consented and which has exchanged its code. */
    private static void takesBackWhatWasGranted() {
        server.execute("""
                insert into mcp_client (id, created, name, redirect_uris, grant_types, authentication, secret_hash)
                values ('claude', now(), 'Claude', array['https://claude.ai/callback'], array['authorization_code'], 'NONE', null)
                """);
        server.execute("""
                insert into mcp_grant (id, created, client_id, user_id, platform_id, redirect_uri, code_challenge, code_hash,
                                       refresh_hash, expires, token_version)
                select $1, now(), 'claude', u.id, u.platform_id, 'https://claude.ai/callback', 'c', 'h', $2,
                       now() + interval '1 day', i.token_version
                  from platform_user u join user_identity i on i.id = u.identity_id where u.id = $3
                """, Ids.next(), Hashes.sha256Hex("refresh"), ada.userId());
        browser.open(in("/mcp?view=granted"));
        browser.awaitText(".table", "claude.ai");
        look("mcp-granted");
        browser.click(".table .button");
        browser.awaitText("dialog", "can no longer act");
        browser.click("dialog footer .danger");
        browser.awaitText("main", "No authorized clients yet");
        assertThat(server.count("select count(*) from mcp_grant where not revoked"))
                .isZero();
    }

    private static void findsThingsByName() {
        var orders = LiveFlow.named(
                ada, "Orders", webhook().map("step_1", "{'a':'b'}").importOperation("Orders"));
        browser.open(in("/flows"));
        browser.awaitText(".table", "Orders");
        browser.pressWith(Keyboard.CONTROL, "k");
        browser.awaitText(".palette", "Recent");
        browser.type(".palette input", "clerk");
        browser.awaitText(".palette [data-active=true]", "Order clerk");
        browser.type(".palette input", "order");
        browser.awaitText(".palette ul", "Runs of Orders");
        look("palette-found");
        browser.type(".palette input", "encryption");
        browser.awaitText(".palette [data-active=true]", "Encryption");
        browser.press(Keyboard.ENTER);
        browser.awaitText("h1", "Encryption");
        browser.pressWith(Keyboard.CONTROL, "k");
        browser.type(".palette input", "step_1");
        browser.awaitText(".palette", "Step of Orders");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".step-panel", "Mapping");
        assertThat(browser.address()).contains(orders.id()).contains("step=step_1");
        browser.press(Keyboard.ESCAPE);
    }
}
