package io.millrace.integration.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import io.millrace.support.TestServer.SignedIn;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whole projects replaced by documents, over HTTP. */
final class ReplaceIT extends OpenServer {
    private static final String HTTP = "@activepieces/piece-http";

    private SignedIn team;

    @BeforeEach
    void makeProject() {
        team = admin.inTeam("Team");
    }

    private static ObjectNode document() {
        var document = Json.object().put("schemaVersion", 1).put("sourceActivepiecesVersion", "0.96.2");
        for (var list : new String[] {"flows", "tables", "folders", "connections", "requiredPieces"}) {
            document.putArray(list);
        }
        return document;
    }

    /** A document with a flow in a folder, its connection and its piece. */
    private static ObjectNode shop(String text) {
        var document = document();
        var flow = document.withArray("/flows")
                .addObject()
                .put("id", Ids.next())
                .put("externalId", "shop-flow")
                .put("folderId", "folder-id-there")
                .put("status", "ENABLED")
                .put("publishedVersionId", Ids.next());
        flow.putObject("version")
                .put("displayName", "Shop")
                .put("schemaVersion", "22")
                .set(
                        "trigger",
                        FlowScript.webhook()
                                .returnJson("step_1", "{'says':'" + text + "'}")
                                .tree());
        document.withArray("/folders")
                .addObject()
                .put("id", "folder-id-there")
                .put("externalId", "shop-folder")
                .put("displayName", "Shops")
                .put("displayOrder", 2);
        document.withArray("/connections")
                .addObject()
                .put("externalId", "shop")
                .put("pieceName", HTTP)
                .put("displayName", "The shop");
        document.withArray("/requiredPieces")
                .addObject()
                .put("name", HTTP)
                .put("version", "0.11.13")
                .put("pieceType", "OFFICIAL");
        return document;
    }

    private Answer replace(ObjectNode document, String query) {
        return admin.api().post("/v1/projects/" + team.projectId() + "/replace" + query, document);
    }

    private JsonNode list(String path) {
        return admin.api().get(path + "?projectId=" + team.projectId()).body().path("data");
    }

    private static void assertCounts(Answer answer, String... counts) {
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.body().path("failed")).isEmpty();
        for (var count : counts) {
            var parts = count.split(" ", 2);
            assertThat(answer.body().path("applied").path(parts[1]).asInt())
                    .as(parts[1])
                    .isEqualTo(Integer.parseInt(parts[0]));
        }
    }

    @Test
    void makesAProjectWhatADocumentSays_andTellsItBefore() {
        // given
        var gone = LiveFlow.publish(team, FlowScript.webhook());
        var byHand = admin.api()
                .post(
                        "/v1/folders",
                        Json.object().put("projectId", team.projectId()).put("displayName", "By hand"));

        // when
        var rehearsed = replace(shop("one"), "?dryRun=true");

        // then
        assertCounts(rehearsed, "1 flowsCreated", "1 flowsDeleted", "1 foldersCreated", "1 connectionsCreated");
        assertThat(rehearsed.text("/connectionsAwaitingAuthorization/0/externalId"))
                .isEqualTo("shop");
        assertThat(list("/v1/flows").path(0).path("id").asText()).isEqualTo(gone.id());
        assertThat(list("/v1/app-connections")).isEmpty();

        // when
        var replaced = replace(shop("one"), "");

        // then
        assertThat(replaced.body().path("applied")).isEqualTo(rehearsed.body().path("applied"));
        assertThat(replaced.body().path("connectionsAwaitingAuthorization"))
                .isEqualTo(rehearsed.body().path("connectionsAwaitingAuthorization"));
        var flow = list("/v1/flows").path(0);
        assertThat(flow.path("externalId").asText()).isEqualTo("shop-flow");
        assertThat(flow.path("status").asText()).isEqualTo("ENABLED");
        assertThat(admin.api()
                        .post("/v1/webhooks/" + flow.path("id").asText() + "/sync", Json.object())
                        .text("/says"))
                .isEqualTo("one");
        var folders = list("/v1/folders");
        assertThat(folders.findValuesAsText("displayName")).containsExactlyInAnyOrder("By hand", "Shops");
        assertThat(flow.path("folderId").asText())
                .isNotEqualTo(byHand.text("/id"))
                .isIn(folders.findValuesAsText("id"));
        assertThat(server.count(
                        "select count(*) from audit_event where action = 'project.replaced' and project_id = $1",
                        team.projectId()))
                .isEqualTo(1);

        // when, then repeated, changed, and emptied
        assertCounts(
                replace(shop("one"), ""),
                "0 flowsCreated",
                "0 flowsUpdated",
                "1 flowsUnchanged",
                "1 foldersUnchanged",
                "1 connectionsUnchanged");
        assertCounts(replace(shop("two"), ""), "1 flowsUpdated", "0 flowsUnchanged");
        assertCounts(replace(document(), ""), "1 flowsDeleted", "1 foldersDeleted");
        assertThat(list("/v1/flows")).isEmpty();
        assertThat(list("/v1/folders")).hasSize(1);
    }

    @Test
    void refusesWhatDoesNotFit_andWritesNothing() {
        // given
        var other = Json.object()
                .put("projectId", team.projectId())
                .put("externalId", "shop")
                .put("displayName", "Shop")
                .put("pieceName", "@activepieces/piece-webhook")
                .put("type", "PLACEHOLDER");
        admin.api().post("/v1/app-connections", other);
        var document = shop("one").put("sourceActivepiecesVersion", "1.0.0");
        ((ObjectNode) document.at("/requiredPieces/0")).put("version", "99.0.0");

        // when
        var refused = replace(document, "");

        // then
        assertThat(refused.status()).isEqualTo(422);
        assertThat(refused.body().path("errors").findValuesAsText("kind"))
                .containsExactly("AP_VERSION_MISMATCH", "CONNECTION_PIECE_MISMATCH", "PIECE_VERSION_MISMATCH");
        assertThat(refused.text("/errors/2/destVersion")).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(list("/v1/flows")).isEmpty();
        assertThat(list("/v1/folders")).isEmpty();
    }

    @Test
    void refusesAFolderNameThatIsTaken_wholly() {
        // given
        admin.api()
                .post(
                        "/v1/folders",
                        Json.object().put("projectId", team.projectId()).put("displayName", "SHOPS"));

        // when
        var refused = replace(shop("one"), "");

        // then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text("/code")).isEqualTo("VALIDATION");
        assertThat(list("/v1/flows")).isEmpty();
        assertThat(list("/v1/app-connections")).isEmpty();
    }

    @Test
    void tablesLandWithTheirDefinition_andKeepTheirRecords() {
        // given
        var first = document();
        var table = first.withArray("/tables").addObject().put("name", "Orders").put("externalId", "orders");
        var fields = table.putArray("fields");
        fields.addObject().put("name", "A").put("externalId", "a").put("type", "TEXT");
        fields.addObject().put("name", "B").put("externalId", "b").put("type", "TEXT");

        // when
        var created = replace(first, "");
        var landed = list("/v1/tables").get(0);
        var records = Json.object().put("tableId", landed.path("id").asText());
        records.putArray("records").addArray();
        admin.api().post("/v1/records", records);
        ((ObjectNode) fields.get(0)).put("name", "First");
        ((ObjectNode) fields.get(1)).put("type", "NUMBER");
        var updated = replace(first, "");
        var unchanged = replace(first, "");
        var emptied = replace(document(), "");

        // then
        assertThat(created.body().at("/applied/tablesCreated").asInt()).isEqualTo(1);
        assertThat(updated.body().at("/applied/tablesUpdated").asInt()).isEqualTo(1);
        assertThat(unchanged.body().at("/applied/tablesUnchanged").asInt()).isEqualTo(1);
        assertThat(emptied.body().at("/applied/tablesDeleted").asInt()).isZero();
        var query = "?tableId=" + landed.path("id").asText();
        assertThat(admin.api().get("/v1/fields" + query).body().findValuesAsText("name"))
                .containsExactly("First", "B");
        assertThat(admin.api().get("/v1/records" + query).body().path("data")).hasSize(1);
    }

    @Test
    void refusesMalformedDocuments_namingThePlace() {
        // given
        var noFlow = document();
        noFlow.withArray("/flows").add(1);
        var badFlow = shop("one");
        ((ObjectNode) badFlow.at("/flows/0/version")).remove("trigger");
        var tables = document();
        tables.withArray("/tables").addObject();
        var badFolder = shop("one");
        ((ObjectNode) badFolder.at("/folders/0")).put("displayName", "");

        // when, then
        assertRefused(document().put("schemaVersion", 2), "body/schemaVersion");
        assertRefused(document().putNull("flows"), "body/flows");
        assertRefused(noFlow, "body/flows/0");
        assertRefused(badFlow, "body/flows/0/version/trigger");
        assertRefused(tables, "body/tables");
        assertRefused(badFolder, "body/folders/0/displayName");
        assertRefused(Json.object(), "body/requiredPieces");
    }

    private void assertRefused(ObjectNode document, String place) {
        var answer = replace(document, "");
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.text("/message")).contains(place);
    }

    @Test
    void isOnlyForThoseWhoMayRelease() {
        // given
        var vera = server.signUp("vera@example.com", "Vera");
        server.join(vera, team.projectId(), "Viewer");
        var path = "/v1/projects/" + team.projectId() + "/replace";

        // when, then
        assertThat(vera.api().post(path, document()).text("/code")).isEqualTo("PERMISSION_DENIED");
        assertThat(admin.api()
                        .post("/v1/projects/" + server.foreignProject() + "/replace", document())
                        .status())
                .isEqualTo(403);
    }
}
