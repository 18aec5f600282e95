package io.millrace.engine.agent.machine;

/**
 * Spending of an agent run.
 *
 * @param tokens tokens of all turns
 * @param costMicros cost of all turns in microdollars; turns of models without a known price cost nothing
 * @param nextTokens tokens that the next turn takes at least: it sends the conversation again
 * @param nextCostMicros cost of these tokens
 */
public record AgentSpending(long tokens, long costMicros, long nextTokens, long nextCostMicros) {
    public static final AgentSpending NONE = new AgentSpending(0, 0, 0, 0);

    /** The sum of this and a turn; the expectation of the next turn is that of the latest one. */
    AgentSpending plus(AgentSpending turn) {
        return new AgentSpending(
                tokens + turn.tokens(), costMicros + turn.costMicros(), turn.nextTokens(), turn.nextCostMicros());
    }
}
