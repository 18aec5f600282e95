package io.millrace.authoring.table;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.authoring.table.event.EventStore;
import io.millrace.authoring.table.event.RecordEvent;
import io.millrace.authoring.table.event.RecordListeners;
import io.millrace.authoring.table.event.WebhookStore;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Publishes changes of records, in the transaction of the change: to flows with a table trigger, and to webhooks. */
final class RecordEventPublisher {
    private final RecordListeners listeners;
    private final WebhookStore webhooks = new WebhookStore();
    private final EventStore events = new EventStore();

    RecordEventPublisher(RecordListeners listeners) {
        this.listeners = listeners;
    }

    /** Records, and whether the commit creates runs to start. */
    record PublishResult(List<TableRecord> records, boolean hasRuns) {
        static PublishResult nothing(List<TableRecord> records) {
            return new PublishResult(records, false);
        }
    }

    /**
     * Publishes an event for each record.
     *
     * @param repeatKey the same when the change is repeated after a crash; empty for a change without repetition
     */
    Future<PublishResult> tell(
            Tx tx, Table table, RecordEvent event, List<TableRecord> records, Optional<String> repeatKey, Instant now) {
        if (records.isEmpty()) {
            return Future.succeededFuture(PublishResult.nothing(records));
        }
        var told = records.stream().map(TableRecord::toJson).toList();
        return listeners
                .deliver(tx, table.id(), event, told)
                .compose(runs -> webhooks.flowsHearing(tx, table.id(), event)
                        .compose(flows -> events.insert(tx, events(flows, event, told, repeatKey, now)))
                        .map(new PublishResult(records, runs > 0)));
    }

    private static List<EventStore.Pending> events(
            List<String> flows, RecordEvent event, List<ObjectNode> records, Optional<String> repeatKey, Instant now) {
        var pending = new ArrayList<EventStore.Pending>();
        for (var record : records) {
            for (var flowId : flows) {
                var recordId = record.path("id").asText();
                var id = repeatKey
                        .map(key -> Hashes.id(String.join(":", key, recordId, event.name(), flowId)))
                        .orElseGet(() -> Ids.nextAt(now));
                pending.add(new EventStore.Pending(id, flowId, record, now));
            }
        }
        return pending;
    }

    /** Starts the runs after the commit. */
    Future<List<TableRecord>> told(Future<PublishResult> committed) {
        return committed.map(told -> {
            if (told.hasRuns()) {
                listeners.wake();
            }
            return told.records();
        });
    }
}
