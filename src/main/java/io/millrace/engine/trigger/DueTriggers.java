package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.engine.trigger.schedule.DueTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages of {@link TriggerVerticle} about due sources, handled by {@link DueTriggerService}. */
sealed interface DueTriggers {
    /** Claims due sources for this node, until it releases them or its lease ends. */
    record Claim(int limit) implements DueTriggers, BusRequest<List<TriggerSource>> {}

    record FindEarliest() implements DueTriggers, BusRequest<Optional<Instant>> {}

    /** Finds unclaimed sources whose time is in the future, ordered by id. */
    record FindWaiting(String afterId, int limit) implements DueTriggers, BusRequest<List<TriggerSource>> {}

    /**
     * Sets an earlier due time for a source that is unchanged since it was read.
     *
     * @param firesAgain true if times from that one on fire again although a fast clock has fired them before
     */
    record BringNearer(TriggerSource source, Instant nextDue, boolean firesAgain)
            implements DueTriggers, BusRequest<Nothing> {}

    record FindStanding(TriggerSource source) implements DueTriggers, BusRequest<TriggerSourceStore.Standing> {}

    /** Ends a claim; the next time is null for a source that is no longer due. */
    record ReleaseClaim(TriggerSource source, Instant nextDue) implements DueTriggers, BusRequest<Nothing> {}

    /**
     * Saves all results of a claimed source in one transaction and ends the claim; returns the number of started runs.
     *
     * @param plan the times that fire, and the next one
     * @param items items; each starts a run
     * @param changes changes of the trigger's stored values
     */
    record Fire(
            TriggerSource source,
            RunIntake.Target flow,
            DueTimes.Plan plan,
            List<JsonNode> items,
            List<StoreChange> changes)
            implements DueTriggers, BusRequest<Integer> {}

    record AddCounts(Map<TriggerCounts.Key, Long> counts) implements DueTriggers, BusRequest<Nothing> {}

    /** Removes sources that were deleted longer ago than this, and other expired rows. */
    record Purge(Duration kept) implements DueTriggers, BusRequest<Nothing> {}
}
