package io.millrace.engine.run.flowtest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.audit.AuditLog;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.Flows.FlowWithVersion;
import io.millrace.authoring.flow.testcase.FlowTestCase;
import io.millrace.authoring.flow.testcase.FlowTestEdits;
import io.millrace.authoring.flow.testcase.FlowTestLimits;
import io.millrace.authoring.flow.testcase.PublicationTests;
import io.millrace.base.access.Gate;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunQueries;
import io.millrace.engine.run.RunStatus;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.redecide.WalkExecutor;
import io.millrace.engine.trigger.HookServices;
import io.millrace.sandbox.expression.Secrets;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Handles {@link FlowTests} and {@link PublicationTests}. Tests are executed by {@link WalkExecutor}, in their order. */
public final class FlowTestService implements BusService {
    private static final long DEADLINE_MS = 30_000;

    /** Time for the tests of one request: a walk of a loop over many items takes long. */
    private static final long WORK_SECONDS_MAX = 20;

    private final Vertx vertx;
    private final Bus bus;
    private final Database database;
    private final FlowTestEngine engine;
    private final WalkExecutor walks;
    private final HookServices services;
    private final FlowTestEdits tests;
    private final FlowTestAudit audit;
    private final InstantSource clock;

    public FlowTestService(
            Vertx vertx,
            Bus bus,
            Database database,
            FlowTestEngine engine,
            WalkExecutor walks,
            HookServices services,
            FlowTestLimits limits,
            AuditLog auditLog,
            InstantSource clock) {
        this.vertx = vertx;
        this.bus = bus;
        this.database = database;
        this.engine = engine;
        this.walks = walks;
        this.services = services;
        this.tests = new FlowTestEdits(limits);
        this.audit = new FlowTestAudit(auditLog);
        this.clock = clock;
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(FlowTests.Find.class, ask -> database.read(tx -> tests.ofFlow(tx, ask.flowId())));
        bus.serve(
                FlowTests.Get.class,
                ask -> database.read(tx -> tests.find(tx, ask.flowId(), ask.testId()))
                        .map(found -> found.orElseThrow(() -> notFound(ask.testId()))));
        bus.serve(FlowTests.Create.class, this::create);
        bus.serve(FlowTests.Replace.class, this::replace);
        bus.serve(FlowTests.Delete.class, this::delete);
        bus.serve(FlowTests.CreateFromRun.class, this::createFromRun);
        bus.serve(FlowTests.Execute.class, ask -> run(ask, WalkExecutor.Purpose.READING));
        bus.serve(PublicationTests.RequirePassing.class, this::requirePassing);
    }

    private static ApiException notFound(String testId) {
        return ApiException.notFound("flow_test", testId);
    }

    private Future<FlowWithVersion> flow(String flowId, Optional<String> versionId) {
        return bus.ask(new Flows.Get(flowId, versionId), DEADLINE_MS);
    }

    private Future<FlowTestCase> create(FlowTests.Create ask) {
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return flow(ask.flowId(), Optional.empty())
                .compose(flow -> database.inTransaction(tx -> tests.put(tx, ask.flowId(), ask.test(), now)
                        .compose(_ -> audit.saved(tx, ask.by(), flow, ask.test()))))
                .map(ask.test());
    }

    private Future<FlowTestCase> replace(FlowTests.Replace ask) {
        var test = ask.test();
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        return flow(ask.flowId(), Optional.empty())
                .compose(flow -> database.inTransaction(tx -> tests.find(tx, ask.flowId(), test.id())
                        .map(found -> found.orElseThrow(() -> notFound(test.id())))
                        .compose(_ -> tests.put(tx, ask.flowId(), test, now))
                        .compose(_ -> audit.saved(tx, ask.by(), flow, test))))
                .map(test);
    }

    private Future<Nothing> delete(FlowTests.Delete ask) {
        return flow(ask.flowId(), Optional.empty())
                .compose(flow -> database.inTransaction(tx -> tests.delete(tx, ask.flowId(), ask.testId())
                        .compose(isDeleted -> isDeleted
                                ? audit.deleted(tx, ask.by(), flow, ask.testId())
                                : Future.failedFuture(notFound(ask.testId())))))
                .map(Nothing.DONE);
    }

    /** The log of a run is shown to readers of runs only, so a test made from it needs their permission too. */
    private Future<FlowTestCase> createFromRun(FlowTests.CreateFromRun ask) {
        return flow(ask.flowId(), Optional.empty()).compose(flow -> {
            var projectId = flow.flow().projectId();
            return bus.ask(new Gate.Enter(ask.by(), projectId, Permission.READ_RUN), DEADLINE_MS)
                    .compose(_ -> bus.ask(new RunQueries.Look(ask.runId()), DEADLINE_MS))
                    .compose(run -> made(ask, checked(ask, run, projectId)))
                    .compose(test -> create(new FlowTests.Create(ask.by(), ask.flowId(), test)));
        });
    }

    private static Run checked(FlowTests.CreateFromRun ask, Run run, String projectId) {
        if (!run.projectId().equals(projectId)) {
            throw ApiException.notFound("flow_run", ask.runId());
        }
        if (!run.flowId().equals(ask.flowId()) || run.stepNameToTest() != null) {
            throw ApiException.of(
                    ErrorCode.VALIDATION, "run " + run.id() + ": expected a run of the whole flow " + ask.flowId());
        }
        if (!run.status().isTerminal()) {
            throw ApiException.of(
                    ErrorCode.VALIDATION,
                    "run " + run.id() + " is " + run.status() + ": expected a run that has ended");
        }
        return run;
    }

    private Future<FlowTestCase> made(FlowTests.CreateFromRun ask, Run run) {
        var log = bus.ask(new RunQueries.Get(ask.by(), run.id()), DEADLINE_MS)
                .compose(found -> vertx.executeBlocking(() -> steps(found), false));
        var version = flow(ask.flowId(), Optional.of(run.flowVersionId())).compose(this::compiled);
        return Future.all(log, version)
                .compose(_ -> {
                    var needs = RunTestMaker.needs(version.result());
                    return services.secrets(run.projectId(), needs.connectionNames(), needs.variableNames());
                })
                .compose(secrets ->
                        vertx.executeBlocking(() -> made(ask, run, version.result(), log.result(), secrets), false));
    }

    /** Reads a whole log, so it must not run on an event loop. */
    private FlowTestCase made(
            FlowTests.CreateFromRun ask, Run run, CompiledFlow flow, ObjectNode steps, Secrets secrets) {
        var startedAt = run.startTime() == null ? run.created() : run.startTime();
        var content = RunTestMaker.content(flow, steps, run.status() == RunStatus.SUCCEEDED, startedAt);
        tests.checkSize(new FlowTestCase("", ask.name().orElse(run.id()), content));
        return new FlowTestCase(Ids.next(), ask.name().orElse("Run " + run.id()), SecretMask.masked(content, secrets));
    }

    private static ObjectNode steps(Buffer run) {
        try {
            return DeepJson.parse(run.getBytes()).path("steps") instanceof ObjectNode steps ? steps : Json.object();
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("expected the JSON of a run", malformed);
        }
    }

    private Future<CompiledFlow> compiled(FlowWithVersion flow) {
        return bus.ask(new Flows.PieceScopeOf(flow.flow().id()), DEADLINE_MS)
                .compose(scope -> engine.compile(flow.version(), flow.flow().projectId(), scope));
    }

    private Future<ObjectNode> run(FlowTests.Execute ask, WalkExecutor.Purpose purpose) {
        return version(ask)
                .compose(version -> compiled(version)
                        .compose(flow -> database.read(tx -> tests.ofFlow(tx, ask.flowId()))
                                .map(all -> selected(all, ask.testIds()))
                                .compose(chosen ->
                                        walks.execute(version.flow().projectId(), purpose, () -> results(flow, chosen)))
                                .map(results -> FlowTestRunner.report(flow, results))));
    }

    private Future<FlowWithVersion> version(FlowTests.Execute ask) {
        return switch (ask.version()) {
            case FlowTests.Execute.DRAFT -> flow(ask.flowId(), Optional.empty());
            case FlowTests.Execute.PUBLISHED ->
                flow(ask.flowId(), Optional.empty()).compose(latest -> {
                    var published = latest.flow().publishedVersionId();
                    return published == null
                            ? Future.failedFuture(ApiException.of(
                                    ErrorCode.VALIDATION, "flow " + ask.flowId() + " has no published version"))
                            : flow(ask.flowId(), Optional.of(published));
                });
            default -> flow(ask.flowId(), Optional.of(ask.version()));
        };
    }

    private static List<FlowTestCase> selected(List<FlowTestCase> tests, List<String> ids) {
        if (ids.isEmpty()) {
            return tests;
        }
        var wanted = Set.copyOf(ids);
        for (var id : ids) {
            if (tests.stream().noneMatch(test -> test.id().equals(id))) {
                throw notFound(id);
            }
        }
        return tests.stream().filter(test -> wanted.contains(test.id())).toList();
    }

    private List<FlowTestRunner.Result> results(CompiledFlow flow, List<FlowTestCase> tests) {
        var until = System.nanoTime() + TimeUnit.SECONDS.toNanos(WORK_SECONDS_MAX);
        var results = new ArrayList<FlowTestRunner.Result>();
        for (var test : tests) {
            if (System.nanoTime() > until) {
                throw ApiException.of(
                        ErrorCode.VALIDATION,
                        "the tests take more than " + WORK_SECONDS_MAX + " s: name fewer in testIds");
            }
            results.add(engine.run(test, flow));
        }
        return List.copyOf(results);
    }

    /** Fails with the tests that do not pass. A flow without tests has none. */
    private Future<Nothing> requirePassing(PublicationTests.RequirePassing ask) {
        return run(new FlowTests.Execute(ask.flowId(), ask.versionId(), List.of()), WalkExecutor.Purpose.PUBLICATION)
                .compose(report -> {
                    var failing = Json.array();
                    for (JsonNode result : report.path("results")) {
                        if (!result.path("state").asText().equals("passed")) {
                            failing.addObject()
                                    .put("testId", result.path("testId").asText())
                                    .put("name", result.path("name").asText())
                                    .put("state", result.path("state").asText());
                        }
                    }
                    return failing.isEmpty()
                            ? Future.succeededFuture(Nothing.DONE)
                            : Future.failedFuture(refusal(ask.flowId(), failing));
                });
    }

    private static ApiException refusal(String flowId, JsonNode failing) {
        var params = Json.object()
                .put(
                        "message",
                        "the project requires passing tests: expected all tests of the flow to pass, found "
                                + failing.size() + " that do not, among them \""
                                + failing.path(0).path("name").asText() + "\" ("
                                + failing.path(0).path("state").asText() + ")")
                .put("flowId", flowId);
        params.set("tests", failing);
        return ApiException.of(ErrorCode.FLOW_TESTS_FAILED, params);
    }
}
