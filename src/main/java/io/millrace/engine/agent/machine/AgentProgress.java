package io.millrace.engine.agent.machine;

/**
 * Usage of an agent run so far.
 *
 * @param turn the current turn, from 1; 0 before the first
 * @param spending tokens and cost of all turns so far
 * @param continuations number of cut answers that were continued
 * @param nudges number of repeated requests after empty answers
 * @param repairs number of repeated requests after answers without the wanted fields
 * @param toolFailed true if a tool call failed
 * @param completed true if the completion tool was called
 */
public record AgentProgress(
        int turn,
        AgentSpending spending,
        int continuations,
        int nudges,
        int repairs,
        boolean toolFailed,
        boolean completed) {
    public static final AgentProgress NONE = new AgentProgress(0, AgentSpending.NONE, 0, 0, 0, false, false);

    public long tokens() {
        return spending.tokens();
    }

    AgentProgress nextTurn() {
        return new AgentProgress(turn + 1, spending, continuations, nudges, repairs, toolFailed, completed);
    }

    AgentProgress answered(AgentEvent.Answered answer) {
        return new AgentProgress(
                turn,
                spending.plus(answer.spending()),
                continuations,
                nudges,
                repairs,
                toolFailed,
                completed || answer.completes());
    }

    AgentProgress continued() {
        return new AgentProgress(turn, spending, continuations + 1, nudges, repairs, toolFailed, completed);
    }

    AgentProgress nudged() {
        return new AgentProgress(turn, spending, continuations, nudges + 1, repairs, toolFailed, completed);
    }

    AgentProgress repaired() {
        return new AgentProgress(turn, spending, continuations, nudges, repairs + 1, toolFailed, completed);
    }

    AgentProgress called(boolean failed) {
        return new AgentProgress(turn, spending, continuations, nudges, repairs, toolFailed || failed, completed);
    }
}
