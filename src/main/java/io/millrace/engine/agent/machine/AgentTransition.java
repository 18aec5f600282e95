package io.millrace.engine.agent.machine;

import java.util.List;

/** Result of applying an event to an agent run. */
public sealed interface AgentTransition {
    /** The new state, and its effects in order. */
    record Advanced(AgentState state, List<AgentEffect> effects) implements AgentTransition {
        public Advanced {
            effects = List.copyOf(effects);
        }
    }

    /** The event does not apply; the state is unchanged. */
    record Unchanged(String reason) implements AgentTransition {}
}
