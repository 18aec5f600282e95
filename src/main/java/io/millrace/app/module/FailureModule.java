package io.millrace.app.module;

import io.millrace.base.http.RouteGroup;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.integration.activity.ProjectEventRoutes;
import io.millrace.integration.activity.ProjectEventService;
import io.millrace.integration.activity.ProjectEventWorker;
import io.millrace.integration.diagnosis.DiagnosisRoutes;
import io.millrace.integration.diagnosis.DiagnosisService;
import io.millrace.integration.diagnosis.FailureWorker;
import io.millrace.integration.issue.FailureCounter;
import io.millrace.integration.issue.IssueRoutes;
import io.millrace.integration.issue.IssueService;
import io.millrace.integration.issue.LoggedSteps;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Issues and diagnoses of failed runs, and events of projects. */
final class FailureModule implements ServerModule {
    private final ServerContext context;
    private final List<BusService> busServices;

    /** Open event streams of all event loops. */
    private final AtomicInteger listeners = new AtomicInteger();

    FailureModule(ServerContext context) {
        this.context = context;
        var database = context.database();
        var clock = context.clock();
        var settings = context.config().observation().failures();
        var logs = new LoggedSteps(context.vertx(), context.bus(), settings.logBytesMax());
        busServices = List.of(
                new IssueService(
                        database,
                        new FailureCounter(database, logs, settings.issuesPerFlowMax(), clock),
                        context.security().auditLog(),
                        settings.issueArchive(),
                        context.retention(),
                        clock),
                new DiagnosisService(database, logs, context.core().live(), clock),
                new ProjectEventService(database, settings.eventRetention()));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new IssueRoutes(bus),
                new DiagnosisRoutes(bus),
                new ProjectEventRoutes(
                        context.vertx(),
                        bus,
                        listeners,
                        context.config().observation().failures().listenersMax()));
    }

    @Override
    public List<PollingVerticle> workers() {
        return List.of(new FailureWorker(context.bus()), new ProjectEventWorker(context.bus()));
    }
}
