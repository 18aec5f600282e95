package io.millrace.authoring.flow;

import static io.millrace.support.Waiting.await;

import io.millrace.account.audit.AuditLog;
import io.millrace.authoring.flow.editor.ExpressionReader;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.authoring.flow.editor.FlowValidator;
import io.millrace.authoring.flow.editor.PublishCheck;
import io.millrace.authoring.flow.sample.SampleDataService;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.folder.FolderService;
import io.millrace.authoring.table.TablesInFolders;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.PersistenceVerticle;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.LinkSecrets;
import io.millrace.piece.builtin.Builtins;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.file.FileAddresses;
import io.millrace.piece.file.FileService;
import io.millrace.support.MovableClock;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestProjects;
import io.millrace.workspace.project.DeletionOutbox;
import io.millrace.workspace.project.ProjectEventSubjects;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The flow module alone, called over the bus like by other modules. */
final class FlowBench implements AutoCloseable {
    static final Principal BY = new Principal.Service(Ids.next(), Ids.next(), Ids.next());

    private static final RowBound ROWS = new RowBound(10_000, "AP_PROJECT_ROWS_MAX");
    private static final long DEADLINE_MS = 20_000;

    private final MovableClock clock = new MovableClock();
    private final Vertx vertx = TestPostgres.vertx();
    private final Database database = Database.open(vertx, TestPostgres.freshDatabase());
    private final Bus bus = new Bus(vertx);
    private final String projectId;

    FlowBench() {
        var limits = new FileService.Limits(1000, Duration.ofDays(1));
        var files = new FileService(
                vertx, database, new FileAddresses(LinkSecrets.of("secret"), () -> "", clock), limits, clock);
        var pieces = new PieceCatalogue(Builtins.all(clock, RandomGenerator.of("L64X128MixRandom")));
        var auditLog = new AuditLog(new ProjectEventSubjects(), clock);
        var flows = new FlowService(
                bus,
                database,
                new FlowValidator(pieces::find),
                new PublishCheck(ExpressionReader.ofGrammar()),
                // The flows have no code, so none is prepared.
                null,
                new NoTriggers(),
                (_, _) -> Future.succeededFuture(Optional.empty()),
                files,
                auditLog,
                DeletionOutbox.none(),
                new FlowPublishRules(true, Duration.ofSeconds(1), false),
                FlowTestLimits.of(200, 256),
                ROWS,
                clock);
        await(vertx.deployVerticle(new PersistenceVerticle(
                bus,
                List.of(
                        flows,
                        new FolderService(
                                bus, database, new FlowFolders(), new TablesInFolders(), auditLog, ROWS, clock),
                        new SampleDataService(database, files, clock)))));
        this.projectId = TestProjects.insert(database);
    }

    Bus bus() {
        return bus;
    }

    String projectId() {
        return projectId;
    }

    <R> R ask(BusRequest<R> request) {
        return await(bus.ask(request, DEADLINE_MS));
    }

    Flows.FlowWithVersion createFlow() {
        return ask(new Flows.Create(BY, projectId, "Mill", null, null));
    }

    /** Applies an operation written with single quotes. */
    Flows.FlowWithVersion apply(Flows.FlowWithVersion flow, String type, String request) {
        var operation = FlowSamples.json("{'type':'" + type + "','request':" + request + "}");
        return ask(new Flows.Apply(BY, flow.flow().id(), operation));
    }

    @Override
    public void close() {
        await(database.close());
        await(vertx.close());
    }
}
