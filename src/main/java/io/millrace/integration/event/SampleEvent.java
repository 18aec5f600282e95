package io.millrace.integration.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.time.Duration;
import java.time.Instant;

/** An event that never happened, for trying a destination (contract admin-api 23). Pure, except for its ids. */
final class SampleEvent {
    private static final String PROJECT = "Dream Department";
    private static final String FLOW = "Sample flow";
    private static final String EMAIL = "sample@example.com";
    private static final long DURATION_MS = 1_234;

    private final String at;
    private final Instant now;

    private SampleEvent(Instant now) {
        this.now = now;
        this.at = Json.timestamp(now);
    }

    static ObjectNode of(EventAction action, String platformId, Instant now) {
        var sample = new SampleEvent(now);
        return sample.stamped(Ids.next())
                .put("platformId", platformId)
                .put("projectId", Ids.next())
                .put("projectDisplayName", PROJECT)
                .put("userId", Ids.next())
                .put("userEmail", EMAIL)
                .put("ip", "127.0.0.1")
                .put("action", action.text())
                .set("data", sample.data(action));
    }

    private ObjectNode data(EventAction action) {
        var data = Json.object();
        switch (action) {
            case FLOW_CREATED -> data.set("flow", flow().put("displayName", FLOW));
            case FLOW_DELETED, FLOW_PUBLISHED, FLOW_ACTIVATED, FLOW_DEACTIVATED -> withVersion(data);
            case FLOW_UPDATED -> {
                withVersion(data);
                var request = data.putObject("request").put("type", "CHANGE_NAME");
                request.putObject("request").put("displayName", FLOW);
            }
            case FLOW_RUN_STARTED, FLOW_RUN_FINISHED, FLOW_RUN_RESUMED, FLOW_RUN_RETRIED, FLOW_RUN_REPLAYED ->
                data.set("flowRun", run(action == EventAction.FLOW_RUN_FINISHED));
            case FOLDER_CREATED, FOLDER_UPDATED, FOLDER_DELETED ->
                data.set("folder", stamped(Ids.next()).put("displayName", "Sample folder"));
            case CONNECTION_UPSERTED, CONNECTION_DELETED -> data.set("connection", connection());
            case VARIABLE_UPSERTED, VARIABLE_DELETED, VARIABLE_VALUE_REVEALED ->
                data.set("variable", stamped(Ids.next()).put("name", "SAMPLE_VARIABLE"));
            case USER_SIGNED_UP -> data.put("source", "credentials").set("user", user());
            case USER_SIGNED_IN, USER_PASSWORD_RESET, USER_EMAIL_VERIFIED -> data.set("user", user());
            case SIGNING_KEY_CREATED ->
                data.set("signingKey", stamped(Ids.next()).put("displayName", "Sample signing key"));
            case PROJECT_ROLE_CREATED, PROJECT_ROLE_UPDATED, PROJECT_ROLE_DELETED -> data.set("projectRole", role());
            case PROJECT_RELEASE_CREATED ->
                data.putObject("release")
                        .put("name", "Sample release")
                        .putNull("description")
                        .put("type", "GIT")
                        .put("projectId", Ids.next());
            case PROJECT_REPLACED -> replaced(data);
            case PIECE_NATIVE_INSTALLED ->
                data.putObject("piece").put("name", "@acme/piece-picture").put("version", "1.0.0");
            case CODE_NATIVE_INSTALLED -> data.putArray("packages").add("@acme/picture");
            case AGENT_CREATED, AGENT_UPDATED, AGENT_UNPUBLISHED, AGENT_DELETED -> data.set("agent", agent());
            case AGENT_PUBLISHED -> {
                var agent = agent().put("publishedDigest", "0123456789abcdef");
                agent.putArray("publishedToolNames");
                data.set("agent", agent);
            }
            case MCP_GRANT_REVOKED ->
                data.putObject("grant")
                        .put("id", Ids.next())
                        .put("clientId", "sampleclient")
                        .put("clientName", "Sample client")
                        .put("redirectUri", "http://localhost/callback")
                        .putNull("projectId")
                        .put("reason", "REFRESH_TOKEN_REUSED");
            case MCP_SERVER_CREATED, MCP_SERVER_UPDATED, MCP_SERVER_DELETED, MCP_SERVER_TOKEN_ROTATED ->
                data.putObject("mcpServer").put("id", Ids.next()).put("displayName", "Sample server");
            case ISSUE_UPDATED ->
                data.putObject("issue")
                        .put("id", Ids.next())
                        .put("flowId", Ids.next())
                        .put("stepName", "step_1")
                        .put("status", "RESOLVED");
        }
        if (hasProject(action)) {
            data.putObject("project").put("displayName", PROJECT);
        }
        return data;
    }

    private static boolean hasProject(EventAction action) {
        if (action.text().startsWith("mcp.server.")) {
            return true;
        }
        var room = action.text().split("\\.", 2)[0];
        return switch (room) {
            case "flow", "folder", "connection", "variable", "agent" -> true;
            default -> false;
        };
    }

    private ObjectNode stamped(String id) {
        return Json.object().put("id", id).put("created", at).put("updated", at);
    }

    private ObjectNode flow() {
        return stamped(Ids.next()).put("externalId", Ids.next());
    }

    private void withVersion(ObjectNode data) {
        var flow = flow();
        data.set("flow", flow);
        data.set(
                "flowVersion",
                stamped(Ids.next())
                        .put("displayName", FLOW)
                        .put("flowId", flow.path("id").asText()));
    }

    private ObjectNode run(boolean isFinished) {
        var run = Json.object()
                .put("id", Ids.next())
                .put("startTime", Json.timestamp(now.minus(Duration.ofMillis(DURATION_MS))))
                .put("finishTime", isFinished ? at : null)
                .put("environment", "PRODUCTION")
                .put("flowId", Ids.next())
                .put("flowVersionId", Ids.next())
                .put("flowDisplayName", FLOW)
                .put("status", isFinished ? "FAILED" : "RUNNING");
        return isFinished ? run.put("duration", DURATION_MS) : run;
    }

    private static ObjectNode agent() {
        return Json.object().put("id", Ids.next()).put("displayName", "Sample agent");
    }

    private ObjectNode connection() {
        return stamped(Ids.next())
                .put("displayName", "Sample connection")
                .put("externalId", Ids.next())
                .put("pieceName", "@activepieces/piece-http")
                .put("status", "ACTIVE")
                .put("type", "SECRET_TEXT");
    }

    private static ObjectNode user() {
        return Json.object()
                .put("id", Ids.next())
                .put("email", EMAIL)
                .put("firstName", "Sample")
                .put("lastName", "User");
    }

    private ObjectNode role() {
        var role = stamped(Ids.next()).put("name", "Sample role").put("platformId", Ids.next());
        role.putArray("permissions").add("READ_FLOW");
        return role;
    }

    private static void replaced(ObjectNode data) {
        data.put("sourceActivepiecesVersion", "0.0.0")
                .put("failedCount", 0)
                .put("outcome", "SUCCESS")
                .put("durationMs", DURATION_MS);
        data.putObject("applied");
    }
}
