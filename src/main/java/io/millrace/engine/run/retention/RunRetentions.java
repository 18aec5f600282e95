package io.millrace.engine.run.retention;

import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Requests about the retention of runs. Answered by {@link RunRetentionService}. */
public sealed interface RunRetentions {
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
    record Retention(Optional<Integer> days, int effectiveDays) {}

    /** Reads a retention; fails with ENTITY_NOT_FOUND when there is no such flow. */
    record Get(Scope scope) implements RunRetentions, BusRequest<Retention> {}

    /**
     * Changes a retention; older runs are deleted in the next round of housekeeping.
     *
     * @param days empty removes the setting
     */
    record Put(Scope scope, Optional<Integer> days) implements RunRetentions, BusRequest<Retention> {}
}
