package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.UnnestStatement;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunWrite;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Statements of executing runs: the writes of their actors. {@link LiveRunStore} reads their values,
 * {@link RunOwnerStore} changes their owners, and {@link RunQueryStore} finds them.
 */
public final class RunStore {
    private static final String UNIQUE_VIOLATION = "23505";

    /** Writes many runs, outside of any transaction; returns the ids of the runs whose write took effect. */
    public Future<Set<String>> write(Tx tx, List<RunWrite> writes) {
        var batch = RunBatch.of(writes);
        return batch.hasOnlyEndedRuns()
                ? insertEnded(tx, batch)
                : query(tx, batch.hasAnswers() ? RunBatch.WRITE_ALL_AND_ANSWERS : RunBatch.WRITE_ALL, batch)
                        .map(RunStore::ids);
    }

    private static Future<Set<String>> insertEnded(Tx tx, RunBatch batch) {
        return query(tx, batch.insertion(), batch)
                .map(_ -> batch.endedIds())
                .recover(failure -> isUniqueViolation(failure)
                        ? query(tx, RunBatch.INSERT_MISSING_ENDED, batch).map(RunStore::ids)
                        : Future.failedFuture(failure));
    }

    private static Future<RowSet<Row>> query(Tx tx, UnnestStatement<RunBatch> statement, RunBatch batch) {
        return tx.query(statement.sql(), statement.values(batch));
    }

    private static boolean isUniqueViolation(Throwable failure) {
        return failure instanceof PgException refused && UNIQUE_VIOLATION.equals(refused.getSqlState());
    }

    private static Set<String> ids(RowSet<Row> rows) {
        var ids = new HashSet<String>(rows.size() * 2);
        rows.forEach(row -> ids.add(Rows.text(row, "id")));
        return ids;
    }

    /**
     * Ids of the runs whose rows are as this node wrote them: a batch may be repeated after its answer was lost. Rows
     * written by another owner since do not count.
     */
    Future<Set<String>> alreadyWritten(Tx tx, List<RunWrite> writes, String nodeId) {
        return tx.query(
                        """
                        select w.id from unnest($1::text[], $2::bigint[], $3::boolean[]) as w (id, fence, ends)
                        where w.ends and exists (select from ended_run e where e.id = w.id and e.fence = w.fence)
                          or not w.ends and exists (
                            select from run r where r.id = w.id and r.fence = w.fence and r.owner = $4)
                        """,
                        Values.texts(writes, RunWrite::runId),
                        Values.wholes(writes, RunWrite::fence),
                        Values.flags(writes, write -> !(write instanceof RunWrite.Insert)),
                        nodeId)
                .map(rows -> new HashSet<>(Rows.all(rows, row -> Rows.text(row, "id"))));
    }
}
