package io.millrace.authoring.table;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.cell.CellValue;
import io.millrace.authoring.table.cell.FieldType;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.authoring.table.event.RecordListeners;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.start.RunIngest;
import io.millrace.engine.trigger.RecordRuns;
import io.millrace.support.MovableClock;
import io.millrace.support.TestDatabase;
import io.millrace.support.TestProjects;
import io.millrace.support.Waiting;
import io.millrace.workspace.project.DeletionOutbox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Idempotency of record changes when a step is repeated after a crash. */
class RecordServiceIT {
    private static final long DEADLINE_MS = 20_000;
    private static final MovableClock CLOCK = new MovableClock();

    /** Number of change notifications to flows. */
    private static final AtomicInteger HEARD = new AtomicInteger();

    @AutoClose
    private static TestDatabase opened = new TestDatabase();

    private static Vertx vertx = opened.vertx();
    private static Database database = opened.database();
    private static Bus bus;

    @BeforeAll
    static void open() {
        bus = new Bus(vertx);
        new TableService(
                        bus,
                        database,
                        DeletionOutbox.none(),
                        100,
                        new RowBound(10_000, "AP_PROJECT_ROWS_MAX"),
                        new RowBound(100, "AP_TABLE_WEBHOOKS_MAX"),
                        CLOCK)
                .open(bus);
        new FieldService(bus, database, 100, CLOCK).open(bus);
        var runs = new RecordRuns(new RunIngest(bus, CLOCK));
        new RecordService(bus, database, counted(runs), 100, CLOCK).open(bus);
    }

    @Test
    void addsNothingASecondTime_andReturnsTheFirstRows() {
        // given
        var name = new NewField("Name", FieldType.TEXT, Optional.of("name"), List.of());
        var request = new NewTable("Grain", List.of(name), Optional.empty(), Optional.empty(), Optional.empty());
        var table = ask(new Tables.Create(TestProjects.insert(database), request));
        var rows = List.of(List.<CellValue>of(), List.<CellValue>of());
        var create = new TableRecords.Create(table.id(), rows, Optional.of("run:step_1"));

        // when
        var first = ask(create);
        CLOCK.advance(Duration.ofMinutes(1));
        var repeated = ask(create);
        var other = ask(new TableRecords.Create(table.id(), rows, Optional.of("run:step_2")));

        // then
        assertThat(repeated).isEqualTo(first);
        assertThat(other).doesNotContainAnyElementsOf(first);
        assertThat(ask(new TableRecords.Find(table.id(), List.of(), new PageRequest(10, null, false)))
                        .data())
                .hasSize(4);
    }

    @Test
    void changesNothingASecondTime_andTellsOfItOnce() {
        // given
        var name = new NewField("Name", FieldType.TEXT, Optional.of("name"), List.of());
        var request = new NewTable("Grain", List.of(name), Optional.empty(), Optional.empty(), Optional.empty());
        var table = ask(new Tables.Create(TestProjects.insert(database), request));
        var field = ask(new TableFields.ListOf(table.id())).getFirst();
        var record = ask(new TableRecords.Create(table.id(), List.of(List.of()), Optional.empty()))
                .getFirst();
        var before = HEARD.get();

        // when
        var first = ask(change(table, record, field, "wheat", "run:step_1"));
        CLOCK.advance(Duration.ofMinutes(1));
        var repeated = ask(change(table, record, field, "wheat", "run:step_1"));

        // then
        assertThat(repeated).isEqualTo(first);
        assertThat(HEARD.get()).isEqualTo(before + 1);

        // and the next step is not mistaken for it
        assertThat(ask(change(table, record, field, "rye", "run:step_2"))).isNotEqualTo(first);
        assertThat(HEARD.get()).isEqualTo(before + 2);
    }

    private static TableRecords.Update change(
            Table table, TableRecord record, TableField field, String value, String repeatKey) {
        var cells = List.of(new CellValue(field.id(), value));
        return new TableRecords.Update(table.id(), record.id(), cells, false, Optional.of(repeatKey));
    }

    private static RecordListeners counted(RecordListeners listeners) {
        return new RecordListeners() {
            @Override
            public Future<Integer> deliver(Tx tx, String tableId, RecordEvent event, List<ObjectNode> records) {
                HEARD.incrementAndGet();
                return listeners.deliver(tx, tableId, event, records);
            }

            @Override
            public void wake() {
                listeners.wake();
            }
        };
    }

    private static <R> R ask(BusRequest<R> request) {
        return Waiting.await(bus.ask(request, DEADLINE_MS));
    }
}
