package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.VaultServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** An administrator manages the platform with the mouse only; every page of it is accessible. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class PlatformBrowserIT {
    private static final String HTTP = "@activepieces/piece-http";

    private static final Map<String, List<String>> findings = new TreeMap<>();

    @AutoClose
    private static ModelServer models = ModelServer.start();

    @AutoClose
    private static VaultServer vault = new VaultServer();

    @AutoClose
    private static TestServer server =
            TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_ALLOW_OPEN_SIGN_UP", "true"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        var orders = LiveFlow.named(
                ada, "Orders", webhook().map("step_1", "{'a':'b'}").importOperation("Orders"));
        orders.run(Json.object());
        var till = LiveFlow.named(
                ada,
                "Close the till",
                webhook()
                        .code("step_1", "export const code = async () => { throw new Error('no'); };")
                        .importOperation("Close the till"));
        till.run(Json.object());
        models.serve(ada);
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Platform");
    }

    /** In order: each test continues with the data of the previous one. */
    @Test
    void seesToEverything() {
        looksAround();
        hidesAPiece_andShowsItAgain();
        declinesARequestedPiece();
        makesATemplate();
        makesKeys_thatAreShownOnce();
        tellsSomebodyOutside();
        connectsAVault();
        changesTheLook_atOnce();
        letsAnOriginEmbed();
        rotatesTheKey();
        readsTheLog();
        showsWhoeverIsNoAdministratorNothing();

        // Then
        assertThat(findings).isEmpty();
    }

    private static void look(String page) {
        var found = browser.look(page);
        if (!found.isEmpty()) {
            findings.put(page, found);
        }
    }

    private static void open(String path, String title) {
        browser.open(url + path);
        browser.awaitText("h1", title);
    }

    private static JsonNode read(String path) {
        return ada.api().get(path).body();
    }

    private static void looksAround() {
        open("/platform", "Overview");
        browser.awaitText("[data-check=database]", "Reachable");
        browser.awaitText("[data-check=disk]", "free; a problem below 1 GB");
        browser.awaitText("[data-check=ram]", "of the heap used; a problem from");
        browser.awaitText(".table", "Online");
        look("platform-overview");
        open("/platform/insight", "Analytics");
        browser.awaitText(".plot-sum", "2");
        browser.awaitText(".table", "Close the till");
        look("platform-insight");
        browser.click(".section .button");
        browser.awaitText(".plot-table", "Day");
        look("platform-insight-table");
        open("/platform/connections", "Connections");
        browser.awaitText("main", "No global connections yet");
        look("platform-connections");
        open("/platform/connections?view=apps", "Connections");
        browser.awaitText("main", "No OAuth apps yet");
        look("platform-oauth-clients");
        open("/platform/ai", "AI");
        browser.awaitText(".table", "House models");
        look("platform-ai");
        browser.press("c");
        browser.awaitText("dialog", "API key");
        look("platform-ai-new");
        open("/platform/sign-on", "Sign-on");
        browser.awaitText("main", "OpenID Connect");
        look("platform-sign-on");
        open("/platform/users", "Users");
        browser.awaitText(".table", "ada@acme-tools.example");
        look("platform-users");
    }

    private static void declinesARequestedPiece() {
        var cyd = server.signUp("cyd@acme-tools.example", "Cyd");
        var asked = cyd.api()
                .post(
                        "/v1/piece-requests",
                        Json.object()
                                .put("pieceName", "@activepieces/piece-notion")
                                .put("pieceVersion", "0.7.3")
                                .put("reason", "for the price list"));
        assertThat(asked.status()).as("%s", asked).isEqualTo(201);
        open("/platform/pieces?view=requests", "Pieces");
        browser.awaitText(".piece-request", "for the price list");
        browser.awaitText(".piece-request", "Requested by Cyd");
        look("platform-piece-requests");
        browser.click(".piece-request .button:nth-child(2)");
        browser.awaitText("main", "No open requests");
        assertThat(read("/v1/piece-requests").at("/data/0/status").asText()).isEqualTo("DECLINED");
    }

    private static void hidesAPiece_andShowsItAgain() {
        open("/platform/pieces", "Pieces");
        browser.awaitText(".table", "HTTP");
        look("platform-pieces");
        browser.click("[aria-label='Show HTTP in the builder']");
        Waiting.until("the piece is hidden", () -> hidden().contains(HTTP));
        open("/platform/pieces?view=hidden", "Pieces");
        browser.awaitText(".table", "HTTP");
        browser.click("[aria-label='Show HTTP in the builder']");
        browser.awaitText("main", "No hidden pieces");
        assertThat(hidden()).isEmpty();
        open("/platform/pieces?name=http", "Pieces");
        browser.click("[aria-label='Actions for HTTP']");
        browser.awaitText(".menu", "Tags");
        browser.click(".menu [role=menuitem]:nth-child(2)");
        browser.type("[name=tags]", "web, basics");
        browser.click("dialog .primary");
        browser.awaitText(".table", "basics");
        browser.press("c");
        browser.awaitText("dialog", "of its package on npm");
        look("platform-pieces-install");
        browser.press(Keyboard.ESCAPE);
    }

    private static List<String> hidden() {
        var names = new ArrayList<String>();
        read("/v1/platforms/" + ada.platformId()).path("filteredPieceNames").forEach(name -> names.add(name.asText()));
        return names;
    }

    private static void makesATemplate() {
        open("/platform/templates", "Templates");
        browser.awaitText("main", "No templates yet");
        browser.press("c");
        browser.awaitText("dialog", "Summary");
        browser.choose("dialog [data-field=flow]", "Orders");
        browser.type("[name=summary]", "Takes orders");
        browser.type("[name=tags]", "sales");
        browser.click("dialog .primary");
        browser.awaitText(".table", "Takes orders");
        look("platform-templates");
        assertThat(read("/v1/templates?type=CUSTOM")
                        .at("/data/0/flows/0/displayName")
                        .asText())
                .isEqualTo("Orders");
    }

    private static void makesKeys_thatAreShownOnce() {
        open("/platform/keys", "Keys");
        browser.awaitText("main", "No API keys yet");
        browser.press("c");
        browser.type("[name=displayName]", "Warehouse");
        browser.click("dialog .check");
        browser.awaitText(".permission-grid", "Connections");
        look("platform-key-new");
        browser.click(".permission-grid .check");
        browser.click("dialog .primary");
        browser.awaitText("dialog pre", "sk-");
        var key = browser.run("return document.querySelector('dialog pre').innerText")
                .asText();
        look("platform-key-shown");
        browser.click("dialog footer .primary");
        browser.awaitText(".table", "1 permission");
        look("platform-keys");
        assertThat(server.anonymous()
                        .with(key)
                        .get("/v1/flows?projectId=" + ada.projectId())
                        .status())
                .isEqualTo(200);
        assertThat(server.anonymous().with(key).get("/v1/users").status()).isEqualTo(403);
        browser.open(url + "/platform/keys");
        browser.awaitText(".table", "Warehouse");
        assertThat(browser.run("return document.body.innerText").asText()).doesNotContain(key);
        // A key of 4096 bits takes a busy machine most of a minute; another test covers that it is shown once.
        server.execute("""
                insert into signing_key (id, created, updated, platform_id, display_name, public_key)
                values ($1, now(), now(), $2, 'Our product', 'the public half')
                """, Ids.next(), ada.platformId());
        open("/platform/keys?view=signing", "Keys");
        browser.awaitText(".table", "Our product");
        look("platform-signing-keys");
    }

    private static void tellsSomebodyOutside() {
        open("/platform/events", "Events");
        browser.awaitText("main", "No destinations yet");
        browser.press("c");
        browser.type("[name=url]", models.url("/hook"));
        look("platform-event-new");
        browser.click("dialog .primary");
        browser.awaitText("dialog pre", "whsec_");
        browser.click("dialog footer .primary");
        browser.awaitText(".table", "1 event type");
        browser.click(".table [aria-haspopup=menu]");
        browser.awaitText(".menu", "Send sample");
        browser.click(".menu [role=menuitem]:nth-child(2)");
        browser.awaitText("dialog", "sample event");
        browser.click("dialog .primary");
        browser.awaitText(".toasts", "Sample accepted");
        look("platform-events");
    }

    private static void connectsAVault() {
        open("/platform/secrets", "Secret managers");
        browser.awaitText("main", "No secret managers yet");
        browser.press("c");
        browser.type("[name=name]", "Vault of the firm");
        browser.type("[name=url]", vault.url());
        browser.type("[name=roleId]", "mill");
        browser.type("[name=secretId]", "wrong");
        browser.click("dialog .primary");
        Waiting.until(
                "the refusal is shown",
                () -> browser.run("return !!document.querySelector('dialog .notice')")
                        .asBoolean());
        look("platform-secrets-refused");
        browser.type("[name=secretId]", VaultServer.LOGIN_SECRET);
        browser.click("dialog .primary");
        browser.awaitText(".table", "Connected");
        look("platform-secrets");
    }

    private static void changesTheLook_atOnce() {
        open("/platform/branding", "Branding");
        browser.type("[name=name]", "Acme Automation");
        browser.type("[name=primaryColor]", "#8a1c5e");
        look("platform-branding");
        browser.click(".page-form .primary");
        browser.awaitText(".brand", "Acme Automation");
        assertThat(accent()).contains("#8a1c5e");
        browser.forget();
        browser.open(url + "/sign-in");
        browser.awaitText(".gate-brand", "Acme Automation");
        assertThat(accent()).contains("#8a1c5e");
        look("platform-branded-sign-in");
        browser.type("[name=email]", "ada@acme-tools.example");
        browser.type("[name=password]", "correct horse");
        browser.click("[type=submit]");
        browser.awaitText("nav", "Platform");
    }

    private static String accent() {
        return browser.run("return document.documentElement.style.getPropertyValue('--accent')")
                .asText();
    }

    private static void letsAnOriginEmbed() {
        open("/platform/embedding", "Embedding");
        browser.awaitText("main", "No site may embed the console");
        browser.type("main form input", "https://APP.acme.example/");
        browser.click("main form .button");
        browser.awaitText(".origins", "https://app.acme.example");
        look("platform-embedding");
        assertThat(read("/v1/platforms/" + ada.platformId())
                        .at("/allowedEmbedOrigins/0")
                        .asText())
                .isEqualTo("https://app.acme.example");
    }

    private static void rotatesTheKey() {
        open("/platform/encryption", "Encryption");
        browser.awaitText(".facts", "AP_ENCRYPTION_KEY");
        browser.click(".section .button");
        browser.awaitText("dialog", "AP_KNOWN_ENCRYPTION_KEYS");
        browser.click("dialog footer .primary");
        browser.awaitText(".toasts", "All secrets are encrypted");
        look("platform-encryption");
    }

    private static void readsTheLog() {
        open("/platform/audit", "Audit log");
        browser.awaitText(".chain", "Chain intact");
        browser.awaitText(".table", "Flow published");
        look("platform-audit");
        browser.chooseValue("main [data-field=action]", "flow.published");
        Waiting.until(
                "the choice is part of the address", () -> browser.address().endsWith("?action=flow.published"));
        browser.awaitText(".table", "Close the till");
        assertThat(browser.run("return document.querySelectorAll('.table tbody tr').length")
                        .asInt())
                .isEqualTo(2);
        browser.click(".table tbody .button");
        browser.awaitText("dialog", "Event id");
        look("platform-audit-event");
    }

    private static void showsWhoeverIsNoAdministratorNothing() {
        var bo = server.signUp("bo@acme-tools.example", "Bo");
        browser.signIn(url, bo.api());
        browser.awaitText("nav", "Flows");
        assertThat(browser.run("return document.querySelector('nav').innerText").asText())
                .doesNotContain("Platform");
        open("/platform/keys", "Keys");
        browser.awaitText("main", "Administrators only");
        look("platform-not-allowed");
        assertThat(bo.api().get("/v1/api-keys").status()).isEqualTo(403);
    }
}
