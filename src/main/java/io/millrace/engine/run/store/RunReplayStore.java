package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.LiveStatus;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Tuple;
import java.util.List;

public final class RunReplayStore {
    /** Fence of a replay: above that of a new run, so that its event is the one of a retry. */
    private static final long FENCE = 1;

    /**
     * Replay of a run.
     *
     * @param spec stored instructions
     * @param payload output of the trigger
     * @param results recorded results that are taken over
     */
    public record NewReplay(
            RunWrite.RunHeader header,
            String replayOf,
            Buffer spec,
            Buffer payload,
            List<RunWrite.StepResult> results) {}

    public Future<Void> insert(Tx tx, LiveStatus status, String nodeId, NewReplay replay) {
        var header = replay.header();
        var columns = Values.tuple(
                header.id(),
                header.created(),
                header.projectId(),
                header.flow().flowId(),
                header.flow().flowVersionId(),
                header.environment().name(),
                status.name(),
                header.origin().triggeredBy(),
                header.flowName(),
                replay.payload(),
                nodeId,
                FENCE);
        return tx.query(
                        "insert into run_replay (run_id, created, replay_of, spec) values ($1, $2, $3, $4)",
                        header.id(),
                        header.created(),
                        replay.replayOf(),
                        replay.spec())
                .compose(_ -> tx.query("""
                        insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                          start_time, fail_parent, triggered_by, flow_name, tags, payload, owner, fence)
                        values ($1, $2, $2, $3, $4, $5, $6, $7, $2, false, $8, $9, '{}', $10, $11, $12)
                        """, columns))
                .compose(_ -> replay.results().isEmpty()
                        ? Future.succeededFuture()
                        : tx.query("""
                        insert into run_step (run_id, path, record)
                        select $1, s.path, s.record from unnest($2::text[], $3::bytea[]) as s (path, record)
                        """, results(header.id(), replay.results())))
                .mapEmpty();
    }

    private static Tuple results(String runId, List<RunWrite.StepResult> results) {
        return Tuple.tuple()
                .addString(runId)
                .addArrayOfString(Values.texts(results, RunWrite.StepResult::path))
                .addValue(Values.buffers(results, RunWrite.StepResult::record));
    }
}
