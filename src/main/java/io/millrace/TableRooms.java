package io.millrace;

import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.http.HttpModule;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.run.RunEntrance;
import io.millrace.table.FieldRoutes;
import io.millrace.table.FieldService;
import io.millrace.table.RecordCourier;
import io.millrace.table.RecordRoutes;
import io.millrace.table.RecordService;
import io.millrace.table.TableRoutes;
import io.millrace.table.TableService;
import io.millrace.trigger.RecordRuns;
import io.millrace.webhook.TableCalls;
import java.time.InstantSource;
import java.util.List;

/** The part of {@link Rooms} that keeps tables. */
final class TableRooms {
    private TableRooms() {}

    static List<Desk> desks(Bus bus, Database database, Config config, InstantSource clock) {
        var limits = config.tables();
        return List.of(
                new TableService(bus, database, limits.fieldsMax(), clock),
                new FieldService(database, limits.fieldsMax(), clock),
                new RecordService(
                        database, new RecordRuns(new RunEntrance(bus, database, clock)), limits.recordsMax(), clock));
    }

    static List<HttpModule> modules(Bus bus) {
        return List.of(new TableRoutes(bus), new FieldRoutes(bus), new RecordRoutes(bus));
    }

    /** Who tells webhooks of records. */
    static RecordCourier courier(Bus bus, Database database, InstantSource clock) {
        return new RecordCourier(database, new TableCalls(bus), clock);
    }
}
