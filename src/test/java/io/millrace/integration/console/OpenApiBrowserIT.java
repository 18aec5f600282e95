package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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

/** OpenAPI documents become pieces in the console: by URL, file and text; use in a flow; upgrades; refused documents. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class OpenApiBrowserIT {
    private static final String PETSTORE = "@openapi/piece-petstore";

    @AutoClose
    private static PetstoreServer petstore = new PetstoreServer();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of("AP_SSRF_ALLOW_LIST", "127.0.0.1"));

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Platform");
    }

    @Test
    void aDocumentBecomesAPiece_thatAFlowUses_andIsUpgraded() {
        createsThePiece();
        usesItInAFlow();
        upgradesIt();
    }

    private static void createsThePiece() {
        // When
        opensDialog();
        browser.inspect("openapi-source");
        browser.type("dialog [name=url]", petstore.url("/openapi.yaml"));
        browser.click("dialog .primary");
        browser.awaitText("dialog", "API key or token");
        assertThat(value("displayName")).isEqualTo("Petstore");
        assertThat(value("name")).isEqualTo("petstore");
        browser.awaitText("dialog legend", "6 of 6 selected");
        browser.awaitText("dialog", petstore.url("/api/v3"));
        browser.inspect("openapi-review");
        browser.type("dialog [type=search]", "delete");
        Waiting.until("one operation is found", () -> operations().equals(List.of("DELETE Delete a pet")));
        browser.run("[...document.querySelectorAll('dialog .openapi-operation')][0].closest('label').click()");
        browser.awaitText("dialog legend", "5 of 6 selected");
        // The new report renders the search field again, which would restore a text that the driver has just cleared.
        Waiting.until("the report is new", () -> isThere("dialog .primary:enabled"));
        browser.type("dialog [type=search]", " ");
        Waiting.until("all operations are listed", () -> operations().size() == 6);
        browser.click("dialog .primary");

        // Then
        Waiting.until("the dialog is closed", () -> !isThere("dialog"));
        browser.awaitText("main", "Petstore");
        var actions = piece().path("actions");
        assertThat(actions.propertyStream().map(Map.Entry::getKey))
                .containsExactlyInAnyOrder("addPet", "findPetsByStatus", "getPetById", "getInventory", "getUserByName");
    }

    private static void usesItInAFlow() {
        // Given
        var flow = ada.api()
                .post("/v1/flows", Json.object().put("displayName", "Pets").put("projectId", ada.projectId()))
                .text("/id");
        browser.open(url + "/projects/" + ada.projectId() + "/flows/" + flow);

        // When
        browser.click("[data-step=trigger]");
        picks("webhook", "@activepieces/piece-webhook", "catch_webhook");
        browser.click(".plus.last");
        picks("petstore", PETSTORE, "getPetById");
        browser.type(".step-panel [data-field='Pet Id']", "42");
        browser.click("[data-publish]");
        browser.awaitText(".builder-head", "Turn off");
        server.anonymous().post("/v1/webhooks/" + flow, Json.object().put("any", "thing"));

        // Then
        Waiting.until(
                "the run succeeded",
                () -> ada.api()
                        .get("/v1/flow-runs?projectId=" + ada.projectId() + "&flowId=" + flow)
                        .text("/data/0/status")
                        .equals("SUCCEEDED"));
        assertThat(petstore.requests).contains("GET /api/v3/pet/42");
    }

    private static void upgradesIt() {
        // Given
        petstore.serve(
                PetstoreServer.read()
                        .replace("operationId: getInventory", "operationId: readInventory")
                        .replace(
                                "{name: petId, in: path, required: true, description: Id of the pet, schema: {type: integer}}",
                                "{name: petId, in: path, required: true, schema: {type: integer}}, {name: full, in: query, schema: {type: boolean}}"));
        browser.open(url + "/platform/pieces?view=installed");
        browser.click("main tbody [aria-haspopup]");
        chooses("Upgrade from document");
        browser.awaitText("dialog h2", "Upgrade Petstore");

        // When
        browser.type("dialog [name=url]", petstore.url("/openapi.yaml"));
        browser.click("dialog .primary");

        // Then
        browser.awaitText("dialog .openapi-changes", "Changes from 1.0.0 to 2.0.0");
        browser.awaitText("dialog .openapi-changes", "getInventory removed");
        browser.awaitText("dialog .openapi-changes", "getPetById changed");
        browser.awaitText("dialog .openapi-changes", "full added");
        browser.awaitText("dialog .openapi-groups", "Not in the piece");
        browser.inspect("openapi-upgrade");
        browser.awaitText("dialog .primary", "Upgrade to 2.0.0");
        browser.click("dialog .primary");
        Waiting.until("the dialog is closed", () -> !isThere("dialog"));
        assertThat(piece().path("version").asText()).isEqualTo("2.0.0");
    }

    @Test
    void problemsAreShownAtTheirFields() {
        opensDialog();
        browser.type("dialog [name=url]", petstore.url("/missing"));
        browser.click("dialog .primary");
        browser.awaitText("dialog .field .problem", "expected openapi 3.0 or 3.1, or swagger 2.0");
        browser.inspect("openapi-refused");

        browser.click("dialog [value=text]");
        browser.type(
                "dialog [name=document]",
                "openapi: 3.0.0\ninfo: {title: Bare, version: '1'}\npaths: {/a: {get: {responses: {}}}}");
        browser.click("dialog .primary");
        browser.awaitText("dialog .field .problem", "give baseUrl");

        browser.type("dialog [name=baseUrl]", petstore.url("/bare"));
        browser.click("dialog .primary");
        browser.awaitText("dialog legend", "1 of 1 selected");
        browser.type("dialog [name=name]", "Not A Name");
        Waiting.until("the name is refused", () -> isThere("dialog [name=name][aria-invalid=true]"));
        assertThat(isThere("dialog [name=displayName][aria-invalid=true]")).isFalse();

        browser.type("dialog [name=name]", "bare");
        Waiting.until("the name is accepted", () -> !isThere("dialog [name=name][aria-invalid=true]"));
        browser.run("""
            const select = [...document.querySelectorAll('dialog select')].at(-1);
            select.value = 'CURSOR';
            select.dispatchEvent(new Event('change', { bubbles: true }));
            """);
        browser.type("dialog [name=parameter]", "after");
        browser.type("dialog [name=cursorPath]", "no pointer");
        Waiting.until("the pointer is refused", () -> isThere("dialog [name=cursorPath][aria-invalid=true]"));
        browser.inspect("openapi-pages");
        browser.type("dialog [name=cursorPath]", "/next");
        Waiting.until("the pointer is accepted", () -> isThere("dialog .primary:enabled"));
    }

    @Test
    void aFileIsRead() {
        opensDialog();
        browser.click("dialog [value=file]");
        browser.run(
                """
            const data = new DataTransfer();
            data.items.add(new File([arguments[0]], 'shop.yaml'));
            const input = document.querySelector('dialog input[type=file]');
            input.files = data.files;
            input.dispatchEvent(new Event('change', { bubbles: true }));
            """,
                PetstoreServer.read()
                        .replace("/api/v3", "https://shop.example.com/v1")
                        .replace("title: Petstore", "title: Shop"));
        browser.awaitText("dialog .file-drop", "shop.yaml");
        browser.click("dialog .primary");
        browser.awaitText("dialog", "https://shop.example.com/v1");
        browser.click("dialog .primary");
        Waiting.until("the dialog is closed", () -> !isThere("dialog"));
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-shop").status()).isEqualTo(200);
    }

    @Test
    void serverVariablesHaveFields_andAnUpgradeBeginsWithThem() {
        // When
        opensDialog();
        readsText(variables("1"));
        browser.awaitText("dialog", "https://api.example.com");
        chooses("dialog .openapi-review select", "https://{tenant}.example.com/{version}");
        browser.awaitText("dialog .openapi-variables", "tenant");
        browser.inspect("openapi-variables");
        Waiting.until("a value is missing", () -> !isThere("dialog .primary:enabled"));
        browser.type("dialog [name=variable-tenant]", "acme");
        chooses("dialog .openapi-variables select", "v2");
        awaitServer("https://acme.example.com/v2");
        Waiting.until("the report is new", () -> isThere("dialog .primary:enabled"));
        browser.click("dialog .primary");
        Waiting.until("the dialog is closed", () -> !isThere("dialog"));

        // Then
        browser.open(url + "/platform/pieces?view=installed");
        browser.awaitText("main", "Tenants");
        browser.run(
                "[...document.querySelectorAll('main tbody tr')].find((each) => each.textContent.includes('Tenants')).querySelector('[aria-haspopup]').click()");
        chooses("Upgrade from document");
        browser.awaitText("dialog h2", "Upgrade Tenants");
        readsText(variables("2"));
        awaitServer("https://acme.example.com/v2");
        browser.awaitText("dialog .openapi-changes", "Only texts differ");
    }

    private static void awaitServer(String address) {
        Waiting.until(
                "the server has the address " + address,
                () -> browser.run(
                                "return document.querySelector('dialog .openapi-review select').selectedOptions[0]?.label")
                        .asText()
                        .equals(address));
    }

    private static String variables(String version) {
        return "openapi: 3.0.0\ninfo: {title: Tenants, description: 'Version " + version + "', version: '1'}\n"
                + "servers: [{url: 'https://api.example.com'}, {url: 'https://{tenant}.example.com/{version}', variables: {tenant: {description: Name of the account},"
                + " version: {default: v1, enum: [v1, v2]}}}]\npaths: {/a: {get: {responses: {}}}}";
    }

    private static void readsText(String document) {
        browser.click("dialog [value=text]");
        browser.type("dialog [name=document]", document);
        browser.click("dialog .primary");
        browser.awaitText("dialog .openapi-operations legend", "1 of 1 selected");
    }

    private static void chooses(String select, String value) {
        browser.run("""
            const select = document.querySelector(arguments[0]);
            select.value = arguments[1];
            select.dispatchEvent(new Event('change', { bubbles: true }));
            """, select, value);
    }

    private static void opensDialog() {
        browser.open(url + "/platform/pieces");
        browser.awaitText("h1", "Pieces");
        browser.run(
                "[...document.querySelectorAll('main .button')].find((each) => each.textContent.includes('From OpenAPI')).click()");
        browser.awaitText("dialog h2", "Piece from an OpenAPI document");
    }

    private static JsonNode piece() {
        return ada.api().get("/v1/pieces/" + PETSTORE).body();
    }

    private static String value(String name) {
        return browser.run("return document.querySelector('dialog [name=' + arguments[0] + ']').value", name)
                .asText();
    }

    private static List<String> operations() {
        return browser.run(
                        "return [...document.querySelectorAll('dialog .openapi-operation > span:first-child')].map((each) => each.textContent)")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static void chooses(String action) {
        browser.awaitText(".menu", action);
        browser.run(
                "[...document.querySelectorAll('.menu [role^=menuitem]')].find((each) => each.textContent.includes(arguments[0])).click()",
                action);
    }

    private static void picks(String words, String piece, String operation) {
        browser.type(".picker input", words);
        browser.click("[data-entry='" + piece + "']");
        browser.click("[data-entry='" + operation + "']");
        Waiting.until("the picker is closed", () -> !isThere(".picker"));
    }

    private static boolean isThere(String selector) {
        return browser.run("return document.querySelector(arguments[0]) !== null", selector)
                .asBoolean();
    }
}
