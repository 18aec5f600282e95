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

    record ReadVersion(FlowVersion version, CompiledFlow flow) {
        StepChanges since(ReadVersion recorded) {
            return StepChanges.between(recorded.version().steps(), recorded.flow(), version.steps());
        }
    }

    Future<ReadVersion> read(String versionId, String projectId) {
        return bus.ask(new Flows.GetVersion(versionId), DEADLINE_MS)
                .compose(version -> bus.ask(new Flows.PieceScopeOf(version.flowId()), DEADLINE_MS)
                        .compose(scope -> compiler.compile(version, projectId, scope))
                        .map(flow -> new ReadVersion(version, flow)));
    }

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
