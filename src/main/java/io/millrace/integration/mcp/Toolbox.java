package io.millrace.integration.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ErrorRenderer;
import io.millrace.integration.mcp.protocol.RpcFailure;
import io.millrace.integration.mcp.tool.CallCancellation;
import io.millrace.integration.mcp.tool.FlowTools;
import io.millrace.integration.mcp.tool.Tool;
import io.millrace.integration.mcp.tool.ToolInput;
import io.millrace.integration.mcp.tool.ToolResult;
import io.millrace.integration.mcp.tool.ToolSearch;
import io.millrace.integration.mcp.tool.ToolSpec;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Tools of a caller, and their calls. The tools of a project are the platform's own and its flows; a server offers a part of
 * them. A server that offers many lists a search instead (AP_MCP_TOOLS_LISTED_MAX). A caller whose consent opens several projects works in the one that was chosen last, or in the one that a call
 * names.
 */
final class Toolbox {
    private static final long DEADLINE_MS = 10_000;
    private static final String PROJECT = "projectId";
    private static final String SET_CONTEXT = "ap_set_project_context";
    private static final Set<ErrorCode> ACCESS_LOST =
            Set.of(ErrorCode.PERMISSION_DENIED, ErrorCode.AUTHORIZATION, ErrorCode.ENTITY_NOT_FOUND);

    private final Bus bus;
    private final List<Tool> own;
    private final FlowTools flows;
    private final int listedMax;

    /**
     * @param own the platform's own tools
     * @param listedMax largest number of listed tools
     */
    Toolbox(Bus bus, List<Tool> own, FlowTools flows, int listedMax) {
        this.bus = bus;
        this.own = List.copyOf(own);
        this.flows = flows;
        this.listedMax = listedMax;
    }

    private record Offer(List<ToolSpec> specs, List<String> pinned) {}

    /** The listed tools of a caller, in an order that stays the same while they do. */
    Future<List<ToolSpec>> list(McpCaller caller) {
        return offer(caller).map(offer -> ToolSearch.listed(offer.specs(), offer.pinned(), listedMax));
    }

    private Future<Offer> offer(McpCaller caller) {
        return readableProjectOf(caller)
                .compose(project -> project.map(id -> serverOf(caller, id)
                                .compose(server ->
                                        toolsOf(server, id).map(tools -> offer(caller, tools, server.pinnedTools()))))
                        .orElseGet(() -> Future.succeededFuture(offer(caller, own, List.of()))));
    }

    private static Offer offer(McpCaller caller, List<Tool> tools, List<String> pinned) {
        return caller.isWide()
                ? new Offer(
                        wide(tools),
                        Stream.concat(Stream.of(SET_CONTEXT), pinned.stream()).toList())
                : new Offer(specs(tools.stream()), pinned);
    }

    /** All tools of a project, including hidden ones, for the configuration of their visibility. */
    Future<List<Tool>> all(String projectId) {
        return flows.of(projectId)
                .map(ofFlows -> Stream.concat(own.stream(), ofFlows.stream()).toList());
    }

    private static List<ToolSpec> specs(Stream<Tool> tools) {
        return tools.map(Tool::spec).toList();
    }

    private static List<ToolSpec> wide(List<Tool> tools) {
        var specs = new ArrayList<ToolSpec>();
        specs.add(contextSpec());
        specs(tools.stream()).stream().map(Toolbox::namingProject).forEach(specs::add);
        return specs;
    }

    private static ToolSpec namingProject(ToolSpec spec) {
        if (spec.effect() == ToolSpec.Effect.UNKNOWN) {
            return spec;
        }
        var input = ToolInput.of(spec.input())
                .text(PROJECT, "Project; default: the one that " + SET_CONTEXT + " has selected.");
        return new ToolSpec(spec.name(), spec.title(), spec.description(), input, spec.permission(), spec.effect());
    }

    private static ToolSpec contextSpec() {
        return new ToolSpec(
                SET_CONTEXT,
                "Choose a project",
                "Selects the project for all other tools. Flows of that project become tools.",
                ToolInput.none().text(PROJECT, "Id of the project.").requiring(PROJECT),
                Permission.READ_MCP,
                ToolSpec.Effect.WRITES);
    }

    private Future<McpToolOffer> serverOf(McpCaller caller, String projectId) {
        return caller.customServerId()
                .map(id -> bus.ask(new CustomServers.Find(projectId, id), DEADLINE_MS)
                        .<McpToolOffer>map(server -> server))
                .orElseGet(() ->
                        bus.ask(new McpServers.Get(projectId), DEADLINE_MS).map(server -> server));
    }

    private Future<List<Tool>> toolsOf(McpToolOffer server, String projectId) {
        return all(projectId).map(tools -> tools.stream().filter(server::offers).toList());
    }

    /** The project whose tools are listed: a user may have lost the project that was selected. */
    private Future<Optional<String>> readableProjectOf(McpCaller caller) {
        return caller.isWide()
                ? projectOf(caller)
                        .compose(project -> project.map(id ->
                                        enter(caller.by(), id).map(project).recover(Toolbox::noneWhenRefused))
                                .orElseGet(() -> Future.succeededFuture(project)))
                : projectOf(caller);
    }

    private static Future<Optional<String>> noneWhenRefused(Throwable failure) {
        return failure instanceof ApiException refused && ACCESS_LOST.contains(refused.code())
                ? Future.succeededFuture(Optional.empty())
                : Future.failedFuture(failure);
    }

    private Future<?> enter(Principal by, String projectId) {
        return bus.ask(new Gate.Enter(by, projectId, Permission.READ_MCP), DEADLINE_MS);
    }

    private Future<Optional<String>> projectOf(McpCaller caller) {
        return caller.projectId().isPresent()
                ? Future.succeededFuture(caller.projectId())
                : bus.ask(new McpServers.ContextOf(caller.grantId().orElseThrow()), DEADLINE_MS);
    }

    /**
     * Calls a tool. An error of the tool is a result; an unknown tool is a protocol error.
     *
     * @param requestId request id for the log of a defect
     */
    Future<ToolResult> call(
            McpCaller caller, String name, ObjectNode arguments, String requestId, CallCancellation cancellation) {
        return switch (name) {
            case ToolSearch.SEARCH ->
                answered(offer(caller).map(offer -> ToolSearch.search(offer.specs(), arguments)), requestId);
            case ToolSearch.CALL -> callFound(caller, arguments, requestId, cancellation);
            default -> callNamed(caller, name, arguments, requestId, cancellation);
        };
    }

    /** Calls a tool that a search has found, after the same checks as a direct call. */
    private Future<ToolResult> callFound(
            McpCaller caller, ObjectNode arguments, String requestId, CallCancellation cancellation) {
        var objections = new ArrayList<String>();
        return ToolSearch.readCall(arguments, objections)
                .map(found -> callNamed(caller, found.name(), found.arguments(), requestId, cancellation)
                        .recover(failure -> failure instanceof RpcFailure unknown
                                ? Future.succeededFuture(ToolResult.failed(unknown.getMessage()))
                                : Future.failedFuture(failure)))
                .orElseGet(() -> Future.succeededFuture(ToolResult.invalid(objections)));
    }

    private Future<ToolResult> callNamed(
            McpCaller caller, String name, ObjectNode arguments, String requestId, CallCancellation cancellation) {
        if (caller.isWide() && name.equals(SET_CONTEXT)) {
            return answered(setContext(caller, arguments), requestId);
        }
        var given = arguments.deepCopy();
        var named = caller.isWide() && isOwn(name) ? given.remove(PROJECT) : null;
        var project = named == null || named.isNull()
                ? projectOf(caller)
                : Future.succeededFuture(Optional.of(named.asText()));
        return project.compose(found -> found.map(projectId -> call(
                        caller,
                        name,
                        server -> new Tool.Use(caller.by(), projectId, server.id(), given, cancellation),
                        projectId,
                        requestId))
                .orElseGet(() -> Future.succeededFuture(
                        ToolResult.failed("No project is selected. Call " + SET_CONTEXT + " first."))));
    }

    private boolean isOwn(String name) {
        return own.stream().anyMatch(tool -> tool.name().equals(name));
    }

    private Future<ToolResult> call(
            McpCaller caller, String name, Function<McpToolOffer, Tool.Use> use, String projectId, String requestId) {
        return answered(
                enter(caller.by(), projectId)
                        .compose(_ -> serverOf(caller, projectId))
                        .compose(server -> call(server, name, use.apply(server))),
                requestId);
    }

    private Future<ToolResult> call(McpToolOffer server, String name, Tool.Use use) {
        return toolsOf(server, use.projectId())
                .compose(tools -> tools.stream()
                        .filter(tool -> tool.name().equals(name))
                        .findFirst()
                        .map(tool -> call(tool, use))
                        .orElseThrow(() -> RpcFailure.invalidParams("Unknown tool: " + name)));
    }

    private Future<ToolResult> call(Tool tool, Tool.Use use) {
        var permission = tool.spec().permission();
        var entered = permission == null
                ? Future.succeededFuture()
                : bus.ask(new Gate.Enter(use.by(), use.projectId(), permission), DEADLINE_MS);
        return entered.recover(Toolbox::withoutEffect).compose(_ -> {
            var objections = tool.spec().objections(use.arguments());
            if (!objections.isEmpty()) {
                return Future.succeededFuture(ToolResult.invalid(objections));
            }
            var result = tool.action().apply(use);
            return tool.spec().effect() == ToolSpec.Effect.READS ? result.recover(Toolbox::withoutEffect) : result;
        });
    }

    private static <T> Future<T> withoutEffect(Throwable failure) {
        return Future.failedFuture(ApiException.withoutEffect(failure));
    }

    private Future<ToolResult> setContext(McpCaller caller, ObjectNode arguments) {
        var objections = contextSpec().objections(arguments);
        if (!objections.isEmpty()) {
            return Future.succeededFuture(ToolResult.invalid(objections));
        }
        var projectId = arguments.path(PROJECT).asText("");
        return bus.ask(new McpServers.SetContext(caller.by(), caller.grantId().orElseThrow(), projectId), DEADLINE_MS)
                .map(_ -> ToolResult.done(
                        "The tools now use this project.", Json.object().put(PROJECT, projectId)));
    }

    /** Maps failures: a refusal becomes a result for the model; a defect is logged and reported as an internal error. */
    private static Future<ToolResult> answered(Future<ToolResult> result, String requestId) {
        return result.recover(failure -> failure instanceof RpcFailure
                ? Future.failedFuture(failure)
                : Future.succeededFuture(ToolResult.refused(refusalOf(failure, requestId))));
    }

    private static ApiException refusalOf(Throwable failure, String requestId) {
        return ErrorRenderer.refusalOf(failure, requestId);
    }
}
