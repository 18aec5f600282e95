package io.millrace.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A platform with a row of every resource, created over the API by its administrator.
 *
 * @param rows id of a row by the path of its collection
 */
record Tenant(SignedIn admin, ApiClient service, Map<String, String> rows) {
    private static final String PIECE = "@activepieces/piece-http";

    /** Fills a platform. Every name contains the mark, which reveals leaks to other tenants. */
    static Tenant fill(TestServer server, SignedIn admin, String mark) {
        var rows = new TreeMap<String, String>();
        var key = made(201, admin.api().post("/v1/api-keys", Json.object().put("displayName", mark)));
        rows.put("/v1/platforms", admin.platformId());
        rows.put("/v1/users", admin.userId());
        rows.put("/v1/projects", admin.projectId());
        var tenant = new Tenant(admin, server.anonymous().with(key.path("value").asText()), rows);
        tenant.add("/v1/api-keys", 201, Json.object().put("displayName", mark));
        tenant.addConnections(mark);
        tenant.addPeople(mark);
        tenant.addFlows(mark);
        tenant.addOthers(mark);
        tenant.addTable(mark);
        return tenant;
    }

    String projectId() {
        return admin.projectId();
    }

    private void addConnections(String mark) {
        var value = Json.object().put("type", "SECRET_TEXT").put("secret_text", mark);
        var connection = Json.object()
                .put("externalId", mark)
                .put("displayName", mark)
                .put("pieceName", PIECE)
                .put("type", "SECRET_TEXT");
        connection.set("value", value);
        add("/v1/app-connections", 201, connection.deepCopy().put("projectId", projectId()));
        connection.put("scope", "PLATFORM").putArray("projectIds").add(projectId());
        add("/v1/global-connections", 201, connection.put("externalId", mark + "-global"));
        var app = Json.object().put("pieceName", PIECE).put("clientId", mark).put("clientSecret", mark);
        add("/v1/oauth-apps", 200, app);
    }

    private void addPeople(String mark) {
        var role = Json.object().put("name", mark).put("type", "CUSTOM");
        role.putArray("permissions").add("READ_FLOW");
        add("/v1/project-roles", 201, role);
        var invitation = Json.object()
                .put("type", "PLATFORM")
                .put("email", mark.toLowerCase(Locale.ROOT) + "@example.com")
                .put("platformRole", "MEMBER");
        add("/v1/user-invitations", 201, invitation);
        var receiver = invitation.path("email").asText();
        add(
                "/v1/alerts",
                200,
                Json.object().put("channel", "EMAIL").put("receiver", receiver).put("projectId", projectId()));
    }

    private void addFlows(String mark) {
        var flow = LiveFlow.publish(admin, FlowScript.webhook().returnJson("step_1", "{'mark':'" + mark + "'}"));
        made(200, flow.callAndWait(Json.object().put("mark", mark)));
        rows.put("/v1/flows", flow.id());
        rows.put("/v1/flow-runs", flow.ended(1).path("id").asText());
        var version = admin.api().get("/v1/flows/" + flow.id()).text("/version/id");
        rows.put("flowVersionId", version);
        add("/v1/folders", 200, Json.object().put("displayName", mark).put("projectId", projectId()));
    }

    private void addOthers(String mark) {
        var provider = Json.object().put("displayName", mark).put("provider", "custom");
        provider.putObject("config")
                .put("baseUrl", "https://models.example.com/v1")
                .put("apiKeyHeader", "Authorization")
                .putArray("models");
        provider.putObject("auth").put("apiKey", mark);
        add("/v1/ai-providers", 201, provider);
        var tool = Json.object().put("capability", "WEB_SEARCH").put("provider", "TAVILY");
        tool.putObject("config").put("mark", mark);
        tool.putObject("auth").put("apiKey", mark);
        add("/v1/ai-tools", 201, tool);
        var variable = Json.object().put("name", mark).put("value", mark).put("projectId", projectId());
        add("/v1/variables", 201, variable);
        var template = Json.object()
                .put("name", mark)
                .put("summary", mark)
                .put("description", mark)
                .put("author", mark)
                .put("type", "CUSTOM");
        template.putArray("categories");
        add("/v1/templates", 200, template);
    }

    private void addTable(String mark) {
        var table = Json.object().put("name", mark).put("projectId", projectId());
        add("/v1/tables", 201, table);
        var tableId = rows.get("/v1/tables");
        add(
                "/v1/fields",
                201,
                Json.object().put("name", mark).put("type", "TEXT").put("tableId", tableId));
        var records = Json.object().put("tableId", tableId);
        records.putArray("records")
                .addArray()
                .addObject()
                .put("fieldId", rows.get("/v1/fields"))
                .put("value", mark);
        rows.put(
                "/v1/records",
                made(201, admin.api().post("/v1/records", records)).at("/0/id").asText());
    }

    private void add(String collection, int status, JsonNode body) {
        rows.put(
                collection,
                made(status, admin.api().post(collection, body)).path("id").asText());
    }

    private static JsonNode made(int status, Answer answer) {
        if (answer.status() != status) {
            throw new AssertionError("expected " + status + ", found " + answer.status() + " " + answer.body());
        }
        return answer.body();
    }

    /** The id for a path parameter of the document; a new one if this tenant has no such row. */
    String rowOf(String path) {
        return rows.getOrDefault(path.replaceAll("/\\{.*", ""), Ids.next());
    }

    /** True if the parameter of a path has a row. */
    boolean hasRowOf(String path) {
        return rows.containsKey(path.replaceAll("/\\{.*", ""));
    }

    /** A body in which ids refer to this tenant's rows. */
    JsonNode named(JsonNode body) {
        switch (body) {
            case ObjectNode object ->
                object.properties().forEach(field -> {
                    if (field.getValue().isContainerNode() && !field.getKey().equals("projectIds")) {
                        named(field.getValue());
                    } else {
                        nameOf(field.getKey(), field.getValue()).ifPresent(field::setValue);
                    }
                });
            case ArrayNode array -> array.forEach(this::named);
            default -> {
                // A plain value contains no id.
            }
        }
        return body;
    }

    private Optional<JsonNode> nameOf(String field, JsonNode present) {
        var row = switch (field) {
            case "projectId", "targetProjectId" -> projectId();
            case "platformId" -> admin.platformId();
            case "flowId" -> rows.get("/v1/flows");
            case "tableId" -> rows.get("/v1/tables");
            case "flowVersionId" -> rows.get("flowVersionId");
            case "sourceAppConnectionId", "targetAppConnectionId" -> rows.get("/v1/app-connections");
            default -> null;
        };
        if (field.equals("projectIds")) {
            return Optional.of(Json.array().add(projectId()));
        }
        return row == null || !present.isTextual() ? Optional.empty() : Optional.of(TextNode.valueOf(row));
    }
}
