package io.millrace.engine.run.admission;

import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.authoring.flow.limit.RunLimit;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunWrite;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What runs share with others of their flow, or of the flows that limit the same connection (decision 0035). */
public final class FlowShares {
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final ConcurrencyLimiter slots;
    private final InstantSource clock;
    private final KnownLimits<List<ConcurrencyShare>> known = new KnownLimits<>(id -> look(FlowId.parse(id)));

    /** A flow and its project as one text. */
    private record FlowId(String projectId, String flowId) {
        static FlowId parse(String text) {
            var slash = text.indexOf('/');
            return new FlowId(text.substring(0, slash), text.substring(slash + 1));
        }

        String text() {
            return projectId + "/" + flowId;
        }
    }

    public FlowShares(Bus bus, ConcurrencyLimiter slots, InstantSource clock) {
        this.bus = bus;
        this.slots = slots;
        this.clock = clock;
    }

    /** Hears of changed limits on the current context. */
    void open() {
        bus.on(FlowLimits.Changed.class, changed -> changed(changed.projectId()));
    }

    /** Does something with the shares of a run's flow, from the narrowest to the widest: at once when they are known. */
    void whenKnown(RunWrite.RunHeader header, Consumer<Throwable> refused, Consumer<List<ConcurrencyShare>> action) {
        known.whenKnown(new FlowId(header.projectId(), header.flowId()).text(), refused, action);
    }

    private Future<List<ConcurrencyShare>> look(FlowId id) {
        return bus.ask(new FlowLimits.FindInForce(id.flowId()), LOOK_UP_DEADLINE_MS)
                .compose(found -> {
                    var shares = new ArrayList<ConcurrencyShare>();
                    var remembered = new ArrayList<Future<Void>>();
                    found.flow().ifPresent(limit -> {
                        var share = share("flow:" + id.flowId(), limit);
                        shares.add(share);
                        remembered.add(remember(share, List.of(id.flowId())));
                    });
                    for (var connection : found.connections()) {
                        var key = "connection:" + id.projectId() + "/" + connection.externalId();
                        var share = share(key, connection.limit());
                        shares.add(share);
                        remembered.add(remember(share, connection.flowIds()));
                    }
                    return Future.all(remembered).map(List.copyOf(shares));
                });
    }

    private static ConcurrencyShare share(String key, RunLimit limit) {
        var pace = limit.pace().map(given -> new StartRateLimit(given.starts(), given.periodSeconds() * 1_000L));
        return new ConcurrencyShare(key, limit.concurrentRuns().orElse(Integer.MAX_VALUE), pace);
    }

    /** What started before this process did counts too, unless another node counts it. */
    private Future<Void> remember(ConcurrencyShare share, List<String> flowIds) {
        if (share.pace().isEmpty()) {
            return Future.succeededFuture();
        }
        var pace = share.pace().get();
        return bus.ask(new PermitClaims.AreCounted(PermitKey.ofStarts(share.key())), LOOK_UP_DEADLINE_MS)
                .compose(areCounted -> areCounted
                        ? Future.succeededFuture(List.<Instant>of())
                        : bus.ask(
                                new RecentStarts(flowIds, clock.instant().minusMillis(pace.periodMs()), pace.starts()),
                                LOOK_UP_DEADLINE_MS))
                .map(starts -> {
                    slots.remember(
                            share, starts.stream().map(Instant::toEpochMilli).toList());
                    return null;
                });
    }

    /**
     * New limits take effect at once. Those who wait for a limit of their flow that is gone begin; those who wait for a
     * connection go on in its line, because other flows may limit it still.
     */
    private void changed(String projectId) {
        for (var text : known.ids()) {
            var id = FlowId.parse(text);
            if (id.projectId().equals(projectId)) {
                var before = known.get(text);
                known.lookAgain(text, shares -> changed(id, before == null ? List.of() : before, shares));
            }
        }
    }

    private void changed(FlowId id, List<ConcurrencyShare> before, List<ConcurrencyShare> shares) {
        var own = "flow:" + id.flowId();
        var isFree = shares.stream().noneMatch(share -> share.key().equals(own));
        before.stream()
                .filter(share -> isFree && share.key().equals(own))
                .forEach(share -> slots.limitChanged(share.unlimited()));
        shares.forEach(slots::limitChanged);
    }
}
