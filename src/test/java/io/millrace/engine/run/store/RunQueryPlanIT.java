package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.support.QueryPlan;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Query plans of run lists over a history of ten days: no query may read and sort a whole project. */
class RunQueryPlanIT {
    private static final Instant FIRST_DAY = Instant.parse("2026-03-01T00:00:00Z");
    private static final int RUNS = 40_000;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    @BeforeAll
    static void start() {
        var partitions = new RunPartitionStore();
        for (var day : Waiting.await(database.read(tx -> partitions.missing(tx, FIRST_DAY, 11)))) {
            Waiting.await(database.inTransaction(tx -> partitions.attach(tx, day)));
        }
        insert("", FIRST_DAY, Duration.ofSeconds(20));
        Waiting.await(database.query("analyze ended_run"));
    }

    private static void insert(String prefix, Instant begin, Duration between) {
        Waiting.await(database.query("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count)
                select 'run' || n, t, t, $1 || 'project' || n % 2, $1 || 'flow' || n % 500, 'version', 'PRODUCTION',
                  case when n % 301 = 0 then 'FAILED' else 'SUCCEEDED' end, t, t, true,
                  case when n % 1000 = 1 then array['vip'] else '{}' end, 0
                from generate_series(1, $2) n, lateral (select $3::timestamptz + n * make_interval(secs => $4) as t) x
                """, prefix, RUNS, begin, (double) between.toSeconds()));
    }

    @Test
    void readsOnlyThePage_ofAProject() {
        // When
        var plan = plan(filter(List.of(), List.of(), List.of(), Optional.empty()));

        // Then
        assertThat(plan.text()).contains("Merge Append").doesNotContain("Seq Scan on ended_run_2026", "Sort Method");
        assertThat(plan.rowsReadInVain()).isZero();
    }

    @Test
    void readsOnlyThePage_ofAFlow() {
        // When
        var plan = plan(filter(List.of("flow7"), List.of(), List.of(), Optional.empty()));

        // Then
        assertThat(plan.text()).contains("Merge Append").doesNotContain("Seq Scan on ended_run_2026", "Sort Method");
        assertThat(plan.rowsReadInVain()).isZero();
    }

    @Test
    void readsNoSuccessfulRun_whenTheFailedOnesAreWanted() {
        // When
        var plan = plan(filter(List.of(), List.of(RunStatus.FAILED), List.of(), Optional.empty()));

        // Then
        assertThat(plan.text()).doesNotContain("Seq Scan on ended_run_2026");
        assertThat(plan.rowsReadInVain()).isLessThan(RUNS / 100);
    }

    @Test
    void readsNoRunWithoutTags_whenTaggedOnesAreWanted() {
        // When
        var plan = plan(filter("project1", List.of(), List.of(), List.of("vip"), List.of(), Optional.empty()));

        // Then
        assertThat(plan.text()).contains("actual rows=11.00").doesNotContain("Seq Scan on ended_run_2026");
        assertThat(plan.rowsReadInVain()).isZero();
    }

    @Test
    void readsOnlyTheRunsThatAreNamed() {
        // When
        var plan = plan(filter(List.of(), List.of(), List.of("run7", "run9"), Optional.empty()));

        // Then
        assertThat(plan.rowsReadInVain()).isZero();
    }

    @Test
    void readsOnlyTheDaysThatAreWanted() {
        // When
        var plan = plan(filter(List.of(), List.of(), List.of(), Optional.of(FIRST_DAY.plus(Duration.ofDays(8)))));

        // Then
        assertThat(plan.text())
                .contains("ended_run_2026_03_09", "ended_run_2026_03_10")
                .doesNotContain("ended_run_2026_03_08", "Seq Scan on ended_run_2026");
    }

    /** Each day's partition begins without statistics, and may have a hundred thousand runs before the first ones. */
    @Test
    void readsOnlyThePage_whenNothingIsKnownOfTheDayYet() {
        // Given
        Waiting.await(database.query("alter table ended_run_2026_03_11 set (autovacuum_enabled = false)"));
        insert("busy ", FIRST_DAY.plus(Duration.ofDays(10)), Duration.ofSeconds(2));

        // When
        var plan = plan(filter("busy project1", List.of(), List.of(), List.of(), List.of(), Optional.empty()));

        // Then
        assertThat(plan.text()).contains("Merge Append").doesNotContain("Seq Scan on ended_run_2026", "Sort Method");
        assertThat(plan.rowsReadInVain()).isZero();
    }

    private static RunQueries.Filter filter(
            List<String> flowIds, List<RunStatus> statuses, List<String> runIds, Optional<Instant> createdAfter) {
        return filter("project1", flowIds, statuses, List.of(), runIds, createdAfter);
    }

    private static RunQueries.Filter filter(
            String projectId,
            List<String> flowIds,
            List<RunStatus> statuses,
            List<String> tags,
            List<String> runIds,
            Optional<Instant> createdAfter) {
        return new RunQueries.Filter(
                projectId,
                flowIds,
                statuses,
                tags,
                new RunQueries.Filter.RunIdSets(runIds, List.of(), Optional.empty()),
                new RunQueries.Filter.CreationRange(createdAfter, Optional.empty()),
                new RunQueries.Filter.FailedStepFilter(Optional.empty(), Optional.empty()),
                false);
    }

    /** Query plan of the first page. */
    private static QueryPlan plan(RunQueries.Filter filter) {
        var conditions = RunConditions.of(filter);
        return QueryPlan.of(
                database,
                RunQueryStore.SELECT + conditions.sql() + " order by r.created desc, r.id desc limit 11",
                conditions.values());
    }
}
