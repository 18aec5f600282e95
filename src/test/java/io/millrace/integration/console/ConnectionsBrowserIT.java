package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A user creates connections of every kind, with a provider of the test. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ConnectionsBrowserIT {
    @AutoClose
    private static CrmPiece crm = new CrmPiece();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"), List.of(crm));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Connections");
    }

    /** In order: each test continues with the data of the previous one. */
    @Test
    void connects_namesAnew_replaces_andKeepsVariables() {
        connectsByOAuth();
        connectsByAKey();
        findsWhereItIsUsed_andReplaces();
        sharesAGlobalOne();
        keepsVariables();
    }

    private static void opensDialog() {
        browser.open(url + "/projects/" + ada.projectId() + "/connections");
        browser.click(".page-head .primary");
        browser.click("[data-piece='" + CrmPiece.NAME + "']");
        browser.awaitText("dialog", "Connection name");
    }

    private static void connectsByOAuth() {
        // given
        opensDialog();

        // when
        browser.type("dialog .field input", "CRM by OAuth");
        browser.type("dialog [name=client_id]", "millrace");
        browser.type("dialog [name=client_secret]", "the client's secret");
        browser.run("""
                const [send, open] = [window.fetch, window.open];
                let popup;
                window.open = (...how) => popup = open(...how);
                window.fetch = (address, options) => {
                  if (String(address).includes('authorization-url')) {
                    window.saidWhileWaiting = popup.document.body.innerText;
                  }
                  return send(address, options);
                };
                """);
        browser.click("dialog .primary");

        // then the window shows what it waits for
        Waiting.until(
                "the window has a text",
                () -> browser.run("return window.saidWhileWaiting ?? ''")
                        .asText()
                        .contains("Opening the sign-in page of"));
        browser.awaitText(".table", "CRM by OAuth");
        browser.awaitText(".table", "Works");
        assertThat(connections().get(0).path("type").asText()).isEqualTo("OAUTH2");
    }

    private static void connectsByAKey() {
        // given
        opensDialog();
        browser.click("dialog select");
        browser.press("API key\uE007");

        // when the service rejects the key
        browser.type("dialog .field input", "CRM by key");
        browser.type("dialog [name=secret_text]", CrmPiece.REFUSED);
        browser.click("dialog .primary");

        // then
        browser.awaitText("dialog [role=alert]", "does not know this key");
        browser.inspect("connection-refused");

        // when
        browser.type("dialog [name=secret_text]", "the right key");
        browser.click("dialog .primary");
        browser.awaitText(".table", "CRM by key");
        chooses("CRM by key", "Rename");
        browser.type("dialog .field input", "Sales CRM");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".table", "Sales CRM");

        // when
        chooses("Sales CRM", "Reconnect");
        browser.type("dialog [name=secret_text]", "another key");
        browser.click("dialog .primary");
        browser.awaitText(".toasts", "connected");
        chooses("Sales CRM", "Check now");

        // then
        browser.awaitText(".toasts", "Sales CRM works");
        assertThat(connections()).hasSize(2);
    }

    private static void findsWhereItIsUsed_andReplaces() {
        // given
        var key = externalId("Sales CRM");
        var flow = LiveFlow.draft(ada, FlowScript.webhook());
        var operation = FlowScript.webhook()
                .code("step_1", "export const code = async () => 1;")
                .importOperation("Customers");
        ((ObjectNode) operation.at("/request/trigger/nextAction/settings/input"))
                .put("auth", "{{connections['" + key + "']}}");
        assertThat(flow.operate(operation).status()).isEqualTo(200);
        browser.open(url + "/projects/" + ada.projectId() + "/connections");
        browser.awaitText(".table", "1 flow");

        // when
        chooses("Sales CRM", "Show usage");

        // then
        browser.awaitText("dialog", "Customers");
        browser.awaitText("dialog", "The step_1");
        browser.press("\uE00C");

        // when
        chooses("Sales CRM", "Replace with another");
        browser.choose("dialog [role=combobox]", "CRM by OAuth");
        browser.click("dialog .primary");

        // then
        browser.awaitText(".toasts", "All steps now use CRM by OAuth");
        assertThat(ada.api().get("/v1/flows/" + flow.id()).body().toString())
                .contains(externalId("CRM by OAuth"))
                .doesNotContain(key);
    }

    private static void sharesAGlobalOne() {
        // given
        browser.open(url + "/projects/" + ada.projectId() + "/connections?view=global");
        browser.awaitText("main", "No global connections yet");

        // when
        browser.click(".page-head .primary");
        browser.click("[data-piece='" + CrmPiece.NAME + "']");
        browser.click("dialog select");
        browser.press("User\uE007");
        browser.type("dialog .field input", "CRM of everybody");
        browser.type("dialog [name=username]", "mill");
        browser.type("dialog [name=password]", "the password");
        browser.click("dialog .primary");
        browser.awaitText(".table", "CRM of everybody");
        chooses("CRM of everybody", "Name and projects");
        browser.awaitText("dialog", "Projects with access");
        browser.inspect("connection-share");
        browser.click("dialog .body > .check input");
        browser.click("dialog .primary");

        // then
        Waiting.until(
                "every new project gets it",
                () -> ada.api()
                        .get("/v1/global-connections")
                        .body()
                        .at("/data/0/preSelectForNewProjects")
                        .asBoolean());
        browser.open(url + "/projects/" + ada.projectId() + "/connections");
        browser.awaitText(".table", "Global");
    }

    private static void keepsVariables() {
        // given
        browser.open(url + "/projects/" + ada.projectId() + "/connections?view=variables");

        // when the name is invalid
        browser.click(".page-head .primary");
        browser.type("dialog [name=name]", "SHOP URL");
        browser.type("dialog [name=value]", "https://shop.example");
        browser.click("dialog .primary");

        // then
        browser.awaitText("dialog .problem", "Letters, digits and underscores");

        // when
        browser.type("dialog [name=name]", "SHOP_URL");
        browser.click("dialog .primary");
        browser.awaitText(".table", "SHOP_URL");
        browser.click("[aria-label='Edit SHOP_URL']");
        browser.type("dialog [name=value]", "https://other.example");
        browser.click("dialog .primary");
        Waiting.until(
                "the dialog is closed",
                () -> browser.run("return !document.querySelector('dialog')").asBoolean());

        // then a revealed value is hidden again when the table is updated
        Waiting.until(
                "the value is shown",
                () -> browser.run("const table = document.querySelector('.table');"
                                + "if (table.innerText.includes('https://other.example')) return true;"
                                + "table.querySelector('.button').click(); return false;")
                        .asBoolean());
    }

    private static void chooses(String connection, String action) {
        browser.click("[aria-label='Actions for " + connection + "']");
        browser.awaitText(".menu", action);
        browser.run(
                "[...document.querySelectorAll('.menu [role=menuitem]')]"
                        + ".find((each) => each.textContent.includes(arguments[0])).click()",
                action);
    }

    private static List<JsonNode> connections() {
        return ada.api()
                .get("/v1/app-connections?limit=10&projectId=" + ada.projectId())
                .body()
                .path("data")
                .valueStream()
                .toList();
    }

    private static String externalId(String name) {
        return connections().stream()
                .filter(each -> each.path("displayName").asText().equals(name))
                .findFirst()
                .orElseThrow()
                .path("externalId")
                .asText();
    }
}
