package io.millrace.engine.run.recovery;

import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.RunRelease;
import io.millrace.engine.run.store.RunOwnerStore;
import java.util.List;
import java.util.Set;

/** Requests of the sweeper to the owners of runs. Answered by {@link RunTakeoverService}. */
sealed interface RunTakeovers {
    /** Number of recent ends of nodes after a survived trial and without a culprit, and of suspected runs. */
    record AskHistory(int suspectedFrom) implements RunTakeovers, BusRequest<SuspectTrial.History> {}

    /**
     * The trial of a suspect is over: the end of this node no longer counts against it, and earlier ends count only as far
     * as they make it a suspect.
     *
     * @param suspectedFrom number of crashes that makes a run a suspect
     */
    record Acquit(RunRelease run, int suspectedFrom) implements RunTakeovers, BusRequest<Void> {}

    /** Ends the leases of nodes whose processes have ended; returns the other nodes with a lease. */
    record EndLeasesOfTheGone() implements RunTakeovers, BusRequest<Set<String>> {}

    /**
     * Counts the crashes of servers against the runs that were executing; returns the number of those runs.
     *
     * @param suspectedFrom number of crashes that makes a run a suspect
     */
    record CountCrashes(int suspectedFrom) implements RunTakeovers, BusRequest<Integer> {}

    /**
     * Takes over runs whose owner has no lease, of the projects in turn.
     *
     * @param passedOver projects without capacity here
     */
    record Claim(int limit, Set<String> passedOver) implements RunTakeovers, BusRequest<RunOwnerStore.ClaimBatch> {}

    /** Makes runs without an owner of a part of the backlog; returns whether there was one. */
    record AcceptBacklog() implements RunTakeovers, BusRequest<Boolean> {}

    /** Runs that this node owns, in the order of their ids, after one of them. */
    record FindOwned(String after, int limit) implements RunTakeovers, BusRequest<List<RunRelease>> {}
}
