package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/**
 * Access of steps and triggers to the tables of their project (contract pieces 14.2). Implemented by the tables module.
 * A table is identified by its external id, a column by its external id, its id or its name. A rejected request fails
 * with a PieceFailure.
 */
public interface ProjectTables {
    record TableRef(String projectId, String table) {}

    /** A column of a table: {@code type} is TEXT, NUMBER, DATE, DATETIME or STATIC_DROPDOWN. */
    record Column(String id, String externalId, String name, String type, List<String> options) {
        public Column {
            options = List.copyOf(options);
        }
    }

    /**
     * Condition on a record.
     *
     * @param operator eq, neq, co, gt, gte, lt, lte, exists or not_exists
     */
    record Filter(String column, String operator, String value) {}

    /** Tables of the project: names as labels, external ids as values. */
    Future<List<Property.Option>> all(String projectId);

    Future<List<Column>> columns(TableRef place);

    /** Id of a table, which is independent of its name and external id. */
    Future<String> idOf(TableRef place);

    /**
     * Adds records; values of unknown columns are dropped.
     *
     * @param repeatKey idempotency key of the step: a repetition after a crash adds nothing
     */
    Future<ArrayNode> create(TableRef place, List<ObjectNode> rows, String repeatKey);

    /**
     * Records that fit all filters, oldest first.
     *
     * @param limit empty for a whole page
     */
    Future<ArrayNode> find(TableRef place, List<Filter> filters, Optional<Integer> limit);

    Future<ObjectNode> get(TableRef place, String recordId);

    /** Other columns are unchanged. */
    Future<ObjectNode> update(TableRef place, String recordId, ObjectNode values, String repeatKey);

    /** Unknown ids are ignored. */
    Future<Void> delete(TableRef place, List<String> recordIds);

    Future<Void> clear(TableRef place);

    /** Content of a table: {@code {name, fields: [{id, name}], rows: [{name: text}]}}. */
    Future<ObjectNode> export(TableRef place);

    /** The newest records, newest first. */
    Future<ArrayNode> newest(TableRef place, int count);
}
