package io.millrace.engine.run.plan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import io.millrace.authoring.flow.EnabledFlows;
import io.millrace.authoring.flow.Flows;
import io.millrace.authoring.flow.step.CodeStep;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.bus.Bus;
import io.millrace.base.cache.Caches;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.HeapRoom;
import io.millrace.base.core.memory.JsonWeight;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The compiled flow versions of a shard, in an LRU cache. A locked version never changes; a draft is compiled again
 * when it has changed since.
 */
public final class CompiledFlows {
    /** Divisor of the heap: an entry can be compiled again, in a thousandth of a second with two reads. */
    private static final int HEAP_SHARE = 16;

    /** Lower bound of the cache; flows compiled in advance fit into any heap. */
    private static final long BYTES_MIN = 16L << 20;

    /** Size of a flow without its steps; also the size counted for one that is not compiled yet. */
    private static final int FLOW_BYTES = 2 * 1024;

    /**
     * Entries do not become stale; long enough for the first call of a day to find the version compiled the day before.
     */
    private static final Duration KEPT_FOR = Duration.ofHours(25);

    /** A missing piece may become available at any moment: from a registry that was unreachable, or by another node. */
    private static final Duration INCOMPLETE_KEPT_FOR = Duration.ofMinutes(1);

    /** A built-in piece substitutes a pinned version, which is less urgent. */
    private static final Duration STOOD_IN_KEPT_FOR = Duration.ofHours(1);

    private static final long LOAD_DEADLINE_MS = 30_000;
    private static final long PROVIDE_DEADLINE_MS = 300_000;

    private final Bus bus;
    private final PlanCompiler compiler;
    private final Cache<String, CacheEntry> entries;

    /** @param bytes approximate size */
    private record CacheEntry(Instant updated, Future<CompiledFlow> flow, int bytes, Duration keptFor) {}

    public CompiledFlows(Bus bus, PlanCompiler compiler) {
        this(bus, compiler, Ticker.systemTicker());
    }

    CompiledFlows(Bus bus, PlanCompiler compiler, Ticker ticker) {
        this.bus = bus;
        this.compiler = compiler;
        this.entries = Caches.counted("run.compiled-flows")
                .maximumWeight(bytesMax(HeapRoom.bytesMax()))
                .weigher((String _, CacheEntry compiled) -> compiled.bytes())
                .expireAfter(Expiry.writing((String _, CacheEntry compiled) -> compiled.keptFor()))
                .ticker(ticker)
                .build();
    }

    /** Approximate limit in bytes of all compiled flows for a heap of this size. */
    static long bytesMax(long heapBytes) {
        return Math.max(BYTES_MIN, heapBytes / HEAP_SHARE);
    }

    /**
     * The compiled version.
     *
     * @param updated time of the version's last change as the caller knows it; null when any will do
     */
    public Future<CompiledFlow> of(String flowVersionId, Instant updated, String projectId) {
        var entry = entries.getIfPresent(flowVersionId);
        if (entry != null
                && (updated == null || updated.equals(entry.updated()))
                && !entry.flow().failed()) {
            // A completed future is bound to no context, and neither are the futures derived from it.
            return entry.flow().succeeded()
                    ? Future.succeededFuture(entry.flow().result())
                    : entry.flow();
        }
        var scopeOf = new AtomicReference<PieceScope>();
        var loaded = bus.ask(new Flows.GetVersion(flowVersionId), LOAD_DEADLINE_MS);
        var flow = loaded.compose(version -> bus.ask(new Flows.PieceScopeOf(version.flowId()), LOAD_DEADLINE_MS)
                .compose(scope -> {
                    scopeOf.set(scope);
                    return provided(version, scope)
                            .compose(_ -> isPublished(version))
                            .compose(published -> compiler.compile(version, projectId, scope, published));
                }));
        var begun = new CacheEntry(updated, flow, FLOW_BYTES, KEPT_FOR);
        entries.put(flowVersionId, begun);
        flow.onSuccess(_ -> {
            var version = loaded.result();
            var made = new CacheEntry(updated, flow, bytesOf(version), keptFor(version, scopeOf.get(), flow.result()));
            entries.asMap().replace(flowVersionId, begun, made);
        });
        return flow;
    }

    /** Only code steps have packages to install. */
    private Future<Boolean> isPublished(FlowVersion version) {
        return version.state() == VersionState.LOCKED
                        && version.steps().steps().stream().anyMatch(CodeStep.class::isInstance)
                ? bus.ask(new Flows.IsPublished(version.flowId(), version.id()), LOAD_DEADLINE_MS)
                : Future.succeededFuture(true);
    }

    private Duration keptFor(FlowVersion version, PieceScope scope, CompiledFlow compiled) {
        if (compiler.lacksAPiece(scope, version) || lacksAProgram(compiled)) {
            return INCOMPLETE_KEPT_FOR;
        }
        return compiler.missing(scope, version).isEmpty() ? KEPT_FOR : STOOD_IN_KEPT_FOR;
    }

    /** A registry that was unreachable may have the packages of a step later. */
    private static boolean lacksAProgram(CompiledFlow compiled) {
        return compiled.steps().stream()
                .anyMatch(step -> step.work() instanceof CompiledFlow.Work.OfCode(var program, var _)
                        && program.compileError().isPresent());
    }

    /** A tree of its steps takes about as much as the compiled steps. */
    private static int bytesOf(FlowVersion version) {
        var steps = JsonWeight.of(Json.bytes(version.steps().toJson()));
        return Math.toIntExact(Math.min(Integer.MAX_VALUE, FLOW_BYTES + steps));
    }

    /**
     * Compiles the published versions of enabled flows in advance, after the installed pieces are known: their change
     * would invalidate earlier results.
     *
     * @param ready receives each compiled flow
     * @return number of compiled flows
     */
    public Future<Integer> expect(Consumer<CompiledFlow> ready) {
        return bus.ask(new Pieces.AwaitLoad(), PROVIDE_DEADLINE_MS)
                .compose(_ ->
                        new EnabledFlows(bus).walk(flowId -> published(flowId).onSuccess(ready::accept)));
    }

    private Future<CompiledFlow> published(String flowId) {
        return bus.ask(new Flows.FindTarget(flowId), LOAD_DEADLINE_MS).compose(target -> {
            var version = target.published().orElse(target.latest());
            return of(version.id(), version.updated(), target.projectId());
        });
    }

    private Future<Void> provided(FlowVersion version, PieceScope scope) {
        var ready = Future.<Void>succeededFuture();
        for (var pin : compiler.missing(scope, version)) {
            ready = ready.compose(
                    _ -> bus.ask(new Pieces.Provide(scope, pin.name(), pin.version()), PROVIDE_DEADLINE_MS)
                            .<Void>mapEmpty()
                            .otherwiseEmpty());
        }
        return ready;
    }

    /** A piece was installed or removed. */
    public void forgetAll() {
        entries.invalidateAll();
    }
}
