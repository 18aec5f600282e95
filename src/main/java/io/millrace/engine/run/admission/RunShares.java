package io.millrace.engine.run.admission;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.github.benmanes.caffeine.cache.Ticker;
import io.millrace.authoring.flow.limit.FlowLimits;
import io.millrace.authoring.flow.limit.RunLimit;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.engine.run.RunWrite;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Shares of a run: of its flow, of the flows that limit the same connection (decision 0035), and of its project. Known
 * limits are cached in memory, so that a run whose flow and project are known never waits for the database here.
 */
public final class RunShares {
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final ConcurrencyLimiter slots;
    private final InstantSource clock;
    private final boolean limited;
    private final int usualLimit;
    private final LimitCache<List<ConcurrencyShare>> known = new LimitCache<>(id -> look(FlowId.parse(id)));
    private final LimitCache<ConcurrencyShare> projects = new LimitCache<>(this::lookAtProject);

    private record FlowId(String projectId, String flowId) {
        static FlowId parse(String text) {
            var slash = text.indexOf('/');
            return new FlowId(text.substring(0, slash), text.substring(slash + 1));
        }

        String text() {
            return projectId + "/" + flowId;
        }
    }

    /**
     * @param limited whether projects have a limit at all (AP_PROJECT_RATE_LIMITER_ENABLED)
     * @param usualLimit limit of a project without its own (AP_DEFAULT_CONCURRENT_JOBS_LIMIT)
     */
    public RunShares(Bus bus, ConcurrencyLimiter slots, InstantSource clock, boolean limited, int usualLimit) {
        this.bus = bus;
        this.slots = slots;
        this.clock = clock;
        this.limited = limited;
        this.usualLimit = usualLimit;
    }

    void open() {
        bus.on(FlowLimits.Changed.class, changed -> changed(changed.projectId()));
        bus.on(Projects.Changed.class, changed -> projects.lookAgain(changed.projectId(), slots::limitChanged));
        bus.on(Projects.Deleted.class, deleted -> projects.forget(deleted.projectId()));
    }

    boolean areKnown(RunWrite.RunHeader run) {
        return known.get(new FlowId(run.projectId(), run.flow().flowId()).text()) != null
                && (!limited || projects.get(run.projectId()) != null);
    }

    /** Runs an action with the shares of a run, from the narrowest to the widest: at once when they are known. */
    void whenKnown(RunWrite.RunHeader run, Consumer<Throwable> refused, Consumer<List<ConcurrencyShare>> action) {
        var flow = new FlowId(run.projectId(), run.flow().flowId()).text();
        if (!limited) {
            known.whenKnown(flow, refused, action);
            return;
        }
        known.whenKnown(
                flow,
                refused,
                narrow -> projects.whenKnown(run.projectId(), refused, wide -> {
                    var shares = new ArrayList<ConcurrencyShare>(narrow.size() + 1);
                    shares.addAll(narrow);
                    shares.add(wide);
                    action.accept(shares);
                }));
    }

    private Future<ConcurrencyShare> lookAtProject(String projectId) {
        return bus.ask(new Projects.ConcurrencyOf(projectId), LOOK_UP_DEADLINE_MS)
                .map(found -> new ConcurrencyShare(
                        found.poolId().orElse(projectId), found.limit().orElse(usualLimit)));
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

    /** Starts before this process began count too, unless another node counts them. */
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
     * New limits take effect at once. Runs that wait for a deleted limit of their flow start; those that wait for a
     * connection stay in its queue, because other flows may still limit it.
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

    /**
     * Cache of limits by their owner. An entry older than a minute is refreshed in the background of the first request,
     * which uses the cached value: no run waits for that, and none is refused because of it. Not thread-safe: confined
     * to one event loop.
     */
    static final class LimitCache<T> {
        private static final int KEPT_MAX = 10_000;

        /** Refresh interval, for changes whose notice this node missed. */
        private static final Duration LOOK_AGAIN_AFTER = Duration.ofMinutes(1);

        private final Function<String, Future<T>> look;
        private final LoadingCache<String, Future<T>> known;

        LimitCache(Function<String, Future<T>> look) {
            this(look, Ticker.systemTicker());
        }

        LimitCache(Function<String, Future<T>> look, Ticker ticker) {
            this.look = look;
            this.known = Caches.of("run.limits", KEPT_MAX)
                    .ticker(ticker)
                    .refreshAfterWrite(LOOK_AGAIN_AFTER)
                    .build(new Looking<>(look));
        }

        /** A failed refresh keeps the cached value. */
        private record Looking<T>(Function<String, Future<T>> look) implements CacheLoader<String, Future<T>> {
            @Override
            public Future<T> load(String id) {
                return look.apply(id);
            }

            @Override
            public CompletableFuture<Future<T>> asyncReload(String id, Future<T> known, Executor executor) {
                return look.apply(id)
                        .map(Future::succeededFuture)
                        .otherwise(known)
                        .toCompletionStage()
                        .toCompletableFuture();
            }
        }

        /**
         * Runs an action with the limits of an owner: at once when they are cached.
         *
         * @param refused called when they cannot be loaded: runs do not begin without known limits
         */
        void whenKnown(String id, Consumer<Throwable> refused, Consumer<T> action) {
            var found = known.getIfPresent(id);
            if (found == null || found.failed()) {
                found = look.apply(id);
                known.put(id, found);
            }
            if (found.succeeded()) {
                action.accept(found.result());
            } else {
                found.onSuccess(action::accept).onFailure(refused::accept);
            }
        }

        Set<String> ids() {
            return Set.copyOf(known.asMap().keySet());
        }

        /** Cached limit of an owner, or null. */
        T get(String id) {
            var found = known.getIfPresent(id);
            return found == null ? null : found.result();
        }

        /** Refreshes a limit at once, also for runs that wait already. */
        void lookAgain(String id, Consumer<T> changed) {
            if (known.asMap().containsKey(id)) {
                var found = look.apply(id);
                known.put(id, found);
                found.onSuccess(changed::accept);
            }
        }

        void forget(String id) {
            known.invalidate(id);
        }
    }
}
