package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.support.QueryPlan;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A project with very many paused runs: claims, counts and lists of other runs must not read them (decision 0209). */
class PausedRunPlanIT {
    private static final int PAUSED = 40_000;
    private static final String ROW_OF_A_PAUSED_RUN = "rows=" + PAUSED;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    @BeforeAll
    static void start() {
        insertLive("paused", "PAUSED", "", PAUSED);
        insertLive("running", "RUNNING", "alive", 5);
        insertLive("orphan", "QUEUED", "", 5);
        Waiting.await(database.query("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count)
                select 'ended-' || n, t, t, 'project', 'flow', 'version', 'PRODUCTION',
                  case when n % 10 = 0 then 'FAILED' else 'SUCCEEDED' end, t, t, true, '{}', 0
                from generate_series(1, 500) n, lateral (select now() + n * interval '1 second' as t) x
                """));
        Waiting.await(database.query("insert into node (id, lease_until) values ('alive', 'infinity')"));
        // Commits of this database do not wait for the disk, so their visibility is not known before
        // they are flushed.
        Waiting.await(database.query("checkpoint"));
        Waiting.await(database.query("vacuum analyze run"));
        Waiting.await(database.query("analyze ended_run"));
    }

    private static void insertLive(String prefix, String status, String owner, int count) {
        Waiting.await(database.query("""
                insert into run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                 start_time, fail_parent, tags, payload, owner, fence)
                select $1 || n, t, t, 'project', 'flow', 'version', 'PRODUCTION', $2, t, false, '{}',
                  decode(repeat('6d', 200), 'hex'), $3, 0
                from generate_series(1, $4) n, lateral (select now() + n * interval '1 millisecond' as t) x
                """, prefix, status, owner, count));
    }

    @Test
    void claimsWithoutReadingThem() {
        var plan = QueryPlan.of(database, RunOwnerStore.CLAIM_ORPHANS, "alive", 100, new String[0]);

        assertThat(plan.text()).contains("rows=5").doesNotContain("Seq Scan on run", ROW_OF_A_PAUSED_RUN);
        assertThat(plan.rowsReadInVain()).isLessThan(100);
    }

    @Test
    void takesCountsBackWithoutReadingThem() {
        var plan = QueryPlan.of(database, RunOwnerStore.TAKE_COUNTS_BACK, "alive");

        assertThat(plan.text()).doesNotContain("Seq Scan on run");
        assertThat(plan.rowsReadInVain()).isLessThan(100);
    }

    @Test
    void countsThemInAnIndex() {
        var plan = QueryPlan.of(database, RunQueryStore.GAUGES, Instant.EPOCH, 10.0, Instant.EPOCH);

        assertThat(plan.text()).contains("Index Only Scan using run_paused").doesNotContain("Seq Scan on run");
        assertThat(plan.rowsReadInVain()).isLessThan(100);
    }

    @Test
    void listsThoseAtWorkWithoutReadingThem() {
        var plan = plan(RunStatus.QUEUED, RunStatus.RUNNING);

        assertThat(plan.text()).contains("run_claimable_of_project").doesNotContain("ended_run");
        assertThat(plan.rowsReadInVain()).isLessThan(100);
    }

    @Test
    void listsThoseThatFailedWithoutReadingThem() {
        var plan = plan(RunStatus.FAILED);

        assertThat(plan.text()).contains("ended_run").doesNotContain(" on run ");
        assertThat(plan.rowsReadInVain()).isLessThan(500);
    }

    /** Query plan of a first page. */
    private static QueryPlan plan(RunStatus... statuses) {
        var conditions = RunConditions.of(new RunQueries.Filter(
                "project",
                List.of(),
                List.of(statuses),
                List.of(),
                new RunQueries.Filter.RunIdSets(List.of(), List.of(), Optional.empty()),
                new RunQueries.Filter.CreationRange(Optional.empty(), Optional.empty()),
                new RunQueries.Filter.FailedStepFilter(Optional.empty(), Optional.empty()),
                false));
        return QueryPlan.of(
                database,
                RunQueryStore.SELECT + conditions.sql() + " order by r.created desc, r.id desc limit 11",
                conditions.values());
    }
}
