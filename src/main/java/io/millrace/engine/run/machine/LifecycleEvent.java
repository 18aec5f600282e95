package io.millrace.engine.run.machine;

/**
 * Events of a run in its actor: events of its walk ({@link RunEvent}), and those of the surroundings of the walk, which
 * are its permit, its writes, its lease and its memory.
 */
public sealed interface LifecycleEvent permits RunEvent, LifecycleEvent.Surrounding {
    sealed interface Surrounding extends LifecycleEvent {}

    /** Handled at once, before the events in the inbox. */
    sealed interface Urgent extends Surrounding {}

    /** The trigger has prepared the run, which may ask for its permit now. */
    record Prepared() implements Surrounding {}

    /** All permits are granted, or none is needed. */
    record PermitGranted() implements Surrounding {}

    record PermitQueued() implements Surrounding {}

    /** The permit could not be determined. */
    record PermitRefused(Throwable cause) implements Urgent {}

    /** A step has given an answer that must be delivered, or stored, before the run continues. */
    record AnswerGiven() implements Surrounding {}

    /** The inbox is empty: the run waits for an answer. */
    record InboxEmpty() implements Surrounding {}

    /** The run has waited without a row for the limit. */
    record WaitedUnseen() implements Surrounding {}

    /**
     * The run has used up its time slice on the event loop.
     *
     * @param failureNext whether the failure of a step is next: it may be retried, so it must not be recorded as final
     */
    record SliceOver(boolean failureNext) implements Surrounding {}

    /** The run has the event loop again. */
    record SliceGranted() implements Surrounding {}

    /**
     * The server has no memory left for a run of this size. Follows directly after a move that has arrived at a step,
     * and replaces that move's effects.
     */
    record MemoryShort() implements Surrounding {}

    /**
     * Another node may own the run: this node's lease is not valid, or was not at all times.
     *
     * @param term current term of the lease
     */
    record LeaseDoubted(long term) implements Urgent {}

    record Saved() implements Urgent {}

    /** Another node owns the run. */
    record SaveRefused() implements Urgent {}

    /** It is unknown whether the pending write is durable. */
    record SaveFailed(Throwable cause) implements Urgent {}

    /** The write could not begin because of a defect. */
    record SaveBroken(Throwable cause) implements Urgent {}

    /** A part of the server that a step called is unavailable, which does not count as a failure of the step. */
    record ServiceLost(Throwable cause) implements Urgent {}

    /** The server stops and waits no longer. */
    record ShutDown(Throwable cause) implements Urgent {}

    record Superseded() implements Urgent {}

    record Defect(Throwable cause) implements Surrounding {}
}
