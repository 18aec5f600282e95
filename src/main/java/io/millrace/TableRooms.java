package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.persistence.Desk;
import io.millrace.persistence.RoundsVerticle;
import io.millrace.run.RunEntrance;
import io.millrace.table.FieldRoutes;
import io.millrace.table.FieldService;
import io.millrace.table.RecordCourier;
import io.millrace.table.RecordRoutes;
import io.millrace.table.RecordService;
import io.millrace.table.TableRoutes;
import io.millrace.table.TableService;
import io.millrace.table.TableStates;
import io.millrace.trigger.RecordRuns;
import io.millrace.webhook.TableCalls;
import java.util.List;

/** Tables of projects, and who hears of their changes. */
final class TableRooms implements Wing {
    private final Ground ground;
    private final List<Desk> desks;

    TableRooms(Ground ground) {
        this.ground = ground;
        var limits = ground.config().tables();
        var bus = ground.bus();
        var database = ground.database();
        var clock = ground.clock();
        var records = new RecordRuns(new RunEntrance(bus, database, clock));
        desks = List.of(
                new TableService(bus, database, limits.fieldsMax(), clock),
                new FieldService(database, limits.fieldsMax(), clock),
                new RecordService(database, records, limits.recordsMax(), clock));
    }

    TableStates states() {
        return new TableStates(ground.config().tables().fieldsMax(), ground.clock());
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(new TableRoutes(bus), new FieldRoutes(bus), new RecordRoutes(bus));
    }

    @Override
    public List<RoundsVerticle> couriers() {
        return List.of(new RecordCourier(ground.database(), new TableCalls(ground.bus()), ground.clock()));
    }
}
