package io.millrace.engine.run.redecide;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * Extent of a walk.
 *
 * @param stopsAtDifference whether the walk ends at the first difference; otherwise recorded results answer later steps
 *     by their path
 * @param hasOtherEvent whether the trigger's output is not the one of the recorded results
 * @param edit input that replaces the resolved one of a step
 * @param listsVisited whether the result lists the visited paths
 * @param fixtures results that take precedence over recorded ones
 */
public record WalkRequest(
        boolean stopsAtDifference,
        boolean hasOtherEvent,
        Optional<InputEdit> edit,
        boolean listsVisited,
        OutsideCall.Listener calls,
        StepFixtures fixtures) {
    public record InputEdit(String path, JsonNode input) {}

    public static final WalkRequest COMPARE =
            new WalkRequest(true, false, Optional.empty(), false, _ -> {}, StepFixtures.NONE);

    public static WalkRequest following(Optional<InputEdit> edit, OutsideCall.Listener calls) {
        return new WalkRequest(false, false, edit, true, calls, StepFixtures.NONE);
    }

    public static WalkRequest rehearsing(OutsideCall.Listener calls) {
        return new WalkRequest(false, true, Optional.empty(), true, calls, StepFixtures.NONE);
    }

    /** A walk for an event of the trigger whose calls are answered by fixtures only. */
    public static WalkRequest testing(StepFixtures fixtures, OutsideCall.Listener calls) {
        return new WalkRequest(false, true, Optional.empty(), true, calls, fixtures);
    }
}
