package io.millrace.engine.agent.machine;

/** Effects outside the machine, performed after the new state is saved. */
public sealed interface AgentEffect {
    /** Ask the model. */
    record AskModel(int turn, int attempt, Offer offer) implements AgentEffect {}

    /** Perform a tool call of the turn. */
    record CallTool(int turn, int call) implements AgentEffect {
        /** The same for every repetition of this call after a crash. */
        public String idempotencyKey(String runId) {
            return runId + "-" + turn + "-" + call;
        }
    }

    /** Abort requests and calls that are in flight. */
    record AbortInFlight() implements AgentEffect {}

    /** Deliver the result to the waiting step. */
    record Deliver(AgentEnding ending) implements AgentEffect {}

    /** The tools that a turn offers. */
    enum Offer {
        ALL,
        NONE,
        /** The completion tool only, which the model must call. */
        COMPLETION
    }
}
