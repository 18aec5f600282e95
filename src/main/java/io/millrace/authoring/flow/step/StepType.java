package io.millrace.authoring.flow.step;

/** Kinds of step (contract flows-and-engine 2.4). */
public enum StepType {
    EMPTY,
    PIECE_TRIGGER,
    CODE,
    PIECE,
    LOOP_ON_ITEMS,
    ROUTER;

    /** Kinds that a trigger may have, under their wire names. */
    public enum TriggerType {
        EMPTY,
        PIECE_TRIGGER
    }

    /** Kinds that an action may have, under their wire names. */
    public enum ActionType {
        CODE,
        PIECE,
        LOOP_ON_ITEMS,
        ROUTER
    }
}
