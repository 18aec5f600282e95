package io.millrace.engine.agent.machine;

/**
 * What one agent run may use.
 *
 * @param turnsMax model turns; a larger wish is capped at {@link #TURNS_CEILING}
 * @param tokensMax tokens of all turns together
 * @param structured whether the answer must be given by the completion tool
 */
public record AgentLimits(int turnsMax, long tokensMax, boolean structured) {
    /** No run has more turns, whatever its step asks for. */
    public static final int TURNS_CEILING = 50;

    /** How often an answer that was cut off is continued. */
    static final int CONTINUATIONS_MAX = 3;

    /** Number of times that an answer without the wanted fields is asked for again. */
    static final int REPAIRS_MAX = 1;

    /** How often an empty answer is asked for again. */
    static final int NUDGES_MAX = 2;

    public AgentLimits {
        if (turnsMax < 1 || tokensMax < 1) {
            throw new IllegalArgumentException("expected at least one turn and one token");
        }
        turnsMax = Math.min(turnsMax, TURNS_CEILING);
    }
}
