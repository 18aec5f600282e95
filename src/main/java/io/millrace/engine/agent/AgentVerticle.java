package io.millrace.engine.agent;

import io.millrace.base.bus.Bus;
import io.millrace.base.net.Fence;
import io.millrace.base.net.OutboundHttp;
import io.millrace.base.persistence.OutageRetry;
import io.millrace.engine.agent.machine.AgentEvent;
import io.millrace.engine.run.RunShards;
import io.millrace.engine.run.journal.RunMemory;
import io.millrace.engine.run.step.SingleActions;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.model.Models;
import io.millrace.workspace.web.WebTools;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes agent runs, including runs of dead nodes, up to the configured concurrency, with one actor per run. Runs left
 * unfinished at the stop of a server are claimed by another node, or after the next start.
 */
public final class AgentVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(AgentVerticle.class);

    static final long ASK_DEADLINE_MS = 30_000;

    private static final long ROUND_MS = 2_000;
    private static final Duration RUN_MAX = Duration.ofHours(2);

    private final Parts parts;
    private final Map<String, AgentActor> actors = new HashMap<>();
    private AgentActor.Parts ofActors;
    private boolean claiming;
    private boolean claimAgain;
    private boolean stopped;

    /**
     * Dependencies and limits.
     *
     * @param leases makes the fence of the lease's present term
     */
    public record Parts(
            Bus bus,
            Models models,
            ToolSources tools,
            RunShards shards,
            Limits limits,
            Supplier<Fence> leases,
            InstantSource clock) {
        /**
         * Limits of agent runs on this node.
         *
         * @param atOnce runs that this node executes concurrently (AP_AGENT_CONCURRENCY)
         * @param flowTimeout longest wait for a flow that is called as a tool
         * @param memory of the live runs of this node, which agent runs share
         * @param crashesMax crashes of servers after which a run is set aside (AP_RUN_CRASH_RECOVERIES_MAX)
         */
        public record Limits(int atOnce, Duration flowTimeout, RunMemory memory, int crashesMax) {}

        public record ToolSources(PieceCatalogue pieces, SingleActions actions, OutboundHttp outbound, WebTools web) {}
    }

    public AgentVerticle(Parts parts) {
        this.parts = parts;
    }

    @Override
    public Future<?> start() {
        ofActors = actorParts(delayMs -> vertx.timer(delayMs).mapEmpty());
        parts.bus().on(AgentRunRows.Accepted.class, _ -> claim());
        parts.bus().on(AgentRunRows.Cancelled.class, notice -> tell(notice.id(), new AgentEvent.Cancel()));
        vertx.setPeriodic(ROUND_MS, _ -> round());
        claim();
        return Future.succeededFuture();
    }

    private AgentActor.Parts actorParts(LongFunction<Future<Void>> timer) {
        return new AgentActor.Parts(
                parts.bus(),
                parts.models(),
                new AgentToolbox(
                        parts.bus(),
                        parts.tools().pieces(),
                        parts.tools().outbound(),
                        parts.tools().web()),
                new AgentCalls(
                        parts.bus(),
                        parts.tools().pieces(),
                        parts.tools().actions(),
                        parts.tools().outbound(),
                        parts.tools().web(),
                        parts.limits().flowTimeout()),
                new AgentDelivery(parts.bus(), parts.shards(), timer),
                new AgentActor.Parts.Time(timer, parts.clock()),
                parts.leases(),
                new OutageRetry(timer));
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        List.copyOf(actors.values()).forEach(AgentActor::leave);
        return Future.succeededFuture();
    }

    private void tell(String id, AgentEvent event) {
        var actor = actors.get(id);
        if (actor != null) {
            actor.tell(event);
        }
    }

    private void round() {
        List.copyOf(actors.values()).forEach(actor -> {
            if (isOverdue(actor)) {
                actor.tell(new AgentEvent.TimePassed());
            }
        });
        lookAll();
        claim();
    }

    private boolean isOverdue(AgentActor actor) {
        return actor.created().isBefore(endsBefore());
    }

    private Instant endsBefore() {
        return parts.clock().instant().minus(RUN_MAX);
    }

    private void lookAll() {
        if (actors.isEmpty()) {
            return;
        }
        var looked = Map.copyOf(actors);
        var fences = new HashMap<String, Long>();
        looked.forEach((id, actor) -> fences.put(id, actor.fence()));
        parts.bus()
                .ask(new AgentRunRows.Look(fences), ASK_DEADLINE_MS)
                .onSuccess(standings -> looked.forEach((id, actor) -> {
                    switch (standings.getOrDefault(id, AgentRunRows.Standing.LOST)) {
                        case GOES_ON -> {}
                        case CANCELLED -> actor.tell(new AgentEvent.Cancel());
                        case LOST -> actor.leave();
                    }
                }))
                .onFailure(cause -> LOG.debug("cannot advance agent runs, retrying", cause));
    }

    private void claim() {
        if (stopped) {
            return;
        }
        if (claiming) {
            claimAgain = true;
            return;
        }
        if (actors.size() >= parts.limits().atOnce() || parts.limits().memory().isFull()) {
            return;
        }
        claiming = true;
        parts.bus()
                .ask(
                        new AgentRunRows.Claim(
                                List.copyOf(actors.keySet()),
                                endsBefore(),
                                parts.limits().crashesMax()),
                        ASK_DEADLINE_MS)
                .onSuccess(found -> found.ifPresent(claimed -> {
                    begin(claimed);
                    claimAgain = true;
                }))
                .onFailure(cause -> LOG.warn("cannot look for agent runs, retrying: {}", cause.getMessage()))
                .onComplete(_ -> {
                    claiming = false;
                    if (claimAgain) {
                        claimAgain = false;
                        claim();
                    }
                });
    }

    private void begin(AgentRun.ClaimedRun claimed) {
        if (stopped) {
            return;
        }
        var actor = new AgentActor(
                ofActors,
                new AgentActor.Bounds(parts.limits().memory(), parts.limits().crashesMax()),
                claimed);
        actors.put(actor.id(), actor);
        actor.start(() -> isOverdue(actor)).onComplete(_ -> {
            actors.remove(actor.id());
            claim();
        });
    }
}
