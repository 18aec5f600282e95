package io.millrace.engine.run;

import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Limits that have been looked up, by whose they are. Not thread safe: lives on one event loop. */
final class KnownLimits<T> {
    private static final int KEPT_MAX = 10_000;

    private final Function<String, Future<T>> look;
    private final Map<String, Future<T>> known = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Future<T>> eldest) {
            return size() > KEPT_MAX;
        }
    };

    KnownLimits(Function<String, Future<T>> look) {
        this.look = look;
    }

    /**
     * Does something with the limits of an owner: at once when they are known.
     *
     * @param refused called when they cannot be found out: nothing begins as if there were none
     */
    void whenKnown(String id, Consumer<Throwable> refused, Consumer<T> action) {
        var found = known.get(id);
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

    /** Those who are known by now. */
    Set<String> ids() {
        return Set.copyOf(known.keySet());
    }

    /** What is known of an owner, or null. */
    T get(String id) {
        var found = known.get(id);
        return found == null ? null : found.result();
    }

    /** New limits take effect at once, for those who wait already too. */
    void lookAgain(String id, Consumer<T> changed) {
        if (known.containsKey(id)) {
            var found = look.apply(id);
            known.put(id, found);
            found.onSuccess(changed::accept);
        }
    }

    void forget(String id) {
        known.remove(id);
    }
}
