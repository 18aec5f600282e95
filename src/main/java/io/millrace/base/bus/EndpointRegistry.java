package io.millrace.base.bus;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** The endpoints of this node by address. Thread-safe. */
final class EndpointRegistry {
    private final Map<String, List<Endpoint>> byAddress = new ConcurrentHashMap<>();
    private final AtomicInteger turn = new AtomicInteger();

    void add(String address, Endpoint endpoint) {
        byAddress.merge(
                address,
                List.of(endpoint),
                (there, added) -> Stream.concat(there.stream(), added.stream()).toList());
    }

    void remove(String address, Endpoint endpoint) {
        byAddress.computeIfPresent(address, (_, there) -> {
            var left = there.stream().filter(other -> !other.equals(endpoint)).toList();
            return left.isEmpty() ? null : left;
        });
    }

    List<Endpoint> all(String address) {
        return byAddress.getOrDefault(address, List.of());
    }

    /** The endpoint on the calling thread if there is one, otherwise round-robin; null when there is none. */
    Endpoint one(String address) {
        var endpoints = all(address);
        if (endpoints.size() < 2) {
            return endpoints.isEmpty() ? null : endpoints.getFirst();
        }
        for (var endpoint : endpoints) {
            if (endpoint.isHere()) {
                return endpoint;
            }
        }
        return endpoints.get(Math.floorMod(turn.getAndIncrement(), endpoints.size()));
    }
}
