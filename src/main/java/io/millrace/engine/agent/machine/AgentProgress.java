package io.millrace.engine.agent.machine;

/**
 * What an agent run has used so far.
 *
 * @param turn the current turn, from 1; 0 before the first
 * @param tokens tokens of all turns so far
 * @param continuations how many cut answers were continued
 * @param nudges how many empty answers were asked for again
 * @param repairs how many answers without the wanted fields were asked for again
 * @param toolFailed whether some tool call failed
 * @param completed whether the completion tool was called
 */
public record AgentProgress(
        int turn, long tokens, int continuations, int nudges, int repairs, boolean toolFailed, boolean completed) {
    /** Nothing used yet. */
    public static final AgentProgress NONE = new AgentProgress(0, 0, 0, 0, 0, false, false);

    AgentProgress nextTurn() {
        return new AgentProgress(turn + 1, tokens, continuations, nudges, repairs, toolFailed, completed);
    }

    AgentProgress answered(AgentEvent.Answered answer) {
        return new AgentProgress(
                turn,
                tokens + answer.tokens(),
                continuations,
                nudges,
                repairs,
                toolFailed,
                completed || answer.completes());
    }

    AgentProgress continued() {
        return new AgentProgress(turn, tokens, continuations + 1, nudges, repairs, toolFailed, completed);
    }

    AgentProgress nudged() {
        return new AgentProgress(turn, tokens, continuations, nudges + 1, repairs, toolFailed, completed);
    }

    AgentProgress repaired() {
        return new AgentProgress(turn, tokens, continuations, nudges, repairs + 1, toolFailed, completed);
    }

    AgentProgress called(boolean failed) {
        return new AgentProgress(turn, tokens, continuations, nudges, repairs, toolFailed || failed, completed);
    }
}
