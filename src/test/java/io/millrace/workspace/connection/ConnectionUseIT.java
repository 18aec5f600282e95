package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.OpenServer;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Connections and the flows that use them, for administrators. */
class ConnectionUseIT extends OpenServer {
    private static final String ALL = "/v1/app-connections";
    private static final String WEBHOOK = "@activepieces/piece-webhook";

    @Test
    void listsFlowsThatUseIt_andReplacesItInThem() {
        // given
        var source = admin.api().post(ALL, request("source", "SECRET_TEXT")).text("/id");
        var target = admin.api().post(ALL, request("target", "SECRET_TEXT")).text("/id");
        var other = admin.api()
                .post(ALL, request("webhook", "NO_AUTH").put("pieceName", WEBHOOK))
                .text("/id");
        var input = Json.object()
                .put("auth", "{{connections['source']}}")
                .put("method", "GET")
                .put("url", "http://x");
        input.put("authType", "NONE").put("body_type", "none");
        input.putObject("headers");
        input.putObject("queryParams");
        var script = FlowScript.webhook().piece("step_1", ConnectionBody.HTTP_PIECE, "0.11.13", "send_request", input);
        var published = LiveFlow.publish(admin, script);
        var draft = LiveFlow.draft(admin, script);

        // then
        assertThat(flowIds(source)).containsExactlyInAnyOrder(published.id(), draft.id());

        // when the published version must not change
        var refused = replace(source, target, body -> body.put("deleteSourceConnection", true));
        var otherPiece = replace(source, other, _ -> {});
        var itself = replace(source, source, _ -> {});

        // then nothing has changed
        assertThat(refused.status()).isEqualTo(409);
        assertThat(otherPiece.status()).isEqualTo(409);
        assertThat(itself.status()).isEqualTo(409);
        assertThat(replace(Ids.next(), target, _ -> {}).status()).isEqualTo(404);
        assertThat(flowIds(source)).hasSize(2);

        // when
        var drafts = replace(source, target, _ -> {});

        // then
        assertThat(drafts.status()).isEqualTo(204);
        assertThat(flowIds(source)).containsExactly(published.id());
        assertThat(flowIds(target)).containsExactly(draft.id());

        // when
        var all = replace(
                source,
                target,
                body -> body.put("applyToPublishedVersions", true).put("deleteSourceConnection", true));

        // then
        assertThat(all.status()).isEqualTo(204);
        assertThat(flowIds(target)).containsExactlyInAnyOrder(published.id(), draft.id());
        assertThat(admin.api().get(ALL + "/" + source).status()).isEqualTo(404);
        assertThat(admin.api()
                        .get("/v1/flows/" + published.id())
                        .body()
                        .at("/version/trigger/nextAction/settings/input/auth")
                        .asText())
                .isEqualTo("{{connections['target']}}");
    }

    private static ApiClient.Answer replace(String source, String target, Consumer<ObjectNode> edit) {
        var body = Json.object()
                .put("projectId", admin.projectId())
                .put("sourceAppConnectionId", source)
                .put("targetAppConnectionId", target);
        edit.accept(body);
        return admin.api().post(ALL + "/replace", body);
    }

    private static List<String> flowIds(String id) {
        return admin.api()
                .get(ALL + "/" + id)
                .body()
                .path("flowIds")
                .valueStream()
                .map(flowId -> flowId.asText())
                .toList();
    }

    @Test
    void goesWithItsProject() {
        // given
        var team = team();
        var id = admin.api()
                .post(ALL, request("short-lived", "SECRET_TEXT").put("projectId", team))
                .text("/id");

        // when
        admin.api().delete("/v1/projects/" + team);

        // then
        assertThat(admin.api().get(ALL + "/" + id).status()).isEqualTo(404);
    }

    private static ObjectNode request(String externalId, String type) {
        return ConnectionBody.of(admin.projectId(), externalId, type);
    }

    private static String team() {
        return ConnectionBody.team(admin);
    }
}
