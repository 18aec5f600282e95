package io.millrace.engine.agent.machine;

import java.util.Set;

/** State of an agent run; small enough for one row. */
public sealed interface AgentState {
    /** Accepted, not yet started. */
    record Accepted() implements AgentState {}

    /** A request to the model is in flight; {@code attempt} counts from 1. */
    record Asking(AgentProgress progress, int attempt) implements AgentState {}

    /** The calls of the current turn with these numbers have no recorded result yet. */
    record Calling(AgentProgress progress, Set<Integer> open) implements AgentState {
        public Calling {
            open = Set.copyOf(open);
        }
    }

    record Finished(AgentProgress progress, AgentEnding ending) implements AgentState {}
}
