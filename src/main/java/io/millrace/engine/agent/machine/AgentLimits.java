package io.millrace.engine.agent.machine;

/**
 * Limits of one agent run.
 *
 * @param turnsMax model turns; a larger value is capped at {@link #TURNS_CEILING}
 * @param tokensMax tokens of all turns together
 * @param structured true if the answer must be given by the completion tool
 * @param spending limits of the author
 */
public record AgentLimits(int turnsMax, long tokensMax, boolean structured, SpendingLimits spending) {
    /** Upper limit of model turns, also for steps that request more. */
    public static final int TURNS_CEILING = 50;

    /** Maximum number of continuations of an answer that was cut off. */
    static final int CONTINUATIONS_MAX = 3;

    /** Maximum number of repeated requests after an answer without the wanted fields. */
    static final int REPAIRS_MAX = 1;

    /** Maximum number of repeated requests after an empty answer. */
    static final int NUDGES_MAX = 2;

    public AgentLimits(int turnsMax, long tokensMax, boolean structured) {
        this(turnsMax, tokensMax, structured, SpendingLimits.NONE);
    }

    public AgentLimits {
        if (turnsMax < 1 || tokensMax < 1) {
            throw new IllegalArgumentException("expected at least one turn and one token");
        }
        turnsMax = Math.min(turnsMax, TURNS_CEILING);
    }
}
