package io.millrace.piece;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.piece.StepContext.StoreScope;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Polls a service that lists its items newest first: items before the remembered one are new (contract flows-and-engine
 * 18.5). The hooks of a trigger call the methods of the same names.
 */
public final class LastItemPolling {
    private static final String LAST_ITEM = "lastItem";
    private static final int SAMPLES_MAX = 5;

    private final Source source;
    private final OptionalInt itemsMax;

    public record IdentifiedItem(String id, JsonNode data) {}

    /** Source of items, newest first. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads items.
         *
         * @param lastItem the newest item seen so far; empty when there was none, and in a test
         */
        Future<List<IdentifiedItem>> items(TriggerContext context, Optional<String> lastItem);
    }

    /** @param itemsMax maximum number of items per poll, the oldest first; empty for all */
    public LastItemPolling(Source source, OptionalInt itemsMax) {
        this.source = source;
        this.itemsMax = itemsMax;
    }

    /** Starts with items that appear from now on; items that the same trigger saw earlier remain marked as seen. */
    public Future<Void> onEnable(TriggerContext context) {
        return context.storeGet(StoreScope.FLOW, LAST_ITEM)
                .compose(seen -> seen.isPresent() && context.isRepublish()
                        ? Future.succeededFuture()
                        : source.items(context, Optional.empty())
                                .compose(items -> context.storePut(StoreScope.FLOW, LAST_ITEM, newest(items))));
    }

    public Future<Void> onDisable(TriggerContext context) {
        return context.storeDelete(StoreScope.FLOW, LAST_ITEM);
    }

    /** The new items, newest first. */
    public Future<List<JsonNode>> run(TriggerContext context) {
        return context.storeGet(StoreScope.FLOW, LAST_ITEM).compose(stored -> {
            var lastItem = stored.map(JsonNode::textValue);
            return source.items(context, lastItem)
                    .compose(items -> items.isEmpty()
                            ? Future.succeededFuture(List.of())
                            : context.storePut(StoreScope.FLOW, LAST_ITEM, newest(items))
                                    .map(fresh(items, lastItem)));
        });
    }

    private List<JsonNode> fresh(List<IdentifiedItem> items, Optional<String> lastItem) {
        var known = lastItem.map(
                        id -> items.stream().map(IdentifiedItem::id).toList().indexOf(id))
                .orElse(-1);
        var fresh = known < 0 ? items : items.subList(0, known);
        var from = Math.max(0, fresh.size() - itemsMax.orElse(fresh.size()));
        return fresh.subList(from, fresh.size()).stream()
                .map(IdentifiedItem::data)
                .toList();
    }

    private static JsonNode newest(List<IdentifiedItem> items) {
        return items.isEmpty()
                ? NullNode.instance
                : TextNode.valueOf(items.getFirst().id());
    }

    public Future<List<JsonNode>> test(TriggerContext context) {
        return source.items(context, Optional.empty())
                .map(items -> items.stream()
                        .limit(SAMPLES_MAX)
                        .map(IdentifiedItem::data)
                        .toList());
    }
}
