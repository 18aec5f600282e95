package io.millrace.engine.action;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.run.RunStatus;
import java.util.List;
import java.util.Optional;

/** Messages and notices about runs of single actions. Handled by {@link ActionRunService}. */
public sealed interface ActionRuns {
    /**
     * Starts a run, durably. Fails with ENTITY_NOT_FOUND for an unknown piece, version, action or connection, with
     * INVALID_INPUT for wrong inputs, with VALIDATION for a connection of another piece, with IDEMPOTENCY_KEY_REUSED for
     * a key of a different request, and with TOO_MANY_REQUESTS when too many runs of the project are waiting.
     *
     * @param userId user who starts it; empty for an API key
     * @param key idempotency key; a repeated start answers the first run
     */
    record Start(
            String platformId,
            String projectId,
            Optional<String> userId,
            ActionCall action,
            ActionRun.Origin origin,
            Optional<Integer> timeoutSeconds,
            ActionRun.OnCrash onCrash,
            Optional<String> key)
            implements ActionRuns, BusRequest<ActionRun.Details> {
        /**
         * Action and its input.
         *
         * @param pieceVersion exact; empty for the newest
         */
        public record ActionCall(
                String pieceName,
                Optional<String> pieceVersion,
                String name,
                ObjectNode input,
                Optional<String> connection) {}

        @Override
        public String toString() {
            return "Start[" + action.pieceName() + ", " + action.name() + "]";
        }
    }

    /** Waits for the end of a run, and answers its state then or at the timeout. Fails with ENTITY_NOT_FOUND. */
    record Await(String id, long timeoutMs) implements ActionRuns, BusRequest<ActionRun.Details> {}

    /** A run with its input and output; fails with ENTITY_NOT_FOUND. */
    record Get(String id) implements ActionRuns, BusRequest<ActionRun.Details> {}

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements ActionRuns, BusRequest<String> {}

    /** Runs of a project, newest first. */
    record Find(
            String projectId,
            Optional<String> pieceName,
            Optional<String> actionName,
            Optional<RunStatus> status,
            PageRequest page)
            implements ActionRuns, BusRequest<Page<ActionRun>> {}

    /**
     * Claims runs without a live owner.
     *
     * @param underWay runs that this node executes
     */
    record Claim(int limit, List<String> underWay) implements ActionRuns, BusRequest<List<ClaimedRun>> {
        public Claim {
            underWay = List.copyOf(underWay);
        }
    }

    /**
     * A run that this node owns.
     *
     * @param input empty when the stored input cannot be read
     * @param fence number of claims; a result under an older number is discarded
     */
    record ClaimedRun(ActionRun run, String platformId, Optional<ObjectNode> input, long fence) {
        @Override
        public String toString() {
            return "ClaimedRun[" + run.id() + "]";
        }
    }

    /**
     * Records the end of a run; answers false when another node owns it.
     *
     * @param output null without an output
     * @param errorMessage null for a run that succeeded
     * @param log JSON text of the fields of a step's log; empty without a line
     */
    record Finish(String id, long fence, RunStatus status, JsonNode output, String errorMessage, Optional<String> log)
            implements ActionRuns, BusRequest<Boolean> {
        @Override
        public String toString() {
            return "Finish[" + id + ", " + status + "]";
        }
    }

    /** Deletes runs whose retention has passed; answers their number. */
    record DropExpired() implements ActionRuns, BusRequest<Integer> {}

    /** A run was accepted; any node with free capacity may claim it. */
    record Accepted(String id) implements ActionRuns, ClusterNotice {}

    record Ended(String id) implements ActionRuns, ClusterNotice {}

    static List<Class<? extends ClusterNotice>> notices() {
        return List.of(Accepted.class, Ended.class);
    }
}
