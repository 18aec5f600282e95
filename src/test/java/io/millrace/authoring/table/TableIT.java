package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.account.identity.AccessTokens;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tables and their fields over HTTP (contract flows-and-engine 22). */
class TableIT extends TableBench {
    @Test
    void makesATableWithFields_inAFolderByName() {
        // When
        var made = post("/v1/tables", table("Orders").put("folderName", "Sales").put("externalId", "orders-1"));

        // Then
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.text("/externalId")).isEqualTo("orders-1");
        assertThat(made.body().path("status").isNull()).isTrue();
        var folder = get("/v1/folders/" + made.text("/folderId"));
        assertThat(folder.text("/displayName")).isEqualTo("Sales");
        assertThat(folder.body().path("numberOfTables").asInt()).isEqualTo(1);
        var fields = get("/v1/fields?tableId=" + made.text("/id")).body();
        assertThat(fields.findValuesAsText("name")).containsExactly("Name", "Amount", "Due");
        assertThat(fields.at("/1/externalId").asText()).isEqualTo("amount");
    }

    @Test
    void changesWhatIsNamed_andNullClears() {
        // Given
        var made = post("/v1/tables", table("Changing").put("folderName", "Changes"));
        var path = "/v1/tables/" + made.text("/id");

        // When
        var named = post(path, Json.object().put("name", "Changed").put("status", "ENABLED"));
        var cleared = post(path, Json.object().putNull("folderId").putNull("status"));

        // Then
        assertThat(named.text("/name")).isEqualTo("Changed");
        assertThat(named.text("/status")).isEqualTo("ENABLED");
        assertThat(named.text("/folderId")).isEqualTo(made.text("/folderId"));
        assertThat(cleared.text("/name")).isEqualTo("Changed");
        assertThat(cleared.body().path("folderId").isNull()).isTrue();
        assertThat(cleared.body().path("status").isNull()).isTrue();
    }

    @Test
    void listsNewestFirst_inPages_andByName() {
        // Given
        for (var name : List.of("Page one", "Page two", "Page three")) {
            server.clock().advance(Duration.ofSeconds(1));
            post("/v1/tables", table(name));
        }
        var query = "?limit=2&name=pAGe&projectId=" + admin.projectId();

        // When
        var first = get("/v1/tables" + query);
        var second = get("/v1/tables" + query + "&cursor=" + first.text("/next"));

        // Then
        assertThat(first.body().path("data").findValuesAsText("name")).containsExactly("Page three", "Page two");
        assertThat(second.body().path("data").findValuesAsText("name")).containsExactly("Page one");
        assertThat(get("/v1/tables/count" + query).body().asInt()).isEqualTo(3);
    }

    @Test
    void keepsExternalIdsApart_andRefusesUnknownFolders() {
        // Given
        post("/v1/tables", table("First").put("externalId", "taken"));

        // When
        var again = post("/v1/tables", table("Second").put("externalId", "taken"));
        var lost = post("/v1/tables", table("Lost").put("folderId", Ids.next()));
        var malformed = post("/v1/tables", table("Malformed").put("externalId", ".."));

        // Then
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.text("/code")).isEqualTo("VALIDATION");
        assertThat(lost.status()).isEqualTo(404);
        assertThat(malformed.status()).isEqualTo(400);
        assertThat(malformed.text("/message")).contains("body/externalId");
    }

    @Test
    void takesAsManyFieldsAsAreAllowed_andNoMore() {
        // Given
        var full = post("/v1/tables", table("Full")).text("/id");
        var tooMany = table("Too many");
        tooMany.withArray("/fields").addObject().put("name", "Fourth").put("type", "TEXT");

        // When
        var refused = post("/v1/tables", tooMany);
        var fourth = post(
                "/v1/fields",
                Json.object().put("tableId", full).put("name", "X").put("type", "TEXT"));
        delete("/v1/fields/" + field(full, "Due"));
        var third = post(
                "/v1/fields",
                Json.object().put("tableId", full).put("name", "X").put("type", "TEXT"));

        // Then
        assertThat(refused.status()).isEqualTo(409);
        assertThat(fourth.status()).isEqualTo(409);
        assertThat(third.status()).isEqualTo(201);
        assertThat(get("/v1/fields?tableId=" + full).body().findValuesAsText("name"))
                .containsExactly("Name", "Amount", "X");
    }

    @Test
    void aDropdownNeedsItsOptions() {
        // Given
        var tableId = post("/v1/tables", Json.object().put("name", "Empty").put("projectId", admin.projectId()))
                .text("/id");
        var request = Json.object().put("tableId", tableId).put("name", "State").put("type", "STATIC_DROPDOWN");

        // When
        var without = post("/v1/fields", request);
        request.putObject("data").putArray("options").addObject().put("value", "open");
        var with = post("/v1/fields", request);

        // Then
        assertThat(without.status()).isEqualTo(400);
        assertThat(without.text("/message")).contains("body/data");
        assertThat(with.status()).isEqualTo(201);
        assertThat(with.text("/data/options/0/value")).isEqualTo("open");
        assertThat(post("/v1/fields/" + with.text("/id"), Json.object().put("name", "Status"))
                        .text("/name"))
                .isEqualTo("Status");
        assertThat(get("/v1/fields/" + with.text("/id"))
                        .body()
                        .at("/data/options/0/value")
                        .asText())
                .isEqualTo("open");
    }

    @Test
    void exportsFieldsOfTheSameName_eachWithItsValue() {
        // Given
        var wanted = table("Twice");
        wanted.putArray("fields")
                .add(Json.object().put("name", "Note").put("type", "TEXT"))
                .add(Json.object().put("name", "Note").put("type", "TEXT"));
        var tableId = post("/v1/tables", wanted).text("/id");
        var fields = get("/v1/fields?tableId=" + tableId).body();
        var record = Json.object().put("tableId", tableId);
        var cells = record.putArray("records").addArray();
        cells.addObject().put("fieldId", fields.at("/0/id").asText()).put("value", "one");
        cells.addObject().put("fieldId", fields.at("/1/id").asText()).put("value", "two");
        post("/v1/records", record);

        // When
        var export = get("/v1/tables/" + tableId + "/export").body();

        // Then
        assertThat(export.path("fields").findValuesAsText("name")).containsExactly("Note", "Note_2");
        assertThat(export.path("rows").get(0).path("Note").asText()).isEqualTo("one");
        assertThat(export.path("rows").get(0).path("Note_2").asText()).isEqualTo("two");
    }

    @Test
    void exportsClearsAndDeletes() {
        // Given
        var tableId = post("/v1/tables", table("Export")).text("/id");
        add(tableId, "rye", "9", "");
        add(tableId, "oat", "1", "");

        // When
        var export = get("/v1/tables/" + tableId + "/export");
        var template = get("/v1/tables/" + tableId + "/template");
        var cleared = send("POST", "/v1/tables/" + tableId + "/clear", Json.object());
        var after = get("/v1/tables/" + tableId + "/export");
        var deleted = delete("/v1/tables/" + tableId);

        // Then
        assertThat(export.body().path("rows").findValuesAsText("Name")).containsExactly("rye", "oat");
        assertThat(export.body().path("fields").findValuesAsText("name")).containsExactly("Name", "Amount", "Due");
        assertThat(template.text("/tables/0/fields/1/externalId")).isEqualTo("amount");
        assertThat(cleared.status()).isEqualTo(204);
        assertThat(after.body().path("rows").isEmpty()).isTrue();
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(get("/v1/tables/" + tableId).status()).isEqualTo(404);
    }

    @Test
    void callsAWebhookOnce_forEveryChange() {
        // Given
        var flow = LiveFlow.publish(admin, FlowScript.webhook());
        var tableId = post("/v1/tables", table("Told")).text("/id");
        var request = Json.object().put("webhookUrl", "http://ignored").put("flowId", flow.id());
        request.putArray("events").add("RECORD_CREATED").add("RECORD_DELETED");
        var webhook = post("/v1/tables/" + tableId + "/webhooks", request);

        // When
        var record = add(tableId, "rye", "9", "").path(0);
        var created = flow.ended(1);
        var ids = Json.object().put("tableId", tableId);
        ids.putArray("ids").add(record.path("id").asText());
        send("DELETE", "/v1/records", ids);
        flow.ended(2);
        var ended = delete("/v1/tables/" + tableId + "/webhooks/" + webhook.text("/id"));

        // Then
        assertThat(webhook.status()).isEqualTo(200);
        assertThat(flow.run(created.path("id").asText()).at("/steps/trigger/output/body/record"))
                .isEqualTo(record);
        assertThat(ended.status()).isEqualTo(204);
        assertThat(delete("/v1/tables/" + tableId + "/webhooks/" + webhook.text("/id"))
                        .status())
                .isEqualTo(404);
    }

    @Test
    void aPieceStaysInItsProject() {
        // Given
        var own = post("/v1/tables", table("Mine")).text("/id");
        var piece = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(admin.projectId()));
        var stranger = server.anonymous()
                .with(new AccessTokens(TestServer.JWT_SECRET, server.clock()).issueEngine(server.foreignProject()));

        // When
        var mine = piece.get("/v1/records?tableId=" + own);
        var theirs = stranger.get("/v1/records?tableId=" + own);
        var listed = stranger.get("/v1/tables?projectId=" + admin.projectId());

        // Then
        assertThat(mine.status()).isEqualTo(200);
        assertThat(theirs.status()).isEqualTo(403);
        assertThat(listed.body().path("data").isEmpty()).isTrue();
    }

    private static Answer delete(String path) {
        return admin.api().delete(path);
    }
}
