package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.engine.trigger.schedule.DueTimes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@link TriggerVerticle} asks of the sources that are due. Answered by {@link DueTriggerService}. */
sealed interface DueTriggers {
    /** Takes sources that are due for this node, until it releases them or its lease ends. */
    record Claim(int limit) implements DueTriggers, BusRequest<List<TriggerSource>> {}

    /** When the next source is due. */
    record FindEarliest() implements DueTriggers, BusRequest<Optional<Instant>> {}

    /** Sources that nobody works on and whose time is still to come, by their ids from one on. */
    record FindWaiting(String afterId, int limit) implements DueTriggers, BusRequest<List<TriggerSource>> {}

    /**
     * Gives a source that still waits as it was found an earlier time.
     *
     * @param firesAgain whether times from there on fire though they have fired before, by a clock that was ahead
     */
    record BringNearer(TriggerSource source, Instant nextDue, boolean firesAgain)
            implements DueTriggers, BusRequest<Nothing> {}

    /** How the flow of a claimed source stands just now. */
    record FindStanding(TriggerSource source) implements DueTriggers, BusRequest<TriggerSourceStore.Standing> {}

    /** Ends a claim; the next time is null for a source that is not due any more. */
    record ReleaseClaim(TriggerSource source, Instant nextDue) implements DueTriggers, BusRequest<Nothing> {}

    /**
     * Saves everything that came of a claimed source in one transaction, and ends the claim; answers how many runs begin.
     *
     * @param plan the times that fire, and the next one
     * @param items a run begins for each
     * @param changes of what the trigger keeps
     */
    record Fire(
            TriggerSource source,
            RunIntake.Target flow,
            DueTimes.Plan plan,
            List<JsonNode> items,
            List<StoreChange> changes)
            implements DueTriggers, BusRequest<Integer> {}

    /** Adds to the counts of how calls of hooks ended. */
    record AddCounts(Map<TriggerTally.Key, Long> counts) implements DueTriggers, BusRequest<Nothing> {}

    /** Removes what is older and nobody looks at any more. */
    record Purge(Instant before) implements DueTriggers, BusRequest<Nothing> {}
}
