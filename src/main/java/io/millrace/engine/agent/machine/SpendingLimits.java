package io.millrace.engine.agent.machine;

/**
 * Limits that an author sets for one agent run; checked before each request to the model.
 *
 * @param tokensMax tokens of all turns together
 * @param costMicrosMax cost of all turns together, in microdollars
 */
public record SpendingLimits(long tokensMax, long costMicrosMax) {
    public static final SpendingLimits NONE = new SpendingLimits(Long.MAX_VALUE, Long.MAX_VALUE);

    /** Returns true if another turn would exceed a limit, or a limit is reached. */
    public boolean isReachedBy(AgentSpending spending) {
        return isReachedByTokens(spending)
                || costMicrosMax != Long.MAX_VALUE
                        && (spending.costMicros() >= costMicrosMax
                                || spending.costMicros() + spending.nextCostMicros() > costMicrosMax);
    }

    public boolean isReachedByTokens(AgentSpending spending) {
        return tokensMax != Long.MAX_VALUE
                && (spending.tokens() >= tokensMax || spending.tokens() + spending.nextTokens() > tokensMax);
    }
}
