package io.millrace.authoring.flow;

import io.millrace.authoring.flow.FlowChanges.Change;
import io.millrace.authoring.flow.editor.FlowStatus;
import io.millrace.authoring.flow.version.FlowVersion;

/** Result of the first step of a publishing operation: complete, or a trigger switch that must follow. */
sealed interface OperationStart {
    record Done(FlowStatus before, Change change) implements OperationStart {}

    /**
     * A trigger switch in progress.
     *
     * @param running version that is enabled until now, or null
     * @param target version that will be the published one
     * @param abandoned version that an interrupted switch may have enabled and that is to be disabled first, or null
     * @param strict true if a failed disable hook leaves the flow unchanged
     */
    record Switching(
            Flow flow,
            FlowVersion running,
            FlowVersion target,
            FlowVersion abandoned,
            FlowStatus wanted,
            boolean strict)
            implements OperationStart {
        /** A switch that continues no other. */
        Switching(Flow flow, FlowVersion running, FlowVersion target, FlowStatus wanted, boolean strict) {
            this(flow, running, target, null, wanted, strict);
        }

        /** The version whose trigger may be enabled while the mark exists, besides the published one. */
        FlowVersion mayBeEnabled() {
            return abandoned == null ? target : abandoned;
        }
    }
}
