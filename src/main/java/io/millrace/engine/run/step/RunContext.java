package io.millrace.engine.run.step;

import io.millrace.engine.run.RunWrite.RunHeader;
import io.millrace.piece.StepContext;

/** Context of a step whose ids are those of its run. */
public interface RunContext extends StepContext {
    RunHeader header();

    @Override
    default String projectId() {
        return header().projectId();
    }

    @Override
    default String flowId() {
        return header().flow().flowId();
    }

    @Override
    default String flowVersionId() {
        return header().flow().flowVersionId();
    }

    @Override
    default String runId() {
        return header().id();
    }
}
