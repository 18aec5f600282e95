package io.millrace.integration.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Recording of run events with and without subscribers. */
class RunEventStoreIT {
    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunEventStore store = new RunEventStore();

    @Test
    void notesRuns_fromTheFirstDestinationToTheLast() {
        // Given
        var projectId = TestProjects.insert(database);

        // When, Then
        assertThat(switches()).containsOnly("D");
        var _ = write(projectId);
        assertThat(taken()).isEmpty();

        // When, Then
        want(projectId, "first");
        want(projectId, "second");
        assertThat(switches()).containsOnly("O");
        var ended = write(projectId);
        assertThat(taken()).containsExactly("flow.run.started " + ended, "flow.run.finished " + ended);

        // When, Then
        wantNoMore("first");
        assertThat(switches()).containsOnly("O");
        wantNoMore("second");
        assertThat(switches()).containsOnly("D");
    }

    private static void want(String platformId, String id) {
        Waiting.await(database.query("""
                insert into event_destination (id, created, updated, platform_id, events, url, sealed_secret)
                values ($1, now(), now(), $2, '{flow.run.started,flow.run.finished}', 'http://example.com', '')
                """, id, platformId));
    }

    private static void wantNoMore(String id) {
        Waiting.await(database.query("delete from event_destination where id = $1", id));
    }

    /** Inserts a run; returns its id. */
    private static String write(String projectId) {
        var id = Ids.next();
        Waiting.await(database.query("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count)
                values ($1, now(), now(), $2, 'flow', 'version', 'PRODUCTION', 'SUCCEEDED', now(), now(), false, '{}', 0)
                """, id, projectId));
        return id;
    }

    private List<String> taken() {
        return Waiting.await(database.read(tx -> store.take(tx, 10))).stream()
                .map(event -> event.action() + " " + event.run().runId())
                .toList();
    }

    /** State of each trigger: enabled (O) or disabled (D). */
    private static List<String> switches() {
        var rows = Waiting.await(database.query("""
                select tgenabled::text as state from pg_trigger where tgname in ('run_begun', 'run_ended') and tgparentid = 0
                """));
        return rows.stream().map(row -> row.getString("state")).toList();
    }
}
