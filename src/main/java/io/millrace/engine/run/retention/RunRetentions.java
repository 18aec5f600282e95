package io.millrace.engine.run.retention;

import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** What one may ask of how long runs are kept. Answered by {@link RunRetentionService}. */
public sealed interface RunRetentions {
    /** Whose runs are meant. */
    sealed interface Scope {
        record OfProject(String projectId) implements Scope {}

        record OfFlow(String flowId) implements Scope {}
    }

    /**
     * How long runs are kept.
     *
     * @param days what was wished for; empty for no wish
     * @param effectiveDays the shortest of what was wished for the flow and its project, and of what the server keeps
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
