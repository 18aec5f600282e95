package io.millrace.authoring.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.identity.AccessTokens;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TemplateIT {
    private static final String TEMPLATES = "/v1/templates";

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn member = server.signUp("mel@example.com", "Mel", PlatformRole.MEMBER);
    private static ApiClient service = admin.withApiKey();

    @Test
    void keepsACustomTemplate_andReadsItToAnybodyWhoKnowsItsId() {
        // When
        var created = service.post(TEMPLATES, request("CUSTOM", "Greeter"));

        // Then
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.text("/type")).isEqualTo("CUSTOM");
        assertThat(created.text("/status")).isEqualTo("PUBLISHED");
        assertThat(created.text("/platformId")).isEqualTo(admin.platformId());
        assertThat(created.body().at("/pieces"))
                .isEqualTo(json("[\"@activepieces/piece-webhook\", \"@activepieces/piece-data-mapper\"]"));
        assertThat(created.body().has("usageCount")).isFalse();
        assertThat(server.anonymous().get(TEMPLATES + "/" + created.text("/id")).body())
                .isEqualTo(created.body());
    }

    @Test
    void keepsWhatATriggerRemembersOfItsTest_andWhoWroteANoteWhen() {
        // Given
        var request = request("CUSTOM", "Tested");
        var flow = (ObjectNode) request.path("flows").path(0);
        var sample = json("""
                {"sampleDataFileId": "f", "sampleDataInputFileId": "i", "lastTestDate": "2025-03-09T12:34:56.789Z"}
                """);
        ((ObjectNode) flow.at("/trigger/settings")).set("sampleData", sample);
        flow.set("notes", json("""
                [{"id": "n", "content": "Why", "ownerId": "o", "position": {"x": 1, "y": 2},
                  "size": {"width": 3, "height": 4}, "createdAt": "2025-03-09T12:34:56.789Z",
                  "updatedAt": "2025-03-10T12:34:56.789Z"}]
                """));

        // When
        var created = service.post(TEMPLATES, request);

        // Then
        assertThat(created.body().at("/flows/0/trigger/settings/sampleData")).isEqualTo(sample);
        assertThat(created.text("/flows/0/notes/0/ownerId")).isEqualTo("o");
        assertThat(created.text("/flows/0/notes/0/createdAt")).isEqualTo("2025-03-09T12:34:56.789Z");
        assertThat(created.text("/flows/0/notes/0/updatedAt")).isEqualTo("2025-03-10T12:34:56.789Z");
    }

    @Test
    void bringsFlowsToThePresentSchema() {
        // When
        var created = service.post(TEMPLATES, request("CUSTOM", "Old"));

        // Then
        var step = created.body().at("/flows/0/trigger/nextAction");
        assertThat(created.text("/flows/0/schemaVersion")).isEqualTo("22");
        assertThat(created.text("/flows/0/displayName")).isEqualTo("Greet");
        assertThat(step.at("/settings/input/mapping/greeting").asText())
                .isEqualTo("Hi {{trigger['output'].body.name}}");
        assertThat(step.at("/settings/pieceVersion").asText()).isEqualTo("0.3.20");
    }

    @Test
    void datesTheStepsItself() {
        // Given
        var request = request("CUSTOM", "Undated");
        ((ObjectNode) request.at("/flows/0")).put("schemaVersion", "22");
        ((ObjectNode) request.at("/flows/0/trigger")).remove("lastUpdatedDate");
        ((ObjectNode) request.at("/flows/0/trigger/nextAction")).remove("lastUpdatedDate");

        // When
        var created = service.post(TEMPLATES, request);

        // Then
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.text("/flows/0/trigger/lastUpdatedDate")).isEqualTo(created.text("/created"));
        assertThat(created.text("/flows/0/trigger/nextAction/lastUpdatedDate")).isEqualTo(created.text("/created"));
    }

    @Test
    void treatsAnUnknownSchemaAsTheCurrentOne() {
        // Given
        var request = request("CUSTOM", "From elsewhere");
        ((ObjectNode) request.path("flows").path(0)).put("schemaVersion", "1.0.0");

        // When
        var created = service.post(TEMPLATES, request);

        // Then
        assertThat(created.status()).isEqualTo(200);
        assertThat(created.text("/flows/0/schemaVersion")).isEqualTo("22");
        assertThat(created.text("/flows/0/trigger/nextAction/settings/input/mapping/greeting"))
                .isEqualTo("Hi {{trigger.body.name}}");
    }

    @Test
    void listsTheCustomTemplatesOfThePlatform_byEveryFilter() {
        // Given
        var id = service.post(TEMPLATES, request("CUSTOM", "Needle in the hay")).text("/id");
        var shared = member.api().post(TEMPLATES, request("SHARED", "Needle shared"));

        // Then
        assertThat(shared.status()).isEqualTo(200);
        assertThat(shared.body().at("/platformId").isNull()).isTrue();
        for (var query : new String[] {
            "search=nEEdle",
            "search=NEEDLE%20IN&type=CUSTOM",
            "tags=start&tags=other&search=needle",
            "pieces=@activepieces/piece-webhook&search=needle",
            "category=SALES&search=needle"
        }) {
            var list = member.api().get(TEMPLATES + "?" + query);
            assertThat(list.status()).as(query).isEqualTo(200);
            assertThat(list.body().at("/data")).as(query).hasSize(1);
            assertThat(list.text("/data/0/id")).isEqualTo(id);
            assertThat(list.body().at("/next").isNull()).isTrue();
        }
        for (var query : new String[] {
            "search=needle&type=OFFICIAL",
            "search=needle&tags=none",
            "search=needle&category=HR",
            "search=needle&pieces=x"
        }) {
            assertThat(member.api().get(TEMPLATES + "?" + query).body().at("/data"))
                    .as(query)
                    .isEmpty();
        }
        assertThat(server.anonymous().get(TEMPLATES).body().at("/data")).isEmpty();
        var piece = new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(admin.projectId());
        assertThat(server.anonymous().with(piece).get(TEMPLATES).body())
                .isEqualTo(member.api().get(TEMPLATES).body());
        assertThat(member.api().get(TEMPLATES + "?type=SOME").status()).isEqualTo(400);
    }

    @Test
    void changesAndDeletesACustomTemplate() {
        // Given
        var path = TEMPLATES + "/"
                + service.post(TEMPLATES, request("CUSTOM", "First name")).text("/id");

        // When
        var changed = admin.api().post(path, json("""
                {"name": "Second name", "metadata": null, "status": "ARCHIVED", "type": "SHARED", "author": "Eve",
                 "flows": []}
                """));

        // Then
        assertThat(changed.status()).isEqualTo(200);
        assertThat(changed.text("/name")).isEqualTo("Second name");
        assertThat(changed.text("/summary")).isEqualTo("Says hello");
        assertThat(changed.text("/type")).isEqualTo("CUSTOM");
        assertThat(changed.text("/author")).isEqualTo("Ada");
        assertThat(changed.body().at("/metadata").isNull()).isTrue();
        assertThat(changed.body().at("/pieces")).isEmpty();
        assertThat(admin.api().get(TEMPLATES + "?search=second%20name").body().at("/data"))
                .isEmpty();

        // When
        var deleted = service.delete(path);

        // Then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(server.anonymous().get(path).status()).isEqualTo(404);
        assertThat(server.anonymous().get(path).text("/params/entityType")).isEqualTo("template");
    }

    @Test
    void refusesCallersWithoutPermission() {
        var custom = TEMPLATES + "/"
                + service.post(TEMPLATES, request("CUSTOM", "Guarded")).text("/id");
        var shared = TEMPLATES + "/"
                + admin.api().post(TEMPLATES, request("SHARED", "Loose")).text("/id");
        var name = Json.object().put("name", "Mine");

        assertThat(member.api().post(TEMPLATES, request("CUSTOM", "No")).status())
                .isEqualTo(403);
        assertThat(server.anonymous().post(TEMPLATES, request("SHARED", "No")).status())
                .isEqualTo(403);
        assertThat(service.post(TEMPLATES, request("OFFICIAL", "No")).status()).isEqualTo(409);
        assertThat(member.api().post(custom, name).status()).isEqualTo(403);
        assertThat(member.api().delete(custom).status()).isEqualTo(403);
        assertThat(admin.api().post(shared, name).status()).isEqualTo(404);
        assertThat(admin.api().delete(shared).status()).isEqualTo(404);
        assertThat(admin.api().delete(TEMPLATES + "/" + Ids.next()).status()).isEqualTo(404);
        assertThat(server.anonymous().get(custom).text("/name")).isEqualTo("Guarded");
    }

    static Stream<Arguments> malformed() {
        return Stream.of(
                Arguments.of("/name", "null", "body/name Invalid input: expected string"),
                Arguments.of("/categories", "\"SALES\"", "body/categories Invalid input: expected array"),
                Arguments.of("/type", "\"OTHER\"", "body/type Invalid option"),
                Arguments.of("/tags", "[{\"title\": \"a\", \"color\": \"red\"}]", "body/tags/0/color Invalid string"),
                Arguments.of("/tags", "null", "body/tags Invalid input: expected array, received null"),
                Arguments.of("/metadata", "7", "body/metadata Invalid input: expected object"),
                Arguments.of("/flows", "[7]", "body/flows/0 Invalid input: expected object"),
                Arguments.of("/flows", "[{\"displayName\": \"x\"}]", "body/flows/0/trigger Invalid input"),
                Arguments.of(
                        "/flows",
                        """
                        [{"displayName": "x", "valid": 1, "description": 2, "schemaVersion": "22",
                          "trigger": {"name": "trigger", "displayName": "T", "type": "EMPTY", "valid": true,
                                      "lastUpdatedDate": "", "settings": {"sampleData": []}}}]
                        """,
                        "body/flows/0/valid Invalid input: expected boolean, received number, "
                                + "body/flows/0/description Invalid input: expected string, received number, "
                                + "body/flows/0/trigger/settings/sampleData Invalid input: expected object"),
                Arguments.of(
                        "/flows",
                        """
                        [{"displayName": "x", "schemaVersion": "22",
                          "trigger": {"name": "trigger", "displayName": "T", "type": "EMPTY", "valid": true,
                                      "lastUpdatedDate": "", "settings": {}},
                          "notes": [{"id": "n", "content": "Why", "position": {"x": 1, "y": 2},
                                     "size": {"width": 3, "height": 4}}]}]
                        """,
                        "body/flows/0/valid Invalid input: expected boolean, received undefined, "
                                + "body/flows/0/notes/0/createdAt Invalid input: expected string, received undefined, "
                                + "body/flows/0/notes/0/updatedAt Invalid input: expected string, received undefined"),
                Arguments.of(
                        "/flows",
                        "[{\"displayName\": \"x\", \"schemaVersion\": \"22\", \"trigger\": {\"type\": \"EMPTY\"}}]",
                        "body/flows/0/trigger/"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void refusesWhatIsMalformed_andNamesTheField(String pointer, String value, String message) {
        var request = request("CUSTOM", "Malformed");
        request.set(pointer.substring(1), json(value));

        var answer = service.post(TEMPLATES, request);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/message")).startsWith(message);
    }

    @Test
    void knowsCategories_andNothingOfTheRoutesOfOld() {
        assertThat(server.anonymous().get(TEMPLATES + "/categories").body()).contains(json("\"SALES\""));
        assertThat(server.anonymous().get("/v1/flow-templates").status()).isEqualTo(404);
    }

    private static ObjectNode request(String type, String name) {
        var request = (ObjectNode) json("""
                {"summary": "Says hello", "description": "To everybody who calls", "author": "Ada",
                 "categories": ["SALES"], "blogUrl": "https://example.com/hello", "metadata": {"a": 1},
                 "tags": [{"title": "start", "color": "#00ff00", "icon": "bolt"}],
                 "flows": [{"displayName": "Greet", "valid": true, "schemaVersion": "18", "trigger": {
                   "name": "trigger", "displayName": "Hook", "type": "PIECE_TRIGGER", "valid": true,
                   "lastUpdatedDate": "2025-01-01T00:00:00.000Z",
                   "settings": {"pieceName": "@activepieces/piece-webhook", "pieceVersion": "~0.1.29",
                     "triggerName": "catch_webhook", "input": {"authType": "none", "authFields": {}},
                     "propertySettings": {}},
                   "nextAction": {"name": "step_1", "displayName": "Map", "type": "PIECE", "valid": true,
                     "lastUpdatedDate": "2025-01-01T00:00:00.000Z",
                     "settings": {"pieceName": "@activepieces/piece-data-mapper", "pieceVersion": "~0.3.20",
                       "actionName": "advanced_mapping", "input": {"mapping": {"greeting": "Hi {{trigger.body.name}}"}},
                       "propertySettings": {}}}}}]}
                """);
        return request.put("type", type).put("name", name);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text);
    }
}
