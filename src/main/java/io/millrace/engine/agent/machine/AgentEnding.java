package io.millrace.engine.agent.machine;

public enum AgentEnding {
    /** The model gave its answer, or called the completion tool. */
    ANSWERED,
    /** The last allowed turn was used; a normal ending. */
    TURN_LIMIT,
    /** The answer was cut off more often than it may be continued. */
    OUTPUT_LIMIT,
    /** The token budget is used up. */
    USAGE_LIMIT,
    /** The wall clock limit of the run has passed. */
    STOPPED,
    CANCELLED,
    /** The provider could not be used (no key, a refused key, a model that is not served), or the server has a defect. */
    DEAD_TURN;

    /** Returns true if the waiting step fails; every other ending leaves it a result. */
    public boolean failsStep() {
        return this == DEAD_TURN;
    }

    /** Returns true if the result says COMPLETED; a failed tool call makes it FAILED nevertheless. */
    public boolean isNormal() {
        return this == ANSWERED || this == TURN_LIMIT;
    }
}
