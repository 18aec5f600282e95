package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.Page;
import io.millrace.base.core.PageRequest;
import io.millrace.engine.agent.machine.AgentState;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What one may ask of the rows of agent runs, and what is announced of them. Answered by {@link AgentRunService}. */
sealed interface AgentRunRows {
    /** Passes, or fails with VALIDATION when the project has started too many in the last minute. */
    record Admit(String projectId) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * Accepts a run, durably; answers its id, which is that of an earlier one for the same waitpoint. Fails with VALIDATION
     * when the project has started too many in the last minute.
     */
    record Accept(AgentRun run, AgentWork work) implements AgentRunRows, BusRequest<String> {}

    /**
     * Takes up runs that nobody works on, with all that is recorded of them.
     *
     * @param underWay runs that this node works on
     */
    record Claim(int limit, List<String> underWay) implements AgentRunRows, BusRequest<List<AgentRun.Taken>> {}

    /**
     * Records where a run stands, and what has happened before that.
     *
     * @param result null unless the run has ended
     * @return false when another node has taken the run over
     */
    record Advance(String id, long fence, AgentState state, Optional<AgentRun.Entry> entry, ObjectNode result)
            implements AgentRunRows, BusRequest<Boolean> {}

    /** The result has been handed over, or nobody waits for it. */
    record Delivered(String id, long fence) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * Whether the runs of a node shall go on; a run that was deleted is missing in the answer.
     *
     * @param fences number of this node's claim, by the id of the run
     */
    record Look(Map<String, Long> fences) implements AgentRunRows, BusRequest<Map<String, Standing>> {
        public Look {
            fences = Map.copyOf(fences);
        }
    }

    /** How a run that is worked on stands. */
    enum Standing {
        GOES_ON,
        /** Somebody has cancelled it, or the flow run that waits for it has ended. */
        CANCELLED,
        /** Another node has taken it over, or it was deleted. */
        LOST
    }

    /** Wants a run to end; fails with ENTITY_NOT_FOUND. */
    record Cancel(String projectId, String id) implements AgentRunRows, BusRequest<Nothing> {}

    /**
     * One run with its result, or with what is recorded so far; fails with ENTITY_NOT_FOUND.
     *
     * @param ofProject empty for any run, else one of a saved agent in that project only
     */
    record Get(String id, Optional<String> ofProject) implements AgentRunRows, BusRequest<JsonNode> {}

    /** A run with all that is recorded of it; fails with ENTITY_NOT_FOUND. */
    record Trace(String id) implements AgentRunRows, BusRequest<Traced> {}

    /** A run as it stands. */
    record Traced(AgentRun run, List<AgentRun.Entry> entries) {}

    /** The project of a run; fails with ENTITY_NOT_FOUND. */
    record ProjectOf(String id) implements AgentRunRows, BusRequest<String> {}

    /** Runs of a saved agent, newest first. */
    record Find(String projectId, String agentId, PageRequest page)
            implements AgentRunRows, BusRequest<Page<JsonNode>> {}

    /** There is a run to be taken up, by whoever has room for it. */
    record Accepted(String id) implements AgentRunRows, ClusterNotice {}

    /** Something more is recorded of a run; those who follow it look at the rows. */
    record Recorded(String id) implements AgentRunRows, ClusterNotice {
        @Override
        public Optional<String> topic() {
            return Optional.of(topicOf(id));
        }
    }

    /** What whoever follows a run watches. */
    static String topicOf(String id) {
        return "agent run " + id;
    }

    /** Somebody has cancelled a run. */
    record Cancelled(String id) implements AgentRunRows, ClusterNotice {}
}
