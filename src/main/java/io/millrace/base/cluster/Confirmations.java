package io.millrace.base.cluster;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Nodes with outstanding confirmations of a request. Confined to one event loop. */
final class Confirmations {
    private final Map<Long, Pending> pending = new HashMap<>();
    private long numbers;

    private record Pending(Set<String> missing, Promise<Void> promise) {}

    record PendingConfirmation(long number, Future<Void> done) {}

    /** @param nodes that have to confirm; at least one */
    PendingConfirmation expect(Collection<String> nodes) {
        var promise = Promise.<Void>promise();
        pending.put(++numbers, new Pending(new HashSet<>(nodes), promise));
        return new PendingConfirmation(numbers, promise.future());
    }

    void confirmed(String node, long number) {
        var asked = pending.get(number);
        if (asked != null && asked.missing().remove(node) && asked.missing().isEmpty()) {
            pending.remove(number);
            asked.promise().complete();
        }
    }

    void forget(long number) {
        pending.remove(number);
    }
}
