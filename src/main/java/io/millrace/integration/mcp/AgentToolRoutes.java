package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.text.HeaderRule;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.net.OutboundHttp;
import io.millrace.engine.agent.outside.ExternalProtocol;
import io.millrace.engine.agent.outside.ExternalServer;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Validates an external MCP server before an agent uses it (contract flows-and-engine 28.1). */
public final class AgentToolRoutes implements RouteGroup {
    private static final int HEADER_LENGTH_MAX = 4000;
    private static final Pattern URL = Pattern.compile("https?://.{1,2000}");
    private static final String AUTH = "auth";

    private final OutboundHttp outbound;

    public AgentToolRoutes(OutboundHttp outbound) {
        this.outbound = outbound;
    }

    @Override
    public void mount(Routes routes) {
        routes.post(
                "/v1/mcp/:projectId/validate-agent-mcp-tool",
                Access.projectUsersInPath("projectId"),
                AgentToolRoutes::read,
                this::validate);
    }

    private record Parameters(ExternalProtocol protocol, String serverUrl, Map<String, String> headers) {
        @Override
        public String toString() {
            return "Parameters[" + serverUrl + "]";
        }
    }

    private static Parameters read(Input input) {
        input.id("projectId");
        var body = input.body();
        body.text("toolName", 1, 200);
        if (body.optionalText("type").filter(type -> !type.equals("MCP")).isPresent()) {
            body.refuse("type", "Invalid option: expected \"MCP\"");
        }
        var protocol = ExternalProtocol.of(body.text("protocol")).orElseGet(() -> {
            body.refuse("protocol", "Invalid option: expected one of \"sse\"|\"streamable-http\"|\"http\"");
            return ExternalProtocol.HTTP;
        });
        return new Parameters(protocol, body.text("serverUrl", URL), headers(body));
    }

    private static Map<String, String> headers(Fields body) {
        if (body.raw(AUTH).isMissingNode()) {
            return Map.of();
        }
        body.object(AUTH);
        var auth = body.raw(AUTH);
        var headers = new LinkedHashMap<String, String>();
        switch (auth.path("type").asText()) {
            case "none" -> {}
            case "access_token" -> put(body, headers, "Authorization", auth.path("accessToken"), "Bearer ");
            case "api_key" -> put(body, headers, auth.path("apiKeyHeader").asText(), auth.path("apiKey"), "");
            case "headers" ->
                auth.path("headers")
                        .properties()
                        .forEach(header -> put(body, headers, header.getKey(), header.getValue(), ""));
            default ->
                body.refuse(
                        AUTH + "/type",
                        "Invalid option: expected one of \"none\"|\"access_token\"|\"api_key\"|\"headers\"");
        }
        return headers;
    }

    private static void put(Fields body, Map<String, String> headers, String name, JsonNode value, String scheme) {
        if (!HeaderRule.isName(name)
                || !value.isTextual()
                || value.textValue().length() > HEADER_LENGTH_MAX
                || !HeaderRule.isValue(value.textValue())) {
            body.refuse(AUTH, "Invalid input: expected valid HTTP header names and values");
            return;
        }
        headers.put(name, scheme + value.textValue());
    }

    /** The errors of the server are part of the answer, not failures of this request. */
    private Future<ApiReply> validate(ApiCall call, Parameters parameters) {
        var answer = Json.object();
        return tools(parameters)
                .map(names -> {
                    names.forEach(answer.putArray("toolNames")::add);
                    return ApiReply.ok(answer.putNull("error"));
                })
                .recover(failure -> failure instanceof ExternalServer.Unusable
                        ? Future.succeededFuture(
                                ApiReply.ok(answer.putNull("toolNames").put("error", failure.getMessage())))
                        : Future.failedFuture(failure));
    }

    private Future<List<String>> tools(Parameters parameters) {
        try {
            return new ExternalServer(outbound, parameters.protocol(), parameters.serverUrl(), parameters.headers())
                    .tools();
        } catch (IllegalArgumentException malformed) {
            return Future.failedFuture(new ExternalServer.Unusable("The address of the server is malformed"));
        }
    }
}
