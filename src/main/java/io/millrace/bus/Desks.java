package io.millrace.bus;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The desks of this node by what they serve. Safe for threads. */
final class Desks {
    private final Map<String, List<Desk>> byAddress = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();

    void add(String address, Desk desk) {
        byAddress.merge(
                address,
                List.of(desk),
                (there, added) -> Stream.concat(there.stream(), added.stream()).toList());
    }

    void remove(String address, Desk desk) {
        byAddress.computeIfPresent(address, (_, there) -> {
            var left = there.stream().filter(other -> !other.equals(desk)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    List<Desk> all(String address) {
        return byAddress.getOrDefault(address, List.of());
    }

    /** The one on the calling thread if there is one, otherwise each in turn; null when there is none. */
    Desk one(String address) {
        var desks = all(address);
        if (desks.size() < 2) {
            return desks.isEmpty() ? null : desks.getFirst();
        }
        for (var desk : desks) {
            if (desk.isHere()) {
                return desk;
            }
        }
        return desks.get(Math.floorMod(turn.getAndIncrement(), desks.size()));
    }
}
