package io.millrace.engine.run.replay;

import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.plan.PlanCompiler;
import io.millrace.engine.run.redecide.StepChanges;
import io.vertx.core.Future;

/** Reads and compiles flow versions for the re-decider, without installing anything. */
final class ReadVersions {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final PlanCompiler compiler;

    ReadVersions(Bus bus, PlanCompiler compiler) {
        this.bus = bus;
        this.compiler = compiler;
    }

    /** A version with its plan. */
    record ReadVersion(FlowVersion version, CompiledFlow flow) {
        /** Differences from the version that was recorded. */
        StepChanges since(ReadVersion recorded) {
            return StepChanges.between(recorded.version().steps(), recorded.flow(), version.steps());
        }
    }

    /** A version of a project by its id. */
    Future<ReadVersion> read(String versionId, String projectId) {
        return bus.ask(new Flows.GetVersion(versionId), DEADLINE_MS)
                .compose(version -> bus.ask(new Flows.PieceScopeOf(version.flowId()), DEADLINE_MS)
                        .compose(scope -> compiler.compile(version, projectId, scope))
                        .map(flow -> new ReadVersion(version, flow)));
    }

    /** Id of the chosen version of a flow. */
    Future<String> chosen(String flowId, String originalId, Replays.VersionChoice choice) {
        return switch (choice) {
            case ORIGINAL -> Future.succeededFuture(originalId);
            case PUBLISHED ->
                bus.ask(new Flows.FindTarget(flowId), DEADLINE_MS)
                        .map(target -> target.published()
                                .orElseThrow(() -> ApiException.of(
                                        ErrorCode.VALIDATION, "flow " + flowId + " has no published version"))
                                .id());
            case DRAFT ->
                bus.ask(new Flows.FindTarget(flowId), DEADLINE_MS)
                        .map(target -> target.latest().id());
        };
    }
}
