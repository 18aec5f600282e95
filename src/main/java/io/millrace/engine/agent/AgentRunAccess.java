package io.millrace.engine.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.input.Fields;
import io.vertx.core.Future;
import java.util.Optional;

/**
 * Access to agent runs for other modules: the operations of the routes, for callers that have authorized the project access
 * themselves.
 */
public final class AgentRunAccess {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final AgentStarts starts;

    public AgentRunAccess(Bus bus, AgentStarts starts) {
        this.bus = bus;
        this.starts = starts;
    }

    /**
     * Starts a run; answers its id. Fails as the route does (contract agents 2.1).
     *
     * @param wanted as the body of a request has it
     * @param userId in whose name the agent acts
     */
    public Future<String> start(String projectId, String userId, ObjectNode wanted) {
        AgentRequest request;
        try {
            var fields = Fields.of("arguments", wanted).neverNull();
            request = AgentRequest.read(fields, starts.messagesMax())
                    .in(projectId, Optional.of(userId), Optional.empty());
            fields.done();
        } catch (ApiException malformed) {
            return Future.failedFuture(malformed);
        }
        return starts.start(request);
    }

    /** Requests the cancellation of a run of a project; fails with ENTITY_NOT_FOUND. */
    public Future<?> cancel(String projectId, String id) {
        return bus.ask(new AgentRunRows.Cancel(projectId, id), DEADLINE_MS);
    }

    /** Finds a run of a project with its result, or with its records so far; fails with ENTITY_NOT_FOUND. */
    public Future<JsonNode> find(String projectId, String id) {
        return bus.ask(new AgentRunRows.ProjectOf(id), DEADLINE_MS)
                .compose(owner -> owner.equals(projectId)
                        ? bus.ask(new AgentRunRows.Get(id, Optional.empty()), DEADLINE_MS)
                        : Future.failedFuture(ApiException.notFound("agent_run", id)));
    }
}
