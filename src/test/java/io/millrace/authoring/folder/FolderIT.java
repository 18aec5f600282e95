package io.millrace.authoring.folder;

import static io.millrace.authoring.flow.FlowClient.expect;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.FlowClient;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Folders over HTTP, and the flows in them (contract admin-api 9, flows-and-engine 3.1, 3.2). */
class FolderIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");

    private String projectId;

    @BeforeEach
    void makeProject() {
        projectId = project();
    }

    private static String project() {
        return expect(201, ada.api().post("/v1/projects", Json.object().put("displayName", "Mill")))
                .text("/id");
    }

    private static Answer put(ApiClient api, String projectId, String name) {
        return api.post("/v1/folders", Json.object().put("projectId", projectId).put("displayName", name));
    }

    private String folder(String name) {
        server.clock().advance(Duration.ofSeconds(1));
        return expect(200, put(ada.api(), projectId, name)).text("/id");
    }

    private Answer flowIn(String field, String value) {
        return ada.api()
                .post(
                        "/v1/flows",
                        Json.object()
                                .put("projectId", projectId)
                                .put("displayName", "In " + value)
                                .put(field, value));
    }

    private JsonNode get(String path) {
        return expect(200, ada.api().get(path)).body();
    }

    private JsonNode folders() {
        return get("/v1/folders?projectId=" + projectId).path("data");
    }

    @Test
    void findsOrCreatesAFolderByItsName() {
        // when
        var made = expect(200, put(ada.api(), projectId, "Orders"));
        server.clock().advance(Duration.ofSeconds(1));
        var again = expect(200, put(ada.api(), projectId, "ORDERS"));
        var elsewhere = expect(200, put(ada.api(), project(), "Orders"));

        // then
        assertThat(made.body())
                .isEqualTo(FlowSamples.json("{'id':'" + made.text("/id") + "','created':'" + made.text("/created")
                        + "','updated':'" + made.text("/created") + "','projectId':'" + projectId
                        + "','displayName':'Orders','displayOrder':0,'externalId':null,'numberOfFlows':0,"
                        + "'numberOfTables':0}"));
        assertThat(again.text("/id")).isEqualTo(made.text("/id"));
        assertThat(again.text("/displayName")).isEqualTo("ORDERS");
        assertThat(again.text("/updated")).isGreaterThan(made.text("/updated"));
        assertThat(elsewhere.text("/id")).isNotEqualTo(made.text("/id"));
        assertThat(folders()).hasSize(1);
    }

    @Test
    void makesOneFolder_whenTwentyAskAtOnce() {
        // given
        var asked = new ArrayList<CompletableFuture<Answer>>();

        // when
        for (var number = 0; number < 20; number++) {
            var body = Json.object().put("projectId", projectId);
            asked.add(
                    number % 2 == 0
                            ? ada.api().postAsync("/v1/folders", body.put("displayName", "Same"))
                            : ada.api()
                                    .postAsync(
                                            "/v1/flows",
                                            body.put("displayName", "x").put("folderName", "same")));
        }

        // then
        assertThat(asked)
                .allSatisfy(answer -> assertThat(answer.join().status()).isIn(200, 201));
        assertThat(folders()).hasSize(1);
        assertThat(folders().at("/0/numberOfFlows").asInt()).isEqualTo(10);
    }

    @Test
    void listsOldestFirst_inPages() {
        // given
        var ids = List.of(folder("b"), folder("a"), folder("c"));

        // when
        var first = get("/v1/folders?limit=2&projectId=" + projectId);
        var second = get("/v1/folders?limit=2&projectId=" + projectId + "&cursor="
                + first.path("next").asText());

        // then
        assertThat(first.path("data").findValuesAsText("id")).isEqualTo(ids.subList(0, 2));
        assertThat(second.path("data").findValuesAsText("id")).isEqualTo(ids.subList(2, 3));
        assertThat(second.path("next").isNull()).isTrue();
    }

    @Test
    void renames_butTakesNoNameOfAnotherFolder() {
        // given
        var orders = folder("Orders");
        folder("Bills");

        // when
        var renamed = ada.api().post("/v1/folders/" + orders, Json.object().put("displayName", "orders"));
        var taken = ada.api().post("/v1/folders/" + orders, Json.object().put("displayName", "BILLS"));
        var unnamed = ada.api().post("/v1/folders/" + orders, Json.object().put("displayName", ""));
        var long256 = ada.api().post("/v1/folders/" + orders, Json.object().put("displayName", "x".repeat(256)));
        var nobody = ada.api().post("/v1/folders/" + Ids.next(), Json.object().put("displayName", "x"));

        // then
        assertThat(renamed.status()).isEqualTo(200);
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.text("/code")).isEqualTo("VALIDATION");
        assertThat(unnamed.text("/message")).contains("body/displayName");
        assertThat(long256.text("/message")).contains("body/displayName");
        assertThat(nobody.status()).isEqualTo(404);
        assertThat(nobody.text("/params/entityType")).isEqualTo("folder");
        assertThat(get("/v1/folders/" + orders).path("displayName").asText()).isEqualTo("orders");
    }

    @Test
    void putsFlowsIntoFolders_andFindsThemThere() {
        // given
        var orders = folder("Orders");
        var bills = folder("Bills");
        var byId = expect(201, flowIn("folderId", orders));
        var byName = expect(201, flowIn("folderName", "oRDERS"));
        var made = expect(201, flowIn("folderName", "Fresh"));
        var loose = FlowClient.create(ada.api(), projectId, "Loose");

        // when
        var moved = loose.change("CHANGE_FOLDER", "{'folderId':'" + bills + "'}");

        // then
        assertThat(byId.text("/folderId")).isEqualTo(orders);
        assertThat(byName.text("/folderId")).isEqualTo(orders);
        assertThat(folders().findValuesAsText("displayName")).containsExactlyInAnyOrder("Orders", "Bills", "Fresh");
        assertThat(moved.path("folderId").asText()).isEqualTo(bills);
        assertThat(get("/v1/folders/" + orders).path("numberOfFlows").asInt()).isEqualTo(2);
        var flows = "/v1/flows?projectId=" + projectId;
        assertThat(ids(get(flows + "&folderId=" + orders)))
                .containsExactlyInAnyOrder(byId.text("/id"), byName.text("/id"));
        assertThat(ids(get(flows + "&folderIds=" + made.text("/folderId") + "&folderIds=" + bills)))
                .containsExactlyInAnyOrder(made.text("/id"), loose.flowId());
        assertThat(ids(get(flows + "&folderId=NULL"))).isEmpty();
        assertThat(get("/v1/flows/count?projectId=" + projectId + "&folderId=" + orders)
                        .asInt())
                .isEqualTo(2);
        loose.change("CHANGE_FOLDER", "{'folderId':null}");
        assertThat(ids(get(flows + "&folderId=NULL"))).containsExactly(loose.flowId());
    }

    private static List<String> ids(JsonNode page) {
        var ids = new ArrayList<String>();
        page.path("data").forEach(flow -> ids.add(flow.path("id").asText()));
        return ids;
    }

    @Test
    void refusesFoldersOfOtherProjects() {
        // given
        var foreign = expect(200, put(ada.api(), project(), "Theirs")).text("/id");
        var flow = FlowClient.create(ada.api(), projectId, "Mine");
        var before = flow.get().body();

        // when
        var created = flowIn("folderId", foreign);
        var changed = flow.apply("CHANGE_FOLDER", "{'folderId':'" + foreign + "'}");

        // then
        assertThat(created.status()).isEqualTo(404);
        assertThat(changed.status()).isEqualTo(404);
        assertThat(changed.text("/params/entityType")).isEqualTo("folder");
        assertThat(flow.get().body()).isEqualTo(before);
        assertThat(get("/v1/flows/count?projectId=" + projectId).asInt()).isOne();
    }

    @Test
    void leavesTheFlows_whenAFolderIsDeleted() {
        // given
        var orders = folder("Orders");
        var flow = expect(201, flowIn("folderId", orders)).text("/id");

        // when
        var deleted = ada.api().delete("/v1/folders/" + orders);

        // then
        assertThat(deleted.status()).isEqualTo(204);
        assertThat(get("/v1/flows/" + flow).path("folderId").isNull()).isTrue();
        assertThat(ada.api().get("/v1/folders/" + orders).status()).isEqualTo(404);
        assertThat(ada.api().delete("/v1/folders/" + orders).status()).isEqualTo(404);
    }

    @Test
    void asksForThePermissionsOfFlows() {
        // given
        var vera = server.signUp(Ids.next() + "@example.com", "Vera");
        server.give(vera, PlatformRole.MEMBER);
        var orders = folder("Orders");
        var stranger = vera.api().get("/v1/folders/" + orders);
        server.join(vera, projectId, "Viewer");

        // then
        assertThat(stranger.status()).isEqualTo(403);
        assertThat(vera.api().get("/v1/folders/" + orders).status()).isEqualTo(200);
        assertThat(vera.api().get("/v1/folders?projectId=" + projectId).status())
                .isEqualTo(200);
        assertThat(List.of(
                        put(vera.api(), projectId, "Mine"),
                        vera.api().post("/v1/folders/" + orders, Json.object().put("displayName", "x")),
                        vera.api().delete("/v1/folders/" + orders)))
                .allSatisfy(refused -> {
                    assertThat(refused.status()).isEqualTo(403);
                    assertThat(refused.text("/params/permission")).isEqualTo("WRITE_FLOW");
                });
        assertThat(folders().findValuesAsText("displayName")).containsExactly("Orders");
    }
}
