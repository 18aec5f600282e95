package io.millrace.engine.agent.machine;

/** Input events of the agent run machine. */
public sealed interface AgentEvent {
    /** A node has claimed the run. */
    record Begin() implements AgentEvent {}

    /**
     * The model answered.
     *
     * @param calls tool calls in it, numbered from 0, without the completion tool
     * @param completes true if it called the completion tool
     */
    record Answered(int turn, Shape shape, int calls, boolean completes, AgentSpending spending) implements AgentEvent {
        /** An answer of a model without a price. */
        public Answered(int turn, Shape shape, int calls, boolean completes, long tokens) {
            this(turn, shape, calls, completes, new AgentSpending(tokens, 0, 0, 0));
        }
    }

    /** The model request failed; {@code retriable} when the failure was temporary and occurred before any output. */
    record TurnFailed(int turn, boolean retriable) implements AgentEvent {}

    /** The model request was refused: the project has used up its budget. */
    record BudgetUsed(int turn) implements AgentEvent {}

    record CallEnded(int turn, int call, boolean failed) implements AgentEvent {}

    record TimePassed() implements AgentEvent {}

    record Cancel() implements AgentEvent {}

    /** A defect of the server's own code, after which the run cannot continue. */
    record Defect() implements AgentEvent {}

    enum Shape {
        /** Complete; tool calls or text. */
        WHOLE,
        CUT_OFF,
        /** Neither text nor calls. */
        EMPTY,
        /** Complete, without calls, and without the required fields. */
        MISFIT
    }
}
