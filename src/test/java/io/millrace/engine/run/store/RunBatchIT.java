package io.millrace.engine.run.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.UnnestStatement;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.RunWrite.StepResult;
import io.millrace.engine.run.log.FailedStep;
import io.millrace.engine.run.machine.EndStatus;
import io.millrace.engine.run.machine.LiveStatus;
import io.millrace.support.TestDatabase;
import io.millrace.support.Waiting;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Every combination of the parts of a batch in one statement: each part has its effect in every combination. */
class RunBatchIT {
    private static final Instant NOW = Instant.parse("2026-03-01T10:20:30Z");
    private static final String NODE = "node";
    private static final long FENCE = 0;

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Database database = opened.database();

    private final RunStore store = new RunStore();
    private final Random random = new Random(1);

    /** A part of a batch, and its expected effect. */
    private enum Part {
        /** A run that ends with its first write. */
        ENDED_AT_ONCE,
        /** A run that continues, with a result. */
        INSERTED,
        /** A result of a live run. */
        APPENDED,
        /** A status of a live run. */
        SHOWN,
        /** A result and a status of one live run. */
        APPENDED_AND_SHOWN,
        /** A result, a status and the end of one live run. */
        APPENDED_SHOWN_AND_ENDED,
        /** The end of a live run that has a result. */
        ENDED,
        /** A result, a status and an end under the fence of another owner. */
        STALE
    }

    /** Writes of a batch with their expected results. */
    private final class ExpectedBatch {
        private final List<RunWrite> writes = new ArrayList<>();
        private final List<RunWrite> before = new ArrayList<>();
        private final Set<String> written = new HashSet<>();
        private final Set<String> rows = new HashSet<>();

        void add(Part part) {
            switch (part) {
                case ENDED_AT_ONCE -> {
                    var header = header();
                    writes.add(new RunWrite.InsertEnded(header, ending()));
                    written.add(header.id());
                    rows.add("ended " + header.id());
                }
                case INSERTED -> {
                    var insert = insert(List.of(result("step_1")));
                    writes.add(insert);
                    expectLive(insert.runId(), LiveStatus.RUNNING, "step_1");
                }
                case APPENDED -> append(LiveStatus.RUNNING);
                case SHOWN -> {
                    var id = given();
                    writes.add(new RunWrite.Show(id, FENCE, LiveStatus.QUEUED, NOW));
                    expectLive(id, LiveStatus.QUEUED);
                }
                case APPENDED_AND_SHOWN -> {
                    var id = append(LiveStatus.QUEUED);
                    writes.add(new RunWrite.Show(id, FENCE, LiveStatus.QUEUED, NOW));
                }
                case ENDED -> {
                    var header = header();
                    before.add(insert(header, List.of(result("step_1"))));
                    writes.add(new RunWrite.End(header, FENCE, ending(), null));
                    written.add(header.id());
                    rows.add("ended " + header.id());
                }
                case APPENDED_SHOWN_AND_ENDED -> {
                    var header = header();
                    before.add(insert(header, List.of()));
                    writes.add(new RunWrite.Append(header.id(), FENCE, List.of(result("step_1")), answer()));
                    writes.add(new RunWrite.Show(header.id(), FENCE, LiveStatus.QUEUED, NOW));
                    writes.add(new RunWrite.End(header, FENCE, ending(), null));
                    written.add(header.id());
                    rows.add("ended " + header.id());
                }
                case STALE -> {
                    var header = header();
                    before.add(insert(header, List.of()));
                    writes.add(new RunWrite.Append(header.id(), FENCE + 1, List.of(result("stale")), null));
                    writes.add(new RunWrite.Show(header.id(), FENCE + 1, LiveStatus.QUEUED, NOW));
                    writes.add(new RunWrite.End(header, FENCE + 1, ending(), null));
                    rows.add("RUNNING " + header.id());
                }
            }
        }

        private String given() {
            var insert = insert(List.of());
            before.add(insert);
            return insert.runId();
        }

        private String append(LiveStatus status) {
            var id = given();
            writes.add(new RunWrite.Append(id, FENCE, List.of(result("step_1"), result("step_2")), answer()));
            expectLive(id, status, "step_1", "step_2");
            return id;
        }

        /** A separate statement writes responses. */
        private Buffer answer() {
            return random.nextBoolean() ? Buffer.buffer("answer") : null;
        }

        private void expectLive(String id, LiveStatus status, String... paths) {
            written.add(id);
            rows.add(status + " " + id);
            List.of(paths).forEach(path -> rows.add("result " + id + " " + path));
        }

        void check(Set<Part> parts) {
            write(before);
            Collections.shuffle(writes, random);

            assertThat(write(writes)).as("written of %s", parts).isEqualTo(written);
            assertThat(rows()).as("rows of %s", parts).isEqualTo(rows);
        }
    }

    @Test
    void writesEachPart_inEveryCombinationWithOthers() {
        var all = Part.values();
        for (var combination = 1; combination < 1 << all.length; combination++) {
            var parts = EnumSet.noneOf(Part.class);
            for (var number = 0; number < all.length; number++) {
                if ((combination >> number & 1) == 1) {
                    parts.add(all[number]);
                }
            }
            var expected = new ExpectedBatch();
            parts.forEach(expected::add);
            expected.check(parts);
            Waiting.await(database.inTransaction(tx -> tx.query("delete from run_step")
                    .compose(_ -> tx.query("delete from run"))
                    .compose(_ -> tx.query("delete from ended_run"))));
        }
    }

    @Test
    void everyInsertionOfEndedRuns_makesTheRowsOfTheGeneralOne() {
        var chosen = new HashSet<UnnestStatement<RunBatch>>();
        for (var number = 0; number < 300; number++) {
            var alike = random.nextInt(3) > 0;
            var header = randomHeader();
            var batch = RunBatch.of(Stream.<RunWrite>generate(() -> alike
                            ? new RunWrite.InsertEnded(withId(header), ending())
                            : new RunWrite.InsertEnded(withId(randomHeader()), randomEnding()))
                    .limit(1 + random.nextInt(4))
                    .toList());
            var narrow = batch.insertion();
            chosen.add(narrow);

            assertThat(rowsAfter(narrow, batch)).isEqualTo(rowsAfter(RunBatch.INSERT_ENDED, batch));
        }
        assertThat(chosen).hasSize(3);
    }

    /** Rows that a statement creates in an empty table, which is emptied again. */
    private static List<String> rowsAfter(UnnestStatement<RunBatch> insertion, RunBatch batch) {
        return Waiting.await(database.inTransaction(tx -> tx.query(insertion.sql(), insertion.values(batch))
                .compose(_ -> tx.query("delete from ended_run returning to_jsonb(ended_run)::text as text"))
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "text")).stream()
                        .sorted()
                        .toList())));
    }

    private RunWrite.RunHeader randomHeader() {
        var parent = any(null, null, "parent");
        return new RunWrite.RunHeader(
                Ids.next(),
                NOW.plusMillis(random.nextInt(1000)),
                any("project", "other"),
                new RunWrite.RunHeader.FlowOfRun(any("flow", "other"), any("version", "other")),
                any(RunEnvironment.PRODUCTION, RunEnvironment.TESTING),
                any(NOW, null),
                new RunWrite.RunHeader.RunOrigin(
                        parent,
                        random.nextBoolean(),
                        parent == null ? null : any(null, "waitpoint"),
                        any(null, "user"),
                        null),
                any("Flow", null));
    }

    private static RunWrite.RunHeader withId(RunWrite.RunHeader header) {
        return new RunWrite.RunHeader(
                Ids.next(),
                header.created(),
                header.projectId(),
                new RunWrite.RunHeader.FlowOfRun(
                        header.flow().flowId(), header.flow().flowVersionId()),
                header.environment(),
                header.startTime(),
                new RunWrite.RunHeader.RunOrigin(
                        header.origin().parentRunId(),
                        header.origin().failParentOnFailure(),
                        header.origin().parentWaitpoint(),
                        header.origin().triggeredBy(),
                        null),
                header.flowName());
    }

    private RunWrite.Ending randomEnding() {
        return new RunWrite.Ending(
                any(EndStatus.values()),
                NOW.plusMillis(random.nextInt(1000)),
                any(null, new FailedStep("step_1", "Step", "message"), new FailedStep("step_1", "Step", null)),
                any(List.of(), List.of("a"), List.of("a", "b c")),
                random.nextInt(10),
                any(Buffer.buffer("log"), null));
    }

    @SafeVarargs
    private <T> T any(T... values) {
        return values[random.nextInt(values.length)];
    }

    private Set<String> write(List<RunWrite> writes) {
        return Waiting.await(database.read(tx -> store.write(tx, writes)));
    }

    /** All rows that the batch has written. */
    private static Set<String> rows() {
        var found = new HashSet<String>();
        Waiting.await(database.query("""
                        select status || ' ' || id from run
                        union all select 'result ' || run_id || ' ' || path from run_step
                        union all select 'ended ' || id from ended_run
                        """)).forEach(row -> found.add(row.getString(0)));
        return found;
    }

    private static RunWrite.Insert insert(List<StepResult> results) {
        return insert(header(), results);
    }

    private static RunWrite.Insert insert(RunWrite.RunHeader header, List<StepResult> results) {
        return new RunWrite.Insert(header, LiveStatus.RUNNING, Buffer.buffer("{}"), NODE, List.of(), results);
    }

    private static StepResult result(String path) {
        return new StepResult(path, Buffer.buffer("{}"));
    }

    private static RunWrite.RunHeader header() {
        return new RunWrite.RunHeader(
                Ids.next(),
                NOW,
                "project",
                new RunWrite.RunHeader.FlowOfRun("flow", "version"),
                RunEnvironment.PRODUCTION,
                NOW,
                new RunWrite.RunHeader.RunOrigin(null, false, null, null, null),
                "Flow");
    }

    private static RunWrite.Ending ending() {
        return new RunWrite.Ending(EndStatus.SUCCEEDED, NOW, null, List.of(), 1, Buffer.buffer("log"));
    }
}
