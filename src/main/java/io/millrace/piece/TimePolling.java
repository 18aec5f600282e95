package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import io.millrace.piece.StepContext.StoreScope;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/**
 * Polls a service whose items have a time: those after the greatest time seen so far are new (contract flows-and-engine
 * 18.5). A trigger's hooks call the methods of the same names.
 */
public final class TimePolling {
    private static final String LAST_POLL = "lastPoll";
    private static final int SAMPLES_MAX = 5;

    private final Source source;
    private final InstantSource clock;

    public record TimedItem(long epochMs, JsonNode data) {}

    /** Source of items; the result may include items that are not new. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads items.
         *
         * @param lastPollMs greatest time seen so far; 0 in a test
         */
        Future<List<TimedItem>> items(TriggerContext context, long lastPollMs);
    }

    public TimePolling(Source source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Starts with items that appear from now on; items that the same trigger saw earlier remain marked as seen. */
    public Future<Void> onEnable(TriggerContext context) {
        return context.storeGet(StoreScope.FLOW, LAST_POLL)
                .compose(seen -> seen.isPresent() && context.isRepublish()
                        ? Future.succeededFuture()
                        : context.storePut(StoreScope.FLOW, LAST_POLL, LongNode.valueOf(clock.millis())));
    }

    public Future<Void> onDisable(TriggerContext context) {
        return context.storeDelete(StoreScope.FLOW, LAST_POLL);
    }

    /** The new items, in the order of the source. */
    public Future<List<JsonNode>> run(TriggerContext context) {
        return context.storeGet(StoreScope.FLOW, LAST_POLL)
                .map(seen -> seen.orElseThrow(() -> PieceFailure.of("lastPoll doesn't exist in the store."))
                        .asLong())
                .compose(lastPollMs ->
                        source.items(context, lastPollMs).compose(items -> remember(context, lastPollMs, items)));
    }

    private static Future<List<JsonNode>> remember(TriggerContext context, long lastPollMs, List<TimedItem> items) {
        var greatest = items.stream().mapToLong(TimedItem::epochMs).reduce(lastPollMs, Math::max);
        var fresh = items.stream()
                .filter(item -> item.epochMs() > lastPollMs)
                .map(TimedItem::data)
                .toList();
        return context.storePut(StoreScope.FLOW, LAST_POLL, LongNode.valueOf(greatest))
                .map(fresh);
    }

    public Future<List<JsonNode>> test(TriggerContext context) {
        return source.items(context, 0)
                .map(items ->
                        items.stream().limit(SAMPLES_MAX).map(TimedItem::data).toList());
    }
}
