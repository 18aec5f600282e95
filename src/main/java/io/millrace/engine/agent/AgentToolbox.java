package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.CutText;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.core.text.ShownText;
import io.millrace.base.net.OutboundHttp;
import io.millrace.engine.agent.outside.ExternalProtocol;
import io.millrace.engine.agent.outside.ExternalServer;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.piece.model.ToolSchema;
import io.millrace.piece.model.UnusableSchema;
import io.millrace.workspace.web.WebTool;
import io.millrace.workspace.web.WebTools;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Resolves an author's tools to the tools of the model (contract agents 5). Unavailable tools are left out. */
final class AgentToolbox {
    private static final Logger LOG = LoggerFactory.getLogger(AgentToolbox.class);

    private static final long DEADLINE_MS = 60_000;
    /** As many as the common models take; a server may offer more. */
    private static final int TOOLS_MAX = 128;

    /** Limit of a tool description of an MCP server: it costs tokens at every turn. */
    private static final int DESCRIPTION_LENGTH_MAX = 1_024;

    private static final String PIECE_PREFIX = "piece-";
    private static final int SEARCHES = 5;

    private final Bus bus;
    private final PieceCatalogue pieces;
    private final OutboundHttp outbound;
    private final WebTools web;

    AgentToolbox(Bus bus, PieceCatalogue pieces, OutboundHttp outbound, WebTools web) {
        this.web = web;
        this.bus = bus;
        this.pieces = pieces;
        this.outbound = outbound;
    }

    /**
     * Opened tools of a run.
     *
     * @param webSearch options of the provider's own web search; empty for none
     */
    record ToolSet(List<AgentTool> tools, List<LeftOut> leftOut, Optional<ObjectNode> webSearch) {}

    /** An unavailable tool, or all tools of an unavailable server, with the reason. */
    record LeftOut(String tool, String reason) {
        private static final int LENGTH_MAX = 300;

        LeftOut {
            tool = ShownText.of(tool, LENGTH_MAX);
            reason = ShownText.of(reason, LENGTH_MAX);
        }
    }

    private record Resolution(List<AgentTool> tools, List<LeftOut> leftOut) {
        static Resolution of(List<AgentTool> tools) {
            return new Resolution(tools, List.of());
        }

        static Resolution none(String tool, String reason) {
            return new Resolution(List.of(), List.of(new LeftOut(tool, reason)));
        }
    }

    /**
     * Opens the tools of a run; requests the tool lists of MCP servers now. If two tools have one name, the name of the later
     * one includes the position of its server.
     */
    Future<ToolSet> open(AgentRun run, AgentWork work) {
        // Servers are called concurrently: the total time is that of the slowest one.
        var found = work.tools()
                .valueStream()
                .map(source -> open(run, (ObjectNode) source))
                .toList();
        return Future.join(found).compose(_ -> web.offered(run.platformId())).map(offered -> {
            var opened = new ArrayList<AgentTool>();
            var leftOut = new ArrayList<LeftOut>();
            collect(found.stream().map(Future::result).toList(), opened, leftOut);
            offered.forEach(tool -> opened.add(AgentTool.of(tool)));
            leftOut.forEach(one ->
                    LOG.info("tool {} of agent run {} is not available: {}", one.tool(), run.id(), one.reason()));
            return new ToolSet(opened, leftOut, ownSearch(work, opened));
        });
    }

    private static void collect(List<Resolution> found, List<AgentTool> opened, List<LeftOut> leftOut) {
        var taken = new HashSet<String>();
        for (var place = 0; place < found.size(); place++) {
            leftOut.addAll(found.get(place).leftOut());
            for (var tool : found.get(place).tools()) {
                var own = taken.contains(tool.name()) ? tool.at(place) : tool;
                if (opened.size() == TOOLS_MAX) {
                    leftOut.add(new LeftOut(tool.shownName(), "a run has at most " + TOOLS_MAX + " tools"));
                } else if (taken.add(own.name())) {
                    opened.add(own);
                } else {
                    leftOut.add(new LeftOut(tool.shownName(), "another tool of the run has the same name"));
                }
            }
        }
    }

    /**
     * Options of the provider's own web search, used if the platform has no search service (contract agents 4.5). Google's
     * models support search only without other tools.
     */
    private static Optional<ObjectNode> ownSearch(AgentWork work, List<AgentTool> tools) {
        var searches = switch (work.model().provider()) {
            case "anthropic", "openrouter", "activepieces" -> true;
            case "google" -> tools.isEmpty() && work.structuredOutput().isEmpty();
            case String _ -> false;
        };
        return searches && tools.stream().noneMatch(tool -> tool.name().equals(WebTool.SEARCH.word()))
                ? Optional.of(Json.object().put("maxUses", SEARCHES))
                : Optional.empty();
    }

    private Future<Resolution> open(AgentRun run, ObjectNode source) {
        var name = source.path("toolName").asText();
        return Future.succeededFuture(source)
                .compose(known -> switch (known.path("type").asText()) {
                    case "PIECE" -> piece(run, known);
                    case "FLOW" -> flow(run, known);
                    case "MCP" -> server(known);
                    case String _ -> knowledge(run, known).map(Resolution::of);
                })
                .recover(failure -> Future.succeededFuture(Resolution.none(
                        name, failure instanceof ApiException refused ? refused.text() : failure.getMessage())));
    }

    private Future<Resolution> piece(AgentRun run, ObjectNode source) {
        var metadata = source.path("pieceMetadata");
        var name = metadata.path("pieceName").asText();
        var version = metadata.path("pieceVersion").asText();
        var actionName = metadata.path("actionName").asText();
        var scope = PieceScope.of(run.platformId());
        return bus.ask(new Pieces.Provide(scope, name, version), DEADLINE_MS)
                .map(_ -> pieces.find(scope, name, version)
                        .or(() -> pieces.newest(scope, name))
                        .map(piece -> piece.actions().get(actionName))
                        .map(action -> new AgentTool(
                                AgentTool.nameOf(shortName(name) + "-" + actionName),
                                action.spec().displayName() + ". "
                                        + action.spec().description(),
                                ToolSchema.of(ToolSchemas.ofProperties(
                                        action.spec().props(), metadata.at("/predefinedInput/fields"))),
                                AgentTool.Kind.PIECE,
                                source,
                                null))
                        .map(tool -> Resolution.of(List.of(tool)))
                        .orElseGet(() -> Resolution.none(
                                source.path("toolName").asText(),
                                "the piece " + name + " has no action " + actionName)));
    }

    private static String shortName(String pieceName) {
        var start = pieceName.indexOf(PIECE_PREFIX);
        return start < 0 ? pieceName : pieceName.substring(start + PIECE_PREFIX.length());
    }

    private Future<Resolution> flow(AgentRun run, ObjectNode source) {
        return flowOf(bus, run.projectId(), source.path("externalFlowId").asText())
                .map(found -> found.map(flow -> Resolution.of(List.of(tool(flow, source))))
                        .orElseGet(() -> Resolution.none(source.path("toolName").asText(), "the flow does not exist")));
    }

    private static AgentTool tool(Flows.FlowWithVersion flow, ObjectNode source) {
        var input = inputOf(flow);
        var described = input.path("toolDescription").asText("");
        return new AgentTool(
                AgentTool.nameOf(source.path("toolName").asText()),
                described.isBlank() ? "Runs the flow " + flow.version().displayName() : described,
                ToolSchema.of(ToolSchemas.ofParameters(input.path("inputSchema"))),
                AgentTool.Kind.FLOW,
                source,
                null);
    }

    /** Input of the flow's trigger; a missing node for a trigger without input. */
    static JsonNode inputOf(Flows.FlowWithVersion flow) {
        return flow.version().steps().trigger() instanceof PieceTriggerStep trigger
                ? trigger.settings().path("input")
                : Json.object();
    }

    /** A flow of the project by its external id, with its published version, else its draft. */
    static Future<Optional<Flows.FlowWithVersion>> flowOf(Bus bus, String projectId, String externalId) {
        return flowOf(bus, projectId, externalId, Flows.VersionChoice.LOCKED)
                .compose(published -> published.isPresent()
                        ? Future.succeededFuture(published)
                        : flowOf(bus, projectId, externalId, Flows.VersionChoice.DRAFT));
    }

    private static Future<Optional<Flows.FlowWithVersion>> flowOf(
            Bus bus, String projectId, String externalId, Flows.VersionChoice choice) {
        var filter = new Flows.Filter(
                projectId,
                List.of(),
                Optional.empty(),
                List.of(externalId),
                new Flows.Filter.UsedObjects(List.of(), List.of()),
                List.of(),
                false,
                choice);
        return bus.ask(new Flows.Find(filter, new PageRequest(1, null, false)), DEADLINE_MS)
                .map(page -> page.data().stream().findFirst());
    }

    private Future<Resolution> server(ObjectNode source) {
        return Future.succeededFuture(source)
                .compose(config -> serverOf(outbound, config).remoteTools())
                .map(listed -> {
                    var server = source.path("toolName").asText();
                    var tools = new ArrayList<AgentTool>();
                    var leftOut = new ArrayList<LeftOut>();
                    listed.problem().ifPresent(problem -> leftOut.add(new LeftOut(server, problem)));
                    for (var tool : listed.tools()) {
                        try {
                            tools.add(tool(source, tool));
                        } catch (UnusableSchema refused) {
                            leftOut.add(new LeftOut(server + "/" + tool.name(), refused.getMessage()));
                        }
                    }
                    return new Resolution(tools, leftOut);
                });
    }

    private static AgentTool tool(ObjectNode source, ExternalServer.RemoteTool tool) {
        var described = tool.description();
        return new AgentTool(
                AgentTool.nameOf(source.path("toolName").asText() + "_" + tool.name()),
                CutText.of(described, DESCRIPTION_LENGTH_MAX),
                // An invalid schema is replaced by one that accepts any object.
                ToolSchema.of(tool.schema().isObject() ? tool.schema() : Json.object()),
                AgentTool.Kind.MCP,
                source,
                tool.name());
    }

    static ExternalServer serverOf(OutboundHttp outbound, ObjectNode source) {
        var auth = source.path("auth");
        Map<String, String> headers = new LinkedHashMap<>();
        switch (auth.path("type").asText("none")) {
            case "access_token" ->
                headers.put(
                        "Authorization", "Bearer " + auth.path("accessToken").asText());
            case "api_key" ->
                headers.put(
                        auth.path("apiKeyHeader").asText(), auth.path("apiKey").asText());
            case "headers" ->
                auth.path("headers")
                        .properties()
                        .forEach(header ->
                                headers.put(header.getKey(), header.getValue().asText()));
            default -> {
                // A server without authentication.
            }
        }
        var protocol = ExternalProtocol.of(source.path("protocol").asText()).orElse(ExternalProtocol.HTTP);
        return new ExternalServer(outbound, protocol, source.path("serverUrl").asText(), headers);
    }

    /** Tool of a document or table. That of a table lists the table's fields; that of a missing table fails when it is called. */
    private Future<List<AgentTool>> knowledge(AgentRun run, ObjectNode source) {
        var isTable = source.path("sourceType").asText().equals("TABLE");
        var names = isTable
                ? new KnowledgeCalls(bus)
                        .fieldNames(run.projectId(), source.path("sourceId").asText())
                        .recover(failure -> ApiException.isNotFound(failure)
                                ? Future.succeededFuture(List.of())
                                : Future.failedFuture(failure))
                : Future.succeededFuture(List.<String>of());
        return names.map(fields -> List.of(knowledge(source, isTable, fields)));
    }

    private static AgentTool knowledge(ObjectNode source, boolean isTable, List<String> fields) {
        var schema = ToolSchemas.object();
        var properties = schema.withObjectProperty("properties");
        if (isTable) {
            KnowledgeCalls.describeFilters(properties);
        } else {
            properties.putObject("query").put("type", "string").put("description", "Search query.");
            schema.withArrayProperty("required").add("query");
        }
        return new AgentTool(
                AgentTool.nameOf(source.path("toolName").asText()),
                "Searches " + source.path("sourceName").asText()
                        + (fields.isEmpty() ? "" : ". Fields: " + String.join(", ", fields)),
                ToolSchema.of(schema),
                AgentTool.Kind.KNOWLEDGE_BASE,
                source,
                null);
    }
}
