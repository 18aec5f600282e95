package io.millrace.engine.run.retention;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.row.Rows;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rows that one round of retention reads of a flow with a long history: a server start must not read all of them. */
class RunRetentionPlanIT {
    private static final Instant FIRST = Instant.parse("2026-03-01T00:00:00Z");
    private static final int RUNS = 100_000;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    @BeforeAll
    static void start() {
        Waiting.await(database.query("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count)
                select 'run' || n, t, t, 'project', 'flow', 'version', 'PRODUCTION', 'SUCCEEDED', t, t,
                  true, '{}', 0
                from generate_series(1, $1) n, lateral (select $2::timestamptz + n * interval '10 seconds' as t) x
                """, RUNS, FIRST));
        Waiting.await(database.query("analyze ended_run"));
    }

    @Test
    void readsNothing_withoutRetentionSettings() {
        // When
        var plan = plan(0);

        // Then
        assertThat(plan).doesNotContain("Seq Scan on ended_run").doesNotContain("(actual rows=" + RUNS);
    }

    @Test
    void readsOnlyWhatGoes() {
        // When
        var plan = plan(1);

        // Then
        assertThat(plan).contains("(actual rows=100.00").doesNotContain("Seq Scan on ended_run");
    }

    /** Generic plan with execution figures. */
    private static String plan(int wishes) {
        var explained =
                "explain (costs off, analyze, timing off, summary off, buffers off) " + RunRetentionStore.DROP_OVERDUE;
        var lines =
                Waiting.await(database.inTransaction(tx -> tx.query("set local plan_cache_mode = force_generic_plan")
                        .compose(_ -> tx.query("set local session_replication_role = replica"))
                        .compose(_ -> tx.query("""
                        insert into run_retention (project_id, flow_id, days)
                        select 'project', 'flow', 1 from generate_series(1, $1)
                        """, wishes))
                        .compose(_ -> tx.query(explained, FIRST.plus(Duration.ofDays(30)), 100L))
                        .map(rows -> Rows.all(rows, row -> row.getString(0)))
                        .compose(plan -> tx.query("delete from run_retention").map(plan))));
        return String.join("\n", lines);
    }
}
