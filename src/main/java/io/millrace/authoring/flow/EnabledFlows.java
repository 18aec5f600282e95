package io.millrace.authoring.flow;

import io.millrace.base.bus.Bus;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Function;

/**
 * Iterates over the enabled flows to warm caches. Processes one flow after another, so that the delay for other work is
 * short, and at most {@link #MOST}.
 */
public final class EnabledFlows {
    /** Fits into the caches of a shard with any heap size. */
    public static final int MOST = 500;

    private static final long LIST_DEADLINE_MS = 30_000;

    private final Bus bus;

    public EnabledFlows(Bus bus) {
        this.bus = bus;
    }

    /**
     * Visits each flow, last changed first. A flow whose visit fails is skipped.
     *
     * @param visit given the flow's id
     * @return number of successful visits
     */
    public Future<Integer> walk(Function<String, Future<?>> visit) {
        return bus.ask(new Flows.FindEnabled(MOST), LIST_DEADLINE_MS).compose(flowIds -> walk(flowIds, visit));
    }

    private static Future<Integer> walk(List<String> flowIds, Function<String, Future<?>> visit) {
        var done = Future.succeededFuture(0);
        for (var flowId : flowIds) {
            done = done.compose(count -> visit.apply(flowId).map(count + 1).otherwise(count));
        }
        return done;
    }
}
