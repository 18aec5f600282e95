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
    /** As many as a shard has room for in any heap. */
    public static final int MOST = 500;

    private static final long LIST_DEADLINE_MS = 30_000;

    private final Bus bus;

    public EnabledFlows(Bus bus) {
        this.bus = bus;
    }

    /**
     * Does something with each flow, those changed last first. A flow with which it fails is passed over.
     *
     * @param visit given the flow's id
     * @return with how many flows it succeeded
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
