package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.PieceTriggerStep;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.PageRequest;
import io.millrace.base.net.OutboundHttp;
import io.millrace.engine.agent.outside.OutsideProtocol;
import io.millrace.engine.agent.outside.OutsideServer;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
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

/** Makes of an author's tools what a model may call (contract agents 5). A tool that cannot be had is left out. */
final class AgentToolbox {
    private static final Logger LOG = LoggerFactory.getLogger(AgentToolbox.class);

    private static final long DEADLINE_MS = 60_000;
    /** As many as the common models take; a server may offer more. */
    private static final int TOOLS_MAX = 128;

    /** What a server says of a tool costs tokens at every turn. */
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
     * What a run works with.
     *
     * @param webSearch options of its provider's own search; empty for none
     */
    record Opened(List<AgentTool> tools, Optional<ObjectNode> webSearch) {}

    /**
     * The tools of a run; those of MCP servers are asked for now. Where two have one name, that of a server gets the place of the
     * server in it.
     */
    Future<Opened> open(AgentRun run, AgentWork work) {
        var taken = new HashSet<String>();
        var opened = new ArrayList<AgentTool>();
        var done = Future.<Void>succeededFuture();
        for (var index = 0; index < work.tools().size(); index++) {
            var source = (ObjectNode) work.tools().get(index);
            var place = index;
            done = done.compose(_ -> open(run, source)).map(found -> {
                found.stream()
                        .map(one -> taken.contains(one.name()) ? one.at(place) : one)
                        .filter(one -> opened.size() < TOOLS_MAX && taken.add(one.name()))
                        .forEach(opened::add);
                return null;
            });
        }
        return done.compose(_ -> web.offered(run.platformId())).map(offered -> {
            offered.forEach(tool -> opened.add(AgentTool.of(tool)));
            return new Opened(opened, ownSearch(work, opened));
        });
    }

    /**
     * The provider searches where the platform has no service that does (contract agents 4.5). Google's models search only
     * where they have no other tools.
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

    private Future<List<AgentTool>> open(AgentRun run, ObjectNode source) {
        var opened = switch (source.path("type").asText()) {
            case "PIECE" -> piece(run, source);
            case "FLOW" -> flow(run, source);
            case "MCP" -> server(source);
            case String _ -> knowledge(run, source);
        };
        return opened.recover(failure -> {
            LOG.info(
                    "tool {} of agent run {} is left out: {}",
                    source.path("toolName").asText(),
                    run.id(),
                    failure.getMessage());
            return Future.succeededFuture(List.of());
        });
    }

    private Future<List<AgentTool>> piece(AgentRun run, ObjectNode source) {
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
                                ToolSchemas.ofProperties(action.spec().props(), metadata.at("/predefinedInput/fields")),
                                AgentTool.Kind.PIECE,
                                source,
                                null))
                        .map(List::of)
                        .orElseGet(List::of));
    }

    private static String shortName(String pieceName) {
        var start = pieceName.indexOf(PIECE_PREFIX);
        return start < 0 ? pieceName : pieceName.substring(start + PIECE_PREFIX.length());
    }

    private Future<List<AgentTool>> flow(AgentRun run, ObjectNode source) {
        return flowOf(bus, run.projectId(), source.path("externalFlowId").asText())
                .map(found -> found.map(flow -> List.of(tool(flow, source))).orElseGet(List::of));
    }

    private static AgentTool tool(Flows.Populated flow, ObjectNode source) {
        var input = inputOf(flow);
        var described = input.path("toolDescription").asText("");
        return new AgentTool(
                AgentTool.nameOf(source.path("toolName").asText()),
                described.isBlank() ? "Runs the flow " + flow.version().displayName() : described,
                ToolSchemas.ofParameters(input.path("inputSchema")),
                AgentTool.Kind.FLOW,
                source,
                null);
    }

    /** What the flow's trigger is set to; a missing node for a trigger that takes nothing. */
    static JsonNode inputOf(Flows.Populated flow) {
        return flow.version().steps().trigger() instanceof PieceTriggerStep trigger
                ? trigger.settings().path("input")
                : Json.object();
    }

    /** A flow of the project by its external id. */
    static Future<Optional<Flows.Populated>> flowOf(Bus bus, String projectId, String externalId) {
        var filter = new Flows.Filter(
                projectId,
                List.of(),
                Optional.empty(),
                List.of(externalId),
                List.of(),
                List.of(),
                List.of(),
                false,
                Flows.VersionChoice.DRAFT);
        return bus.ask(new Flows.Find(filter, new PageRequest(1, null, false)), DEADLINE_MS)
                .map(page -> page.data().stream().findFirst());
    }

    private Future<List<AgentTool>> server(ObjectNode source) {
        return Future.succeededFuture(source)
                .compose(config -> serverOf(outbound, config).remoteTools())
                .map(tools -> tools.stream()
                        .map(tool -> new AgentTool(
                                AgentTool.nameOf(source.path("toolName").asText() + "_" + tool.name()),
                                tool.description()
                                        .substring(
                                                0, Math.min(tool.description().length(), DESCRIPTION_LENGTH_MAX)),
                                tool.schema(),
                                AgentTool.Kind.MCP,
                                source,
                                tool.name()))
                        .toList());
    }

    /** The server of a tool, with the headers that open it. */
    static OutsideServer serverOf(OutboundHttp outbound, ObjectNode source) {
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
                // A server that lets everybody in.
            }
        }
        var protocol = OutsideProtocol.of(source.path("protocol").asText()).orElse(OutsideProtocol.HTTP);
        return new OutsideServer(outbound, protocol, source.path("serverUrl").asText(), headers);
    }

    /** A tool of a table names its fields; of one that is not there it says so when it is called. */
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
            properties.putObject("query").put("type", "string").put("description", "What to look for.");
            schema.withArrayProperty("required").add("query");
        }
        return new AgentTool(
                AgentTool.nameOf(source.path("toolName").asText()),
                "Looks into " + source.path("sourceName").asText()
                        + (fields.isEmpty() ? "" : ". Fields: " + String.join(", ", fields)),
                schema,
                AgentTool.Kind.KNOWLEDGE_BASE,
                source,
                null);
    }
}
