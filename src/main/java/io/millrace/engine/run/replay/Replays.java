package io.millrace.engine.run.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.engine.run.Run;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

public sealed interface Replays {
    enum VersionChoice {
        ORIGINAL,
        PUBLISHED,
        DRAFT
    }

    /**
     * Iterations of the loops around a step.
     *
     * @param index iteration of the only loop; empty when the loops are named
     * @param byLoop iterations by the name of the loop
     */
    record LoopIterations(Optional<Integer> index, Map<String, Integer> byLoop) {
        static final LoopIterations NONE = new LoopIterations(Optional.empty(), Map.of());
    }

    /**
     * Steps that reach outside and are executed from the replayed step on.
     *
     * @param all every one; otherwise the named ones, and the others are answered from the record
     */
    record Effects(boolean all, Set<String> named) {}

    /**
     * Extent of a replay.
     *
     * @param input input that replaces the resolved one of the step
     */
    record Extent(
            String step, LoopIterations iterations, Optional<JsonNode> input, VersionChoice version, Effects effects) {}

    record Start(String runId, Extent extent, Principal by) implements Replays, BusRequest<Run> {}

    /** Lists the effects that a replay would have, without any. */
    record Rehearse(String runId, Extent extent) implements Replays, BusRequest<ObjectNode> {}
}
