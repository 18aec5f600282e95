package io.millrace.engine.run.retention;

import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Requests about the retention of runs. Answered by {@link RunRetentionService}. */
public sealed interface RunRetentions {
    /** Whose runs are meant. */
    sealed interface Scope {
        record OfProject(String projectId) implements Scope {}

        record OfFlow(String flowId) implements Scope {}
    }

    /**
     * Retention of runs.
     *
     * @param days the setting; empty without one
     * @param effectiveDays the shortest of the settings of the flow and its project, and of the server's retention
     */
    record Kept(Optional<Integer> days, int effectiveDays) {}

    /** Fails with ENTITY_NOT_FOUND when there is no such flow. */
    record Get(Scope scope) implements RunRetentions, BusRequest<Kept> {}

    /**
     * Sets another time; runs that are older go with the next round of housekeeping.
     *
     * @param days empty takes the wish back
     */
    record Put(Scope scope, Optional<Integer> days) implements RunRetentions, BusRequest<Kept> {}
}
