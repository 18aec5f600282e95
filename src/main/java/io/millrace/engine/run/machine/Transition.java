package io.millrace.engine.run.machine;

import java.util.List;

public sealed interface Transition {
    /** The run has moved: the new state, and the effects outside, in order. */
    record Moved(RunState state, List<RunEffect> effects) implements Transition {
        public Moved {
            effects = List.copyOf(effects);
        }
    }

    record Ignored(String reason) implements Transition {}
}
