package io.millrace.piece.openapi;

import static io.millrace.piece.openapi.OpenApiBench.OPENAPI;
import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Pieces from OpenAPI documents: installation, versions, use in a flow, removal. */
final class OpenApiPieceIT {
    @AutoClose
    private static EchoServer echo = new EchoServer();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(
            "AP_SSRF_ALLOW_LIST", "127.0.0.1", "AP_OPENAPI_DOCUMENT_MAX_KB", "64", "AP_OPENAPI_OPERATIONS_MAX", "20"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static OpenApiBench bench = new OpenApiBench(ada, echo);

    @Test
    void servesAFlow_withAConnection() {
        // Given
        var name = bench.added("01-pets-30.yaml", "shop");
        bench.connect("shop", name, "SECRET_TEXT", Json.object().put("secret_text", "key-12345"));
        var input = (ObjectNode) json("{'status':'sold','photoUrls':['a','b'],'category':{'id':1}}");
        input.put("auth", "{{connections['shop']}}").put("name", "{{trigger.output.body.pet}}");

        // When
        var flow = LiveFlow.publish(ada, FlowScript.webhook().piece("step_1", name, "1.0.0", "addPet", input));
        var run = flow.run(Json.object().put("pet", "Rex"));

        // Then
        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(echo.last().path("uri").asText()).isEqualTo("/pets");
        assertThat(echo.last().at("/headers/x-api-key").asText()).isEqualTo("key-12345");
        assertThat(json(echo.last().path("body").asText()))
                .isEqualTo(json("{'name':'Rex','status':'sold','photoUrls':['a','b'],'category':{'id':1}}"));
        assertThat(run.toString()).doesNotContain("\"secret_text\":\"key-12345\"");
    }

    @Test
    void isListedAndDescribedAsAnyPiece() {
        var name = bench.added("01-pets-30.yaml", "listed");
        var listed = ada.api().get("/v1/pieces?searchQuery=Pet%20Shop");
        assertThat(listed.body().findValuesAsText("name")).contains(name);
        var described = ada.api().get("/v1/pieces/" + name);
        assertThat(described.status()).isEqualTo(200);
        assertThat(described.text("/packageType")).isEqualTo("OPENAPI");
        assertThat(described.text("/auth/type")).isEqualTo("SECRET_TEXT");
        assertThat(described.text("/actions/listPets/group")).isEqualTo("pets");
        assertThat(described.text("/actions/listPets/outputSchema/type")).isEqualTo("array");
        assertThat(described.body().has("openApi")).isFalse();
        var removed = ada.api().delete("/v1/pieces/" + described.text("/id"));
        assertThat(removed.status()).isEqualTo(204);
        assertThat(ada.api().get("/v1/pieces/" + name).status()).isEqualTo(404);
    }

    @Test
    void raisesTheVersion_byTheDifference() {
        // Given
        var first = Documents.text("01-pets-30.yaml");
        bench.added("01-pets-30.yaml", "versions");

        // Then
        var same = add(first);
        assertThat(same.status()).isEqualTo(200);
        assertThat(same.body().path("unchanged").asBoolean()).isTrue();
        assertThat(same.text("/version")).isEqualTo("1.0.0");
        var texts = add(first.replace("List pets", "List all pets"));
        assertThat(texts.text("/version")).as(texts.toString()).isEqualTo("1.0.1");
        var more = add(first.replace(
                "- {name: tags,", "- {name: breed, in: query, schema: {type: string}}\n        - {name: tags,"));
        assertThat(more.text("/version")).isEqualTo("1.1.0");
        assertThat(more.text("/changes/actions/0/properties/0/change")).isEqualTo("ADDED");
        var removed = add(first.replace("operationId: deletePet", "operationId: removePet"));
        assertThat(removed.text("/version")).isEqualTo("2.0.0");
        assertThat(removed.text("/previousVersion")).isEqualTo("1.1.0");
        var changes = ada.api().get("/v1/pieces/@openapi/piece-versions/changes?from=1.1.0&to=2.0.0");
        assertThat(changes.body().path("actions").findValuesAsText("name")).contains("deletePet", "removePet");
        assertThat(ada.api()
                        .get("/v1/pieces/@openapi/piece-versions/versions")
                        .body()
                        .size())
                .isEqualTo(4);
    }

    private static Answer add(String document) {
        return ada.api()
                .post(
                        OPENAPI,
                        Json.object()
                                .put("document", document)
                                .put("name", "versions")
                                .put("baseUrl", echo.url("")));
    }

    @Test
    void listsOperationsByTag_withoutInstalling() {
        var body = Json.object()
                .put("document", Documents.text("01-pets-30.yaml"))
                .put("name", "dry")
                .put("dryRun", true);
        var report = ada.api().post(OPENAPI, body);
        assertThat(report.status()).as(report.toString()).isEqualTo(200);
        assertThat(report.body().path("groups").findValuesAsText("tag")).containsExactly("pets", "orders");
        assertThat(report.body().at("/groups/0/operations").findValuesAsText("actionName"))
                .containsExactly("listPets", "addPet", "getPet", "deletePet");
        assertThat(report.text("/baseUrl")).isEqualTo("https://pets.example.com/v1");
        var searched = ada.api().post(OPENAPI, body.put("search", "ORDER"));
        assertThat(searched.body().path("groups").findValuesAsText("tag")).containsExactly("orders");
        assertThat(ada.api().get("/v1/pieces/@openapi/piece-dry").status()).isEqualTo(404);
    }

    @Test
    void fillsServerVariables_andNamesThoseOfTheInstalledVersion() {
        // Given
        var port = echo.url("").replaceAll(".*:", "");
        var document = Documents.text("16-server-variables.yaml")
                .replaceFirst(
                        "servers: .*",
                        "servers: [{url: 'https://pets.example.com'}, {url: 'http://{host}:{port}/{base}', variables: {host: {enum: [127.0.0.1]}, port: {default: '"
                                + port + "'}, base: {default: v1}}}]");
        var template = "http://{host}:{port}/{base}";
        var body =
                Json.object().put("document", document).put("name", "variables").put("baseUrl", template);

        // Then
        refused(body, "body/serverVariables/host Required");
        var dry = ada.api().post(OPENAPI, body.deepCopy().put("dryRun", true));
        assertThat(dry.status()).as(dry.toString()).isEqualTo(200);
        assertThat(dry.text("/baseUrl")).isEqualTo(template);
        assertThat(dry.text("/servers/1/variables/0/choices/0")).isEqualTo("127.0.0.1");
        body.putObject("serverVariables").put("host", "10.0.0.1");
        refused(body, "body/serverVariables/host Expected 127.0.0.1; found 10.0.0.1");
        body.putObject("serverVariables").put("server", "x");
        refused(body, "body/serverVariables/server Expected a variable of a server: base, host, port");
        body.putObject("serverVariables").putArray("host");
        refused(body, "body/serverVariables/host Expected a text");

        // When
        body.putObject("serverVariables").put("host", "127.0.0.1").put("base", "v2");
        var installed = ada.api().post(OPENAPI, body);

        // Then
        assertThat(installed.status()).as(installed.toString()).isEqualTo(201);
        assertThat(bench.run(installed.text("/name"), "a", null, Json.object()).text("/status"))
                .isEqualTo("SUCCEEDED");
        assertThat(echo.last().path("uri").asText()).isEqualTo("/v2/a");
        var again =
                ada.api().post(OPENAPI, Json.object().put("document", document).put("name", "variables"));
        assertThat(again.text("/version")).isEqualTo("1.0.1");
        assertThat(again.body().path("previousOptions"))
                .isEqualTo(json("{'baseUrl':'" + template + "','serverVariables':{'base':'v2','host':'127.0.0.1'}}"));
    }

    @Test
    void takesAnAddressOrAFile() {
        echo.documents.put("/docs/api.yaml", Documents.text("22-relative-server.yaml"));
        var byUrl = ada.api()
                .post(
                        OPENAPI,
                        Json.object().put("url", echo.url("/docs/api.yaml")).put("name", "by-url"));
        assertThat(byUrl.status()).as(byUrl.toString()).isEqualTo(201);
        assertThat(byUrl.text("/baseUrl")).isEqualTo(echo.url("/api/v3"));
        var byFile = ada.api()
                .postForm(
                        OPENAPI,
                        Map.of("name", "by-file", "dryRun", "false", "operations", "[\"listPets\"]"),
                        "file",
                        Documents.text("01-pets-30.yaml").getBytes(StandardCharsets.UTF_8));
        assertThat(byFile.status()).as(byFile.toString()).isEqualTo(201);
        assertThat(byFile.body().path("actionCount").asInt()).isOne();
        var object = Json.object().put("name", "by-object");
        object.set("document", DocumentText.parse(Documents.text("05-anchors.yaml"), 100_000));
        assertThat(ada.api().post(OPENAPI, object).status()).isEqualTo(201);
    }

    @Test
    void namesWrongRequests() {
        refused(Json.object(), "body/document Expected exactly one");
        refused(Json.object().put("document", "x").put("url", "http://a"), "body/document Expected exactly one");
        refused(Json.object().put("document", "no: document"), "body/document expected openapi 3.0 or 3.1");
        refused(Json.object().put("document", "x").put("name", "Not A Name"), "body/name");
        refused(Json.object().put("document", "x").put("scope", "PROJECT"), "body/scope");
        refused(Json.object().put("document", "x").put("operations", "{"), "body/operations Expected JSON");
        var pagination = Json.object().put("document", "x");
        pagination.putObject("pagination").put("kind", "CURSOR");
        refused(pagination, "body/pagination/parameter");
        refused(Json.object().put("url", "http://10.0.0.1/api.json"), "body/url");
        refused(Json.object().put("url", echo.url("/away")), "body/url");
        refused(Json.object().put("url", echo.url("/fail")), "found status 422");
        refused(Json.object().put("url", "file:///etc/passwd"), "body/url");
        refused(Json.object().put("document", "# ".repeat(33 * 1024)), "AP_OPENAPI_DOCUMENT_MAX_KB");
        refused(Json.object().put("document", Documents.large(21)), "AP_OPENAPI_OPERATIONS_MAX");
        echo.documents.put("/large.yaml", "# ".repeat(33 * 1024));
        refused(Json.object().put("url", echo.url("/large.yaml")), "body/url");
    }

    private static void refused(JsonNode body, String message) {
        var answer = ada.api().post(OPENAPI, body);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.body().toString()).contains(message);
    }

    @Test
    void belongsToAdministrators_ofOnePlatform() {
        var name = bench.added("05-anchors.yaml", "private");
        var foreigner = server.foreigner();
        assertThat(foreigner.api().get("/v1/pieces/" + name).status()).isEqualTo(404);
        server.give(ada, PlatformRole.MEMBER);
        try {
            assertThat(ada.api()
                            .post(OPENAPI, Json.object().put("document", "x"))
                            .status())
                    .isEqualTo(403);
        } finally {
            server.give(ada, PlatformRole.ADMIN);
        }
    }

    @Test
    void refusesInternalAddresses_atRunTime() {
        var answer = ada.api()
                .post(
                        OPENAPI,
                        Json.object()
                                .put("document", Documents.text("05-anchors.yaml"))
                                .put("name", "internal")
                                .put("baseUrl", "http://169.254.169.254/latest"));
        assertThat(answer.status()).isEqualTo(201);
        var run = bench.run(answer.text("/name"), "a", null, Json.object());
        assertThat(run.text("/status")).isEqualTo("FAILED");
        assertThat(run.body().path("failure").toString()).containsIgnoringCase("block");
    }

    @Test
    void isKnownToAnotherServer_ofTheSameDatabase() {
        var name = bench.added("05-anchors.yaml", "second-node");
        try (var other = server.successor()) {
            var api = ada.api().at(other);
            assertThat(api.get("/v1/pieces/" + name).text("/packageType")).isEqualTo("OPENAPI");
            var added = api.post(
                    OPENAPI,
                    Json.object()
                            .put("document", Documents.text("10-non-ascii.yaml"))
                            .put("name", "from-other")
                            .put("baseUrl", echo.url("")));
            assertThat(added.status()).isEqualTo(201);
            Waiting.until(
                    "the piece of the other node",
                    () -> ada.api().get("/v1/pieces/@openapi/piece-from-other").status() == 200);
        }
    }
}
