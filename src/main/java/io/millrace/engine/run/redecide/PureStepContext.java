package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.engine.run.plan.CompiledFlow;
import io.millrace.engine.run.step.PureContext;

final class PureStepContext extends PureContext {
    private static final String WALK = "redecision";

    private final CompiledFlow flow;

    PureStepContext(CompiledFlow flow, String stepName, ObjectNode props) {
        super(stepName, props);
        this.flow = flow;
    }

    @Override
    public String projectId() {
        return flow.projectId();
    }

    @Override
    public String flowId() {
        return flow.flowId();
    }

    @Override
    public String flowVersionId() {
        return flow.flowVersionId();
    }

    @Override
    public String runId() {
        return WALK;
    }

    @Override
    public String idempotencyKey() {
        return WALK;
    }

    /** Ignored: a walk has no tags. */
    @Override
    public void tag(String name) {}
}
