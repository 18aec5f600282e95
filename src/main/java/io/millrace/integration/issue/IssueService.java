package io.millrace.integration.issue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Page;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.millrace.engine.run.RunEnvironment;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** Serves {@link Issues}. Failures of the last seconds are counted before a read. */
public final class IssueService implements BusService {
    private static final int BATCH = 500;

    /** Batches that a read counts; after a storm of failures the rest is counted in the background. */
    private static final int BATCHES_BEFORE_READ = 4;

    private final Database database;
    private final FailureCounter counter;
    private final AuditLog auditLog;
    private final Duration archivedAfter;
    private final Duration retention;
    private final InstantSource clock;
    private final IssueStore store = new IssueStore();

    /**
     * @param archivedAfter time without failures after which an issue is archived
     * @param retention of runs and of counts
     */
    public IssueService(
            Database database,
            FailureCounter counter,
            AuditLog auditLog,
            Duration archivedAfter,
            Duration retention,
            InstantSource clock) {
        this.database = database;
        this.counter = counter;
        this.auditLog = auditLog;
        this.archivedAfter = archivedAfter;
        this.retention = retention;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Issues.Find.class, this::find);
        bus.serve(Issues.Get.class, this::get);
        bus.serve(Issues.FindOfRun.class, this::findOfRun);
        bus.serve(Issues.SetStatus.class, this::setStatus);
        bus.serve(Issues.ProjectOf.class, this::projectOf);
        bus.serve(Issues.Count.class, count -> counter.count(count.limit()));
        bus.serve(Issues.Tidy.class, _ -> tidy());
    }

    private Future<Integer> upToDate(int batches) {
        return counter.count(BATCH)
                .compose(
                        count -> count < BATCH || batches == 1 ? Future.succeededFuture(count) : upToDate(batches - 1));
    }

    private Future<Page<FlowIssue>> find(Issues.Find ask) {
        return upToDate(BATCHES_BEFORE_READ)
                .compose(_ -> database.read(tx -> store.page(tx, ask.filter(), ask.page())));
    }

    private Future<Issues.IssueCounts> get(Issues.Get ask) {
        return upToDate(BATCHES_BEFORE_READ)
                .compose(_ -> database.read(tx -> found(tx, ask.issueId()).compose(issue -> counted(tx, issue))));
    }

    private Future<Optional<Issues.IssueCounts>> findOfRun(Issues.FindOfRun ask) {
        var run = ask.run();
        if (run.environment() != RunEnvironment.PRODUCTION) {
            return Future.succeededFuture(Optional.empty());
        }
        var failed = run.failedStep();
        var key = CauseKey.of(
                run.flowId(),
                run.status(),
                failed == null ? "" : failed.name(),
                RecordedFailure.rowFacts(run.status(), failed == null ? null : failed.message())
                        .message());
        return upToDate(BATCHES_BEFORE_READ)
                .compose(_ -> database.read(tx -> store.find(tx, key)
                        .compose(own -> own.isPresent()
                                ? Future.succeededFuture(own)
                                : store.find(tx, CauseKey.others(run.flowId())))
                        .compose(found -> found.isEmpty()
                                ? Future.succeededFuture(Optional.<Issues.IssueCounts>empty())
                                : counted(tx, found.get()).map(Optional::of))));
    }

    private Future<Issues.IssueCounts> counted(Tx tx, FlowIssue issue) {
        return store.days(tx, issue.id()).map(days -> new Issues.IssueCounts(issue, days));
    }

    private Future<FlowIssue> setStatus(Issues.SetStatus ask) {
        return database.inTransaction(tx -> found(tx, ask.issueId())
                .compose(_ -> store.setStatus(
                        tx, ask.issueId(), ask.status(), clock.instant().truncatedTo(ChronoUnit.MICROS)))
                .compose(_ -> found(tx, ask.issueId()))
                .compose(issue -> auditLog.record(
                                tx,
                                ApplicationEvent.inProject(
                                        EventAction.ISSUE_UPDATED, ask.by(), issue.projectId(), audited(issue)))
                        .map(issue)));
    }

    private static ObjectNode audited(FlowIssue issue) {
        var data = Json.object();
        data.putObject("issue")
                .put("id", issue.id())
                .put("flowId", issue.flowId())
                .put("stepName", issue.stepName())
                .put("status", issue.status().name());
        return data;
    }

    private Future<String> projectOf(Issues.ProjectOf ask) {
        return database.read(tx -> store.projectOf(tx, ask.issueId()))
                .map(project -> project.orElseThrow(() -> ApiException.notFound("issue", ask.issueId())));
    }

    private Future<FlowIssue> found(Tx tx, String id) {
        return store.find(tx, id).map(found -> found.orElseThrow(() -> ApiException.notFound("issue", id)));
    }

    private Future<Nothing> tidy() {
        var now = clock.instant();
        return database.inTransaction(tx -> store.archive(tx, now.minus(archivedAfter), now)
                        .compose(_ -> ExpiryTime.now(tx, clock))
                        .compose(expiry -> store.forget(tx, expiry.minus(retention))))
                .map(Nothing.DONE);
    }
}
