package io.millrace.engine.agent.machine;

import java.util.List;

/** What an event does to an agent run. */
public sealed interface AgentTransition {
    /** The new state, and what must happen outside, in order. */
    record Advanced(AgentState state, List<AgentEffect> effects) implements AgentTransition {
        public Advanced {
            effects = List.copyOf(effects);
        }
    }

    /** The event does not apply; nothing changes. */
    record Unchanged(String reason) implements AgentTransition {}
}
