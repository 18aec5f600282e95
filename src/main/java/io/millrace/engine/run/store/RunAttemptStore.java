package io.millrace.engine.run.store;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunAttempt;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;

public final class RunAttemptStore {
    /** Limit of the attempts before a run, and of the retries of it that started other runs. */
    private static final int ATTEMPTS_MAX = 100;

    private static final String OF_RUN = """
            select a.run_id, a.attempt_run_id, a.status, a.start_time, a.finish_time, a.failed_step_name,
              a.failed_step_display_name, a.failed_step_message, a.retried_at, a.retried_by,
              nullif(trim(i.first_name || ' ' || i.last_name), '') as retried_by_name
            from (
              (select * from run_attempt where run_id = $1 order by position desc limit $2)
              union all
              (select * from run_attempt where attempt_run_id = $1 and attempt_run_id <> run_id
               order by position desc limit $2)) a
              left join platform_user u on u.id = a.retried_by
              left join user_identity i on i.id = u.identity_id
            order by a.position
            """;

    private static final RowMapper<RunAttempt> ATTEMPTS = RowMapper.of(RunAttempt.class, OF_RUN);

    /** Newest attempts before a run, and newest retries of it that started other runs, oldest first. */
    public Future<List<RunAttempt>> ofRun(Tx tx, String runId) {
        return tx.query(OF_RUN, runId, ATTEMPTS_MAX).map(ATTEMPTS::all);
    }

    /**
     * Inserts the attempt of a run before its retry by a new run.
     *
     * @param retriedBy user who requested the retry, or null
     */
    public Future<Void> insert(Tx tx, Run attempt, Run retry, String retriedBy, Instant now) {
        var step = attempt.failedStep();
        var columns = Values.tuple(
                retry.id(),
                retry.created(),
                attempt.id(),
                attempt.status().name(),
                attempt.startTime(),
                attempt.finishTime(),
                step == null ? null : step.name(),
                step == null ? null : step.displayName(),
                step == null ? null : step.message(),
                now,
                retriedBy);
        return tx.query("""
                        insert into run_attempt (run_id, created, attempt_run_id, status, start_time, finish_time,
                          failed_step_name, failed_step_display_name, failed_step_message, retried_at, retried_by)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
                        """, columns).mapEmpty();
    }
}
