package io.millrace.authoring.agent;

import io.millrace.authoring.flow.agent.FlowAgents;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Future;
import java.util.Optional;

/** Finds agents for flows: published ones that are visible to the whole project. */
public final class PublishedAgents implements FlowAgents {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final boolean saved;

    /**
     * Creates the lookup.
     *
     * @param saved true if saved agents are enabled (AP_AGENTS_ENABLED)
     */
    public PublishedAgents(Bus bus, boolean saved) {
        this.bus = bus;
        this.saved = saved;
    }

    @Override
    public Future<Optional<String>> objection(String projectId, String externalId) {
        return find(projectId, externalId)
                .map(_ -> Optional.<String>empty())
                .recover(failure -> failure instanceof ApiException refused && refused.code() == ErrorCode.VALIDATION
                        ? Future.succeededFuture(Optional.of(refused.text()))
                        : Future.failedFuture(failure));
    }

    /**
     * Finds an agent that flows of the project may run; fails with FEATURE_DISABLED, or with VALIDATION and the reason
     * why it cannot be run.
     */
    public Future<Agents.LiveAgent> find(String projectId, String externalId) {
        if (!saved) {
            return Future.failedFuture(ApiException.of(ErrorCode.FEATURE_DISABLED, "saved agents are switched off"));
        }
        return bus.ask(new Agents.FindPublished(projectId, externalId), DEADLINE_MS)
                .compose(found -> found.isEmpty()
                        ? refused("the agent " + externalId + " is not in this project, or not published")
                        : found.get().restricted()
                                ? refused("the agent " + externalId + " is not visible to the whole project")
                                : Future.succeededFuture(found.get()));
    }

    private static Future<Agents.LiveAgent> refused(String reason) {
        return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, reason));
    }
}
