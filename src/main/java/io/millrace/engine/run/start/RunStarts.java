package io.millrace.engine.run.start;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.sample.SampleData;
import io.millrace.authoring.flow.step.Step;
import io.millrace.authoring.flow.step.TriggerStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.engine.run.Run;
import io.millrace.engine.run.RunCommands;
import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.Runs;
import io.millrace.engine.run.plan.StepTests;
import io.millrace.engine.run.store.RunQueryStore;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Starts runs on request of a user: tests of flows and of steps, and manual runs (contract flows-and-engine 5.8, 5.9).
 */
public final class RunStarts implements BusService {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final Database database;
    private final RunShards shards;
    private final InstantSource clock;
    private final RunQueryStore queries = new RunQueryStore();
    private final StepTestStore tests = new StepTestStore();

    public RunStarts(Bus bus, Database database, RunShards shards, InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.shards = shards;
        this.clock = clock;
    }

    @Override
    public void open(Bus ignored) {
        bus.serve(RunCommands.TestFlow.class, this::testFlow);
        bus.serve(RunCommands.TestStep.class, this::testStep);
        bus.serve(RunCommands.StartVersion.class, this::startVersion);
        bus.serve(RunCommands.StartFlow.class, this::startFlow);
        bus.serve(StepTests.StepOf.class, ask -> database.read(tx -> tests.stepOf(tx, ask.runId())));
    }

    /** The trigger is not executed: the flow begins with the output of its last test. */
    private Future<Run> testFlow(RunCommands.TestFlow test) {
        return version(test.projectId(), test.flowVersionId())
                .compose(version -> triggerSample(version)
                        .compose(sample -> launch(new Start(
                                test.projectId(),
                                version,
                                RunEnvironment.TESTING,
                                sample,
                                test.triggeredBy(),
                                null,
                                test.idempotencyKey()))));
    }

    private Future<Run> testStep(RunCommands.TestStep test) {
        return version(test.projectId(), test.flowVersionId()).compose(version -> {
            refuseTrigger(version.steps()
                    .find(test.stepName())
                    .orElseThrow(() -> ApiException.notFound("step", test.stepName())));
            return triggerSample(version)
                    .compose(sample -> launch(new Start(
                            test.projectId(),
                            version,
                            RunEnvironment.TESTING,
                            sample,
                            test.triggeredBy(),
                            test.stepName(),
                            test.idempotencyKey())));
        });
    }

    private static void refuseTrigger(Step step) {
        if (step instanceof TriggerStep) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT, "body/stepName Invalid input: a trigger is tested by /v1/test-trigger");
        }
    }

    private Future<JsonNode> triggerSample(FlowVersion version) {
        return bus.ask(new SampleData.FindOutputs(version.id()), DEADLINE_MS)
                .map(outputs -> Optional.ofNullable(
                                outputs.get(version.steps().trigger().name()))
                        .orElseGet(Json::object));
    }

    private Future<Run> startVersion(RunCommands.StartVersion start) {
        return version(start.projectId(), start.flowVersionId())
                .compose(version -> launch(new Start(
                        start.projectId(),
                        version,
                        RunEnvironment.PRODUCTION,
                        start.payload(),
                        start.triggeredBy(),
                        null,
                        start.idempotencyKey())));
    }

    /** A disabled flow starts no production run, not even by hand. */
    private Future<Run> startFlow(RunCommands.StartFlow start) {
        return bus.ask(new Flows.FindTarget(start.flowId()), DEADLINE_MS).compose(target -> {
            if (!target.projectId().equals(start.projectId())) {
                throw ApiException.notFound("flow", start.flowId());
            }
            if (!target.enabled() || target.published().isEmpty()) {
                throw ApiException.of(ErrorCode.VALIDATION, "the flow is not published and enabled");
            }
            return startVersion(new RunCommands.StartVersion(
                    start.projectId(),
                    target.published().get().id(),
                    start.payload(),
                    start.triggeredBy(),
                    start.idempotencyKey()));
        });
    }

    private Future<FlowVersion> version(String projectId, String versionId) {
        return bus.ask(new Flows.GetVersion(versionId), DEADLINE_MS)
                .compose(version -> bus.ask(new Flows.ProjectOf(version.flowId()), DEADLINE_MS)
                        .map(owner -> {
                            if (!owner.equals(projectId)) {
                                throw ApiException.notFound("flow_version", versionId);
                            }
                            return version;
                        }));
    }

    /**
     * @param stepToTest null for the whole flow
     * @param idempotencyKey null without one
     */
    private record Start(
            String projectId,
            FlowVersion version,
            RunEnvironment environment,
            JsonNode payload,
            String triggeredBy,
            String stepToTest,
            String idempotencyKey) {
        RunCommands.Launch launch(String runId) {
            return new RunCommands.Launch(
                    runId,
                    projectId,
                    version.flowId(),
                    new Flows.VersionRef(version.id(), version.updated()),
                    new RunCommands.Launch.LaunchMode(environment, false, stepToTest),
                    payload,
                    new RunCommands.Launch.LaunchOrigin(null, true, triggeredBy),
                    idempotencyKey);
        }
    }

    /**
     * Writes the test target before the run, so that a reader of the run always finds it. A repeated start has its run
     * already.
     */
    private Future<Run> launch(Start start) {
        var runId = Runs.nextId(clock.instant());
        var written = start.stepToTest() == null
                ? Future.<Void>succeededFuture()
                : database.read(tx -> tests.insert(tx, runId, clock.instant(), start.stepToTest()));
        return written.compose(_ -> bus.ask(shards.launchAddressOf(runId), start.launch(runId), DEADLINE_MS))
                .compose(startedId -> database.read(tx -> queries.find(tx, startedId)))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("flow_run", runId)))
                .onSuccess(run -> announce(run, start, runId));
    }

    private void announce(Run run, Start start, String runId) {
        if (start.stepToTest() == null && run.id().equals(runId)) {
            bus.publish(new Runs.Announced(run.projectId(), runId));
        }
    }
}
