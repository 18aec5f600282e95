package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Batches of runs that are written once, and again after a lost acknowledgement. */
class RunStoreIT {
    private static final Instant NOW = Instant.parse("2026-03-01T10:20:30Z");
    private static final String NODE = "node";

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunStore store = new RunStore();

    @Test
    void writesOnlyWhatIsMissing_whenABatchIsRepeated() {
        // Given
        var first = ended(EndStatus.SUCCEEDED, "first");
        var second = ended(EndStatus.SUCCEEDED, "second");
        assertThat(written(first)).containsExactly(first.runId());

        // When
        var again = new RunWrite.InsertEnded(first.header(), ending(EndStatus.FAILED, "again"));
        var ids = written(again, second);

        // Then
        assertThat(ids).containsExactly(second.runId());
        assertThat(logOf(first)).isEqualTo("SUCCEEDED first");
        assertThat(logOf(second)).isEqualTo("SUCCEEDED second");
        assertThat(alreadyWritten(again, second)).containsExactlyInAnyOrder(first.runId(), second.runId());
    }

    @Test
    void doesNotTakeForItsOwn_whatAnotherOwnerWroteSince() {
        // Given
        var run = ended(EndStatus.SUCCEEDED, "first");
        Waiting.await(database.query("""
                insert into ended_run (id, created, updated, project_id, flow_id, flow_version_id, environment, status,
                                       start_time, finish_time, fail_parent, tags, steps_count, fence)
                values ($1, $2, $2, 'project', 'flow', 'version', 'PRODUCTION', 'CANCELED', $2, $2, false, '{}', 0, 1)
                """, run.runId(), NOW));

        // When
        var ids = written(run);

        // Then
        assertThat(ids).isEmpty();
        assertThat(alreadyWritten(run)).isEmpty();
    }

    @Test
    void failsAsAWhole_whenARowIsRefusedForAnythingElse() {
        // Given
        var fine = ended(EndStatus.SUCCEEDED, "fine");
        var nobodys = new RunWrite.InsertEnded(header(null), ending(EndStatus.SUCCEEDED, "nobody's"));

        // When, Then
        assertThatThrownBy(() -> written(fine, nobodys)).hasMessageContaining("project_id");
        assertThat(alreadyWritten(fine)).isEmpty();
    }

    @Test
    void keepsThePlaceInATrace_ofALiveRun() {
        // Given
        var header = header("project", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
        var insert = new RunWrite.Insert(header, LiveStatus.RUNNING, Buffer.buffer("{}"), NODE, List.of(), List.of());
        var traceless = new RunWrite.Insert(
                header("project"), LiveStatus.RUNNING, Buffer.buffer("{}"), NODE, List.of(), List.of());

        // When
        written(insert, traceless);

        // Then
        var live = new LiveRunStore();
        var stored =
                Waiting.await(database.read(tx -> live.stored(tx, NODE, List.of(insert.runId(), traceless.runId()))));
        assertThat(stored).extracting(run -> run.run().header()).containsExactlyInAnyOrder(header, traceless.header());
    }

    private Set<String> written(RunWrite... writes) {
        return Waiting.await(database.read(tx -> store.write(tx, List.of(writes))));
    }

    private Set<String> alreadyWritten(RunWrite... writes) {
        return Waiting.await(database.read(tx -> store.alreadyWritten(tx, List.of(writes), NODE)));
    }

    private static String logOf(RunWrite run) {
        var rows = Waiting.await(database.query(
                "select status || ' ' || convert_from(log, 'UTF8') from ended_run where id = $1", run.runId()));
        return rows.iterator().next().getString(0);
    }

    private static RunWrite.InsertEnded ended(EndStatus status, String log) {
        return new RunWrite.InsertEnded(header("project"), ending(status, log));
    }

    private static RunWrite.RunHeader header(String projectId) {
        return header(projectId, null);
    }

    private static RunWrite.RunHeader header(String projectId, String traceparent) {
        return new RunWrite.RunHeader(
                Ids.next(),
                NOW,
                projectId,
                new RunWrite.RunHeader.FlowOfRun("flow", "version"),
                RunEnvironment.PRODUCTION,
                NOW,
                new RunWrite.RunHeader.RunOrigin(null, false, null, null, traceparent),
                "Flow");
    }

    private static RunWrite.Ending ending(EndStatus status, String log) {
        return new RunWrite.Ending(status, NOW, null, List.of(), 1, Buffer.buffer(log));
    }
}
