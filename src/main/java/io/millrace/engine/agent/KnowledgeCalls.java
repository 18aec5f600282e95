package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.knowledge.KnowledgeChunks;
import io.millrace.authoring.table.TableField;
import io.millrace.authoring.table.TableFields;
import io.millrace.authoring.table.TableRecord;
import io.millrace.authoring.table.TableRecords;
import io.millrace.authoring.table.Tables;
import io.millrace.authoring.table.cell.FilterOperator;
import io.millrace.authoring.table.cell.RecordFilter;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.agent.AgentCalls.Outcome;
import io.millrace.piece.model.ToolRequest;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks into documents and tables for a run (contract agents 5). The project is always that of the run, independent of the
 * model's arguments. Instructions inside a document are untrusted text.
 */
final class KnowledgeCalls {
    private static final long TABLE_DEADLINE_MS = 30_000;
    private static final long DOCUMENT_DEADLINE_MS = 60_000;
    private static final int QUERY_LENGTH_MAX = 8_000;
    private static final int RECORDS = 20;
    private static final int RECORDS_MAX = 100;
    private static final int FILTERS_MAX = 20;

    private final Bus bus;

    KnowledgeCalls(Bus bus) {
        this.bus = bus;
    }

    static void describeFilters(ObjectNode properties) {
        var filters = properties
                .putObject("filters")
                .put("type", "array")
                .put("description", "Conditions that all must hold. Omit for the newest records.");
        var filter = filters.putObject("items").put("type", "object");
        var fields = filter.putObject("properties");
        fields.putObject("fieldName").put("type", "string").put("description", "Name of a field of the table.");
        var operators = fields.putObject("operator").put("type", "string").putArray("enum");
        Arrays.stream(FilterOperator.values()).map(FilterOperator::word).forEach(operators::add);
        fields.putObject("value").put("type", "string").put("description", "Value to compare with, as text.");
        filter.putArray("required").add("fieldName").add("operator");
        properties
                .putObject("limit")
                .put("type", "integer")
                .put("description", "Maximum number of records: 20 by default, at most 100.");
    }

    /** Names of the fields of a table of the project, for the model; empty when there is none. */
    Future<List<String>> fieldNames(String projectId, String tableId) {
        return bus.ask(new Tables.ProjectOf(tableId), TABLE_DEADLINE_MS)
                .compose(owner -> owner.equals(projectId)
                        ? bus.ask(new TableFields.ListOf(tableId), TABLE_DEADLINE_MS)
                        : Future.succeededFuture(List.<TableField>of()))
                .map(fields -> fields.stream().map(TableField::name).toList());
    }

    Future<Outcome> perform(AgentRun run, AgentTool tool, ToolRequest request) {
        var sourceId = tool.source().path("sourceId").asText();
        return tool.source().path("sourceType").asText().equals("TABLE")
                ? table(run, sourceId, request.arguments())
                : document(run, sourceId, request.arguments().path("query").asText(""));
    }

    private Future<Outcome> document(AgentRun run, String id, String query) {
        if (query.isBlank() || query.length() > QUERY_LENGTH_MAX) {
            return Future.succeededFuture(
                    Outcome.refused("expected a query of at most " + QUERY_LENGTH_MAX + " characters"));
        }
        return bus.ask(new KnowledgeChunks.Ask(run.projectId(), id, query), DOCUMENT_DEADLINE_MS)
                .map(answer -> switch (answer) {
                    case KnowledgeChunks.Answer.NoChunks(var reason) -> Outcome.of(TextNode.valueOf(reason));
                    case KnowledgeChunks.Answer.Chunks(var found) -> Outcome.of(ranked(found));
                });
    }

    private static ArrayNode ranked(List<KnowledgeChunks.Match> found) {
        var chunks = Json.array();
        for (var chunk : found) {
            chunks.addObject()
                    .put("rank", chunks.size())
                    .put("content", chunk.content())
                    .put("relevanceScore", chunk.score());
        }
        return chunks;
    }

    private Future<Outcome> table(AgentRun run, String tableId, ObjectNode arguments) {
        var count = Math.clamp(arguments.path("limit").asInt(RECORDS), 1, RECORDS_MAX);
        return bus.ask(new Tables.ProjectOf(tableId), TABLE_DEADLINE_MS)
                .compose(projectId -> projectId.equals(run.projectId())
                        ? bus.ask(new TableFields.ListOf(tableId), TABLE_DEADLINE_MS)
                        : Future.failedFuture(ApiException.notFound("table", tableId)))
                .compose(fields -> {
                    var wanted = arguments.path("filters");
                    var problem = problemOf(wanted, fields);
                    return problem.map(reason -> Future.succeededFuture(Outcome.refused(reason)))
                            .orElseGet(() -> records(tableId, filters(wanted, fields), count)
                                    .map(found -> Outcome.of(written(found))));
                });
    }

    private Future<List<TableRecord>> records(String tableId, List<RecordFilter> filters, int count) {
        return filters.isEmpty()
                ? bus.ask(new TableRecords.Newest(tableId, count), TABLE_DEADLINE_MS)
                : bus.ask(
                                new TableRecords.Find(tableId, filters, new PageRequest(count, null, false)),
                                TABLE_DEADLINE_MS)
                        .map(page -> page.data());
    }

    private static Optional<String> problemOf(JsonNode wanted, List<TableField> fields) {
        if (wanted.isMissingNode() || wanted.isNull()) {
            return Optional.empty();
        }
        if (!wanted.isArray() || wanted.size() > FILTERS_MAX) {
            return Optional.of("filters: expected an array of at most " + FILTERS_MAX);
        }
        for (var filter : wanted) {
            if (fieldOf(filter, fields).isEmpty()) {
                return Optional.of("filters: the table has no field "
                        + filter.path("fieldName").asText() + "; its fields are "
                        + fields.stream().map(TableField::name).collect(Collectors.joining(", ")));
            }
            if (FilterOperator.of(filter.path("operator").asText()).isEmpty()) {
                return Optional.of(
                        "filters: unknown operator " + filter.path("operator").asText());
            }
        }
        return Optional.empty();
    }

    private static List<RecordFilter> filters(JsonNode wanted, List<TableField> fields) {
        var filters = new ArrayList<RecordFilter>();
        for (var filter : wanted) {
            filters.add(new RecordFilter(
                    fieldOf(filter, fields).map(TableField::id).orElseThrow(),
                    FilterOperator.of(filter.path("operator").asText()).orElseThrow(),
                    filter.path("value").asText("")));
        }
        return filters;
    }

    private static Optional<TableField> fieldOf(JsonNode filter, List<TableField> fields) {
        return TableField.find(fields, filter.path("fieldName").asText(""));
    }

    private static ObjectNode written(List<TableRecord> found) {
        var output = Json.object();
        var records = output.putArray("records");
        found.forEach(record -> records.add(record.toJson()));
        return output;
    }
}
