package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import io.millrace.engine.agent.machine.AgentState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages and notices about the rows of agent runs, handled by {@link AgentRunService}. */
sealed interface AgentRunRows {
    /** Passes, or fails with VALIDATION when the project has started too many in the last minute. */
    record Admit(String projectId) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * Accepts a run, durably; answers its id, which is that of an earlier one for the same waitpoint. Fails with VALIDATION
     * when the project has started too many in the last minute.
     */
    record Accept(AgentRun run, AgentWork work) implements AgentRunRows, BusRequest<String> {}

    /**
     * Claims the oldest run without an owner, with its records. One at a time: the records of each are charged to the node's
     * memory before those of the next are read.
     *
     * @param underWay runs that this node already owns
     * @param endsBefore runs created before this time end without another turn, as do those with more crashes: only the first
     *     of their records are read
     */
    record Claim(List<String> underWay, Instant endsBefore, int crashesMax)
            implements AgentRunRows, BusRequest<Optional<AgentRun.ClaimedRun>> {}

    /**
     * Records the state of a run and the event that led to it.
     *
     * @param result null unless the run has ended
     * @return false when another node owns the run
     */
    record Advance(String id, long fence, AgentState state, Optional<AgentRun.Entry> entry, ObjectNode result)
            implements AgentRunRows, BusRequest<Boolean> {}

    /** Marks the result as delivered, or as not awaited by any step. */
    record Delivered(String id, long fence) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * Looks up whether the runs of a node may continue; a deleted run is missing in the answer.
     *
     * @param fences fence of this node's claim, by the id of the run
     */
    record Look(Map<String, Long> fences) implements AgentRunRows, BusRequest<Map<String, Standing>> {
        public Look {
            fences = Map.copyOf(fences);
        }
    }

    enum Standing {
        GOES_ON,
        /** A user has canceled it, or the flow run that waits for it has ended. */
        CANCELLED,
        /** Another node owns it, or it was deleted. */
        LOST
    }

    /** Requests the cancellation of a run; fails with ENTITY_NOT_FOUND. */
    record Cancel(String projectId, String id) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * Reads a run with its result, or with its records so far; fails with ENTITY_NOT_FOUND.
     *
     * @param ofProject empty for any run, else one of a saved agent in that project only
     */
    record Get(String id, Optional<String> ofProject) implements AgentRunRows, BusRequest<JsonNode> {}

    /** A run with all that is recorded of it; fails with ENTITY_NOT_FOUND. */
    record Trace(String id) implements AgentRunRows, BusRequest<AgentRunTrace> {}

    record AgentRunTrace(AgentRun run, List<AgentRun.Entry> entries) {}

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements AgentRunRows, BusRequest<String> {}

    /** Runs of a saved agent, newest first. */
    record Find(String projectId, String agentId, PageRequest page)
            implements AgentRunRows, BusRequest<Page<JsonNode>> {}

    /** A run was accepted; any node with free capacity may claim it. */
    record Accepted(String id) implements AgentRunRows, ClusterNotice {}

    /** A run has a new record; its subscribers read the rows. */
    record Recorded(String id) implements AgentRunRows, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(id));
        }
    }

    static String topicOf(String id) {
        return "agent run " + id;
    }

    record Cancelled(String id) implements AgentRunRows, ClusterNotice {}
}
