package io.millrace.app.module;

import io.millrace.authoring.table.FieldRoutes;
import io.millrace.authoring.table.FieldService;
import io.millrace.authoring.table.RecordRoutes;
import io.millrace.authoring.table.RecordService;
import io.millrace.authoring.table.TableRoutes;
import io.millrace.authoring.table.TableService;
import io.millrace.authoring.table.TableStates;
import io.millrace.authoring.table.event.RecordEventService;
import io.millrace.authoring.table.event.RecordEventWorker;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.base.persistence.RowBound;
import io.millrace.engine.run.start.RunIngest;
import io.millrace.engine.trigger.RecordRuns;
import io.millrace.engine.webhook.TableCalls;
import io.millrace.integration.release.GitRemovalOutbox;
import java.util.List;

final class TableModule implements ServerModule {
    private final ServerContext context;
    private final List<BusService> busServices;

    TableModule(ServerContext context) {
        this.context = context;
        var limits = context.config().content().tables();
        var bus = context.bus();
        var database = context.database();
        var clock = context.clock();
        var records = new RecordRuns(new RunIngest(bus, clock));
        busServices = List.of(
                new TableService(
                        bus,
                        database,
                        new GitRemovalOutbox(),
                        limits.fieldsMax(),
                        context.projectRows(),
                        new RowBound(context.config().content().bounds().tableWebhooksMax(), "AP_TABLE_WEBHOOKS_MAX"),
                        clock),
                new FieldService(bus, database, limits.fieldsMax(), clock),
                new RecordService(bus, database, records, limits.recordsMax(), clock),
                new RecordEventService(database, clock));
    }

    TableStates states() {
        return new TableStates(context.config().content().tables().fieldsMax(), context.projectRows(), context.clock());
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(new TableRoutes(bus), new FieldRoutes(bus), new RecordRoutes(bus));
    }

    @Override
    public List<PollingVerticle> workers() {
        return List.of(new RecordEventWorker(context.bus(), new TableCalls(context.bus()), context.clock()));
    }
}
