package io.millrace.engine.run.machine;

import io.millrace.engine.run.machine.RunState.Ended;

/**
 * Effects outside the machine: effects of the walk ({@link RunEffect}) but Commit and Finish, and those of its
 * surroundings. A write is always the last effect of its move.
 */
public sealed interface LifecycleEffect permits RunEffect, LifecycleEffect.Surrounding {
    sealed interface Surrounding extends LifecycleEffect {}

    /** Answered with Saved, SaveRefused, SaveFailed or SaveBroken, once. */
    sealed interface Write extends Surrounding {}

    /** The run's first write: its payload, and the results recorded so far. */
    record Insert(LiveStatus status) implements Write {}

    record Append() implements Write {}

    /** Writes the recorded results, and a status that is no longer QUEUED. */
    record AppendAs(LiveStatus status) implements Write {}

    record Show(LiveStatus status) implements Write {}

    record WritePause(LiveStatus status, int stepsCount) implements Write {}

    /** Records the step that is about to execute, because the run is suspected of crashing servers. */
    record NoteStep(StepPath path) implements Write {}

    /**
     * Writes the end and the log.
     *
     * @param first whether this is the first write of the run
     */
    record WriteEnd(Ended end, boolean first) implements Write {}

    /** Answered with PermitGranted, PermitQueued and later PermitGranted, or PermitRefused. */
    record RequestPermit() implements Surrounding {}

    /** Returns all permits and places in the queue; no effect without any. */
    record ReturnPermit() implements Surrounding {}

    /** The run begins: its trigger's output becomes its first record. Answered with Begun. */
    record Begin(LiveStatus status) implements Surrounding {}

    /** The trigger's output becomes the first record of a run that ends before it has begun: a retry needs it. */
    record RecordTriggerOutput() implements Surrounding {}

    /**
     * The trigger's failure becomes the first record.
     *
     * @param hasOutput whether the payload is the output of the trigger: a retry only prepares the run again
     */
    record RecordTriggerFailure(String message, boolean hasOutput) implements Surrounding {}

    /** Arms the deadline, when one is measured and not armed yet. */
    record WatchDeadline() implements Surrounding {}

    /** Checks after a while whether the run still waits without a row, once. Answered with WaitedUnseen. */
    record WatchUnseen() implements Surrounding {}

    /** Yields the event loop to other runs. Answered with SliceGranted. */
    record Yield() implements Surrounding {}

    /** Passes durable results to the waiting caller: the acceptance, and an answer. */
    record TellCaller() implements Surrounding {}

    record Report(LiveStatus status) implements Surrounding {}

    /** Stops timers and steps; returns memory and permits. */
    record ReleaseResources() implements Surrounding {}

    /**
     * The actor is done with the run. Always last.
     *
     * @param stored whether the run is known to have a row
     * @param cause of {@link Departure#LOST}: null when another node owns the run
     */
    record Leave(Departure departure, boolean stored, Throwable cause) implements Surrounding {}

    enum Departure {
        PAUSED,
        /** It continues from its rows when there is memory for it. */
        YIELDED,
        /** Its end is durable. */
        ENDED,
        /** It could not be saved, or has another owner. */
        LOST,
        /** Another actor of this node continues it. */
        SUPERSEDED
    }
}
