package io.millrace.authoring.table;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Definitions of all tables of a project, for the module above, whose transactions it shares. Records are not part of a
 * definition: they are unchanged, except that records of a deleted table and cells of a deleted field are removed.
 */
public final class TableStates {
    private static final int TABLES_MAX = 1_000;

    private final int fieldsMax;
    private final RowBound bound;
    private final InstantSource clock;
    private final TableStore store = new TableStore();
    private final FieldStore fields = new FieldStore();

    /** @param fieldsMax fields that one table may have (AP_MAX_FIELDS_PER_TABLE) */
    public TableStates(int fieldsMax, RowBound bound, InstantSource clock) {
        this.fieldsMax = fieldsMax;
        this.bound = bound;
        this.clock = clock;
    }

    /** All tables of a project, oldest first. */
    public Future<List<TableState>> of(Tx tx, String projectId) {
        return store.all(tx, projectId, TABLES_MAX + 1)
                .compose(tables -> fields.ofProject(tx, projectId).map(columns -> {
                    var byTable = columns.stream().collect(Collectors.groupingBy(TableField::tableId));
                    return tables.stream()
                            .map(table -> TableState.of(table, byTable.getOrDefault(table.id(), List.of())))
                            .toList();
                }));
    }

    public Future<Void> create(Tx tx, String projectId, TableState state) {
        checkSize(state);
        var now = now();
        var table = new Table(
                Ids.next(),
                now,
                now,
                state.name(),
                null,
                projectId,
                state.externalId(),
                state.status(),
                state.trigger());
        return bound.begin(tx, "tables", "project", projectId)
                .compose(addition -> store.insert(tx, table)
                        .compose(_ -> fields.insert(tx, table, TableService.fieldsOf(table, state.fields(), now)))
                        .compose(_ -> store.countOf(tx, projectId))
                        .compose(addition::check));
    }

    /** A field with a changed type counts as a new field: its values are lost. */
    public Future<Void> update(Tx tx, String tableId, TableState state) {
        checkSize(state);
        var now = now();
        return store.hold(tx, tableId)
                .map(found -> TableService.required(found, tableId).table())
                .map(table -> new Table(
                        tableId,
                        table.created(),
                        now,
                        state.name(),
                        table.folderId(),
                        table.projectId(),
                        table.externalId(),
                        state.status(),
                        state.trigger()))
                .compose(table -> store.update(tx, table)
                        .compose(_ -> fields.of(tx, tableId))
                        .compose(there -> change(tx, table, there, state.fields(), now)));
    }

    private Future<Void> change(Tx tx, Table table, List<TableField> there, List<NewField> wanted, Instant now) {
        var wishes = wanted.stream()
                .collect(Collectors.toMap(request -> request.externalId().orElseThrow(), Function.identity()));
        var done = Future.<Void>succeededFuture();
        var kept = new ArrayList<String>();
        for (var field : there) {
            var request = wishes.get(field.externalId());
            if (request == null || request.type() != field.type()) {
                done = done.compose(_ -> fields.delete(tx, field.id()));
            } else {
                kept.add(field.externalId());
                done = done.compose(_ -> fields.update(tx, field.defined(request), now));
            }
        }
        var added = wanted.stream()
                .filter(request -> !kept.contains(request.externalId().orElseThrow()))
                .toList();
        return done.compose(
                _ -> fields.insert(tx, table, TableService.fieldsOf(table, added, TableService.after(there, now))));
    }

    private void checkSize(TableState state) {
        if (state.fields().size() > fieldsMax) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "expected at most " + fieldsMax + " fields of the table " + state.externalId() + ", found "
                            + state.fields().size());
        }
    }

    public Future<Void> delete(Tx tx, String tableId) {
        return store.delete(tx, tableId);
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
