package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.TestServer;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Client of an MCP server. Every exchange is checked against the API document. */
final class McpClient {
    private static final String EVENT = "event: message\ndata: ";
    private static final String ACCEPT = "application/json, text/event-stream";

    private final ApiClient api;
    private final String path;

    private McpClient(ApiClient api, String path) {
        this.api = api;
        this.path = path;
    }

    /** Client of a path, with the token of the API client. */
    static McpClient of(ApiClient api, String path) {
        return new McpClient(api, path);
    }

    /** Client of the project's MCP server, with its token. */
    static McpClient ofProject(TestServer server, TestServer.SignedIn owner) {
        return of(server.anonymous().with(tokenOf(owner)), pathOf(owner));
    }

    /** Path of the project's MCP server. */
    static String pathOf(TestServer.SignedIn owner) {
        return "/v1/mcp/" + owner.projectId() + "/http";
    }

    /** Token of the project's MCP server. */
    static String tokenOf(TestServer.SignedIn owner) {
        return owner.api().get("/v1/mcp/" + owner.projectId()).text("/token");
    }

    Answer ping() {
        return ask("ping", Json.object());
    }

    /** Sends a body with additional headers. */
    Answer send(String body, Map<String, String> headers) {
        var all = new HashMap<>(Map.of("Content-Type", "application/json", "Accept", ACCEPT));
        all.putAll(headers);
        return whole(api.send("POST", path, all, body));
    }

    /** Sends a body; returns the raw response, with all the events of a stream. */
    Answer sendRaw(String body) {
        return api.send("POST", path, Map.of("Content-Type", "application/json", "Accept", ACCEPT), body);
    }

    /** A late response is the last event of a stream. */
    private static Answer whole(Answer answer) {
        var start = answer.body().isTextual() ? answer.body().textValue().lastIndexOf(EVENT) : -1;
        return start < 0
                ? answer
                : new Answer(
                        answer.status(),
                        Json.trusted(answer.body().textValue().substring(start + EVENT.length())),
                        answer.headers());
    }

    /** A request without session and handshake, of a revision that requires them. */
    Answer ask(String method, JsonNode params) {
        return send(Json.text(message(method, params)), Map.of());
    }

    /** A request of the revision without a handshake. */
    Answer askModern(String method, ObjectNode params, Map<String, String> headers) {
        var all = new HashMap<>(Map.of("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", method));
        if (params.hasNonNull("name")) {
            all.put("Mcp-Name", params.path("name").asText());
        }
        all.putAll(headers);
        var meta = params.withObject("/_meta");
        if (meta.isEmpty()) {
            meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
            meta.putObject("io.modelcontextprotocol/clientCapabilities");
        }
        return send(Json.text(message(method, params)), all);
    }

    static ObjectNode message(String method, JsonNode params) {
        var message = Json.object().put("jsonrpc", "2.0").put("id", 7).put("method", method);
        message.set("params", params);
        return message;
    }

    /** Calls a tool; returns the text of its result. */
    String call(String tool, ObjectNode arguments) {
        var params = Json.object().put("name", tool);
        params.set("arguments", arguments);
        return ask("tools/call", params).text("/result/content/0/text");
    }

    /** Calls a tool and parses the JSON after the first line of its result. */
    JsonNode callForJson(String tool, ObjectNode arguments) {
        var text = call(tool, arguments);
        var start = text.indexOf('{');
        return Json.trusted(start < 0 ? "{}" : text.substring(start));
    }

    /** The tool of this name in the list; a missing node if it is not listed. */
    JsonNode tool(String name) {
        var tools = ask("tools/list", Json.object()).body().at("/result/tools");
        return StreamSupport.stream(tools.spliterator(), false)
                .filter(tool -> tool.path("name").asText().equals(name))
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }
}
