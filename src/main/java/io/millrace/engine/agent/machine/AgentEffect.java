package io.millrace.engine.agent.machine;

/** Effects outside the machine, performed after the new state is saved. */
public sealed interface AgentEffect {
    record AskModel(int turn, int attempt, Offer offer) implements AgentEffect {}

    record CallTool(int turn, int call) implements AgentEffect {
        /** The same for every repetition of this call after a crash. */
        public String idempotencyKey(String runId) {
            return runId + "-" + turn + "-" + call;
        }
    }

    record AbortInFlight() implements AgentEffect {}

    record Deliver(AgentEnding ending) implements AgentEffect {}

    enum Offer {
        ALL,
        NONE,
        /** The completion tool only, which the model must call. */
        COMPLETION
    }
}
