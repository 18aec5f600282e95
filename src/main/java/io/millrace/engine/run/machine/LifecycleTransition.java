package io.millrace.engine.run.machine;

import java.util.List;

public sealed interface LifecycleTransition {
    /**
     * The run has moved: its new state, and the effects outside, in order.
     *
     * @param first step whose first attempt the walk has just reached, or null. Before anything is done for it, the run
     *     can yield its memory to others ({@link LifecycleEvent.MemoryShort}).
     */
    record Moved(RunLife life, List<? extends LifecycleEffect> effects, StepPath first) implements LifecycleTransition {
        Moved(RunLife life, List<? extends LifecycleEffect> effects) {
            this(life, effects, null);
        }
    }

    /** The event has to wait until the pending write is durable. */
    record Deferred() implements LifecycleTransition {}

    /** The event does not apply; nothing changes. */
    record Ignored(String reason) implements LifecycleTransition {}
}
