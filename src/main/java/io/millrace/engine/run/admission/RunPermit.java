package io.millrace.engine.run.admission;

/** A run's place: among those that execute, or in line. */
public interface RunPermit {
    /** Whether the run may begin now; otherwise it is told later. */
    boolean isHeldAtOnce();

    /** Gives everything back, slots and places in line; whoever is next begins. What is returned again is left alone. */
    void giveBack();
}
