package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.integration.mcp.protocol.Revision;
import io.millrace.integration.mcp.protocol.RpcFailure;
import io.millrace.integration.mcp.protocol.RpcMessage;
import io.millrace.integration.mcp.tool.CallCancellation;
import io.millrace.integration.mcp.tool.ToolResult;
import io.vertx.core.Future;
import java.util.function.Supplier;

/** Methods of the protocol, for an authenticated caller and a negotiated revision. */
final class McpProtocol {
    private static final long DEADLINE_MS = 10_000;
    private static final String SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";
    private static final String INSTRUCTIONS = """
            Tools of a Millrace project. Flows that begin with the trigger MCP Tool are tools of their own; the tools \
            whose names begin with ap_ build, test, publish and inspect flows. A flow takes effect when it is published. If \
            ap_search_tools is listed, it finds the tools that are not listed, and ap_call_tool calls them.""";

    /** Freshness of the list of tools for clients, in milliseconds; subscribed clients are also notified of changes. */
    private static final int LIST_FRESH_MS = 60_000;

    private final Bus bus;
    private final Toolbox toolbox;
    private final String version;

    McpProtocol(Bus bus, Toolbox toolbox, String version) {
        this.bus = bus;
        this.toolbox = toolbox;
        this.version = version;
    }

    record Greeting(ObjectNode result, String sessionId) {}

    /** A client that requests an unsupported revision is offered the latest one with a handshake. */
    Future<Greeting> initialize(McpCaller caller, RpcMessage.Call call) {
        var wanted = call.params().path("protocolVersion");
        if (!wanted.isTextual()) {
            throw RpcFailure.invalidParams("Invalid params: expected protocolVersion");
        }
        var revision =
                Revision.of(wanted.textValue()).filter(Revision::hasHandshake).orElse(Revision.LATEST_WITH_HANDSHAKE);
        var result = Json.object().put("protocolVersion", revision.word());
        result.set("capabilities", capabilities());
        result.set("serverInfo", serverInfo());
        result.put("instructions", INSTRUCTIONS);
        return bus.ask(new McpSessions.Begin(caller.holder(), revision), DEADLINE_MS)
                .map(id -> new Greeting(call.result(result), id));
    }

    Future<ObjectNode> answer(
            McpCaller caller,
            Revision revision,
            RpcMessage.Call call,
            String requestId,
            CallCancellation cancellation) {
        Supplier<RpcFailure> unknown = () -> RpcFailure.unknownMethod(call.method(), revision);
        var result = switch (call.method()) {
            case "tools/list" -> tools(caller, revision, call);
            case "tools/call" -> callTool(caller, call, requestId, cancellation);
            case "ping" -> {
                if (!revision.hasHandshake()) {
                    throw unknown.get();
                }
                yield Future.succeededFuture(Json.object());
            }
            case "server/discover" -> {
                if (revision.hasHandshake()) {
                    throw unknown.get();
                }
                yield Future.succeededFuture(discovery());
            }
            default -> throw unknown.get();
        };
        return result.map(json -> call.result(revision.hasHandshake() ? json : complete(json)));
    }

    private static ObjectNode capabilities() {
        var capabilities = Json.object();
        capabilities.putObject("tools").put("listChanged", true);
        return capabilities;
    }

    private ObjectNode serverInfo() {
        return Json.object().put("name", "millrace").put("title", "Millrace").put("version", version);
    }

    private static ObjectNode discovery() {
        var result = Json.object();
        Revision.words().forEach(result.putArray("supportedVersions")::add);
        result.set("capabilities", capabilities());
        return fresh(result.put("instructions", INSTRUCTIONS));
    }

    private static ObjectNode fresh(ObjectNode result) {
        return result.put("ttlMs", LIST_FRESH_MS).put("cacheScope", "private");
    }

    /** Adds the result type and the server info, which every result without a handshake contains. */
    private ObjectNode complete(ObjectNode result) {
        result.put("resultType", "complete").withObject("/_meta").set(SERVER_INFO_KEY, serverInfo());
        return result;
    }

    /** Lists all tools in one page; the server never issues a cursor, so a request with one is invalid. */
    private Future<ObjectNode> tools(McpCaller caller, Revision revision, RpcMessage.Call call) {
        if (call.params().hasNonNull("cursor")) {
            throw RpcFailure.invalidParams("Invalid params: expected a cursor of this server");
        }
        return toolbox.list(caller).map(specs -> {
            var result = Json.object();
            var tools = result.putArray("tools");
            specs.forEach(spec -> tools.add(spec.toJson()));
            return revision.hasHandshake() ? result : fresh(result);
        });
    }

    private Future<ObjectNode> callTool(
            McpCaller caller, RpcMessage.Call call, String requestId, CallCancellation cancellation) {
        var name = call.params().path("name");
        if (!name.isTextual()) {
            throw RpcFailure.invalidParams("Invalid params: expected the name of a tool");
        }
        var arguments = call.params().path("arguments");
        if (!arguments.isMissingNode() && !arguments.isNull() && !arguments.isObject()) {
            throw RpcFailure.invalidParams("Invalid params: expected an object as arguments");
        }
        var given = arguments instanceof ObjectNode object ? object : Json.object();
        return toolbox.call(caller, name.textValue(), given, requestId, cancellation)
                .map(ToolResult::toJson);
    }
}
