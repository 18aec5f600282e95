package io.millrace.base.cluster;

import io.millrace.base.bus.Bus;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Topics watched at each node, so that frequent notices travel only to nodes with a subscriber. Each node announces its
 * topics every few seconds; an announcement expires. Confined to one event loop, except for the topics of other nodes.
 */
public final class Topics {
    static final long SAID_EVERY_MS = 2_000;
    private static final long BELIEVED_NANOS = 10_000_000_000L;

    /** Time after which every node has announced its topics; until then any topic may be watched. */
    private static final long UNHEARD_NANOS = 5_000_000_000L;

    private final LongSupplier nanoTime;
    private final long begun;
    private final Map<String, Integer> here = new HashMap<>();
    private final Map<String, Said> elsewhere = new HashMap<>();
    private volatile Set<String> watched = Set.of();

    private record Said(Set<String> topics, long until) {}

    Topics(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.begun = nanoTime.getAsLong();
    }

    public static Bus.OpenEndpoint watch(Bus bus, String topic) {
        bus.publishHere(new Cluster.Watch(topic, true));
        return () -> bus.publishHere(new Cluster.Watch(topic, false));
    }

    /** True if the set of topics of this node has changed. */
    boolean change(Cluster.Watch watch) {
        var count = here.merge(watch.topic(), watch.begins() ? 1 : -1, Integer::sum);
        if (count <= 0) {
            here.remove(watch.topic());
        }
        return watch.begins() ? count == 1 : count <= 0;
    }

    Set<String> here() {
        return Set.copyOf(here.keySet());
    }

    void said(String node, Set<String> topics) {
        elsewhere.put(node, new Said(topics, nanoTime.getAsLong() + BELIEVED_NANOS));
        forgetOld();
    }

    void forgetOld() {
        elsewhere.values().removeIf(said -> nanoTime.getAsLong() - said.until() > 0);
        var all = new HashSet<String>();
        elsewhere.values().forEach(said -> all.addAll(said.topics()));
        watched = Set.copyOf(all);
    }

    /** Callable on any event loop. */
    Set<String> watched() {
        return watched;
    }

    /** Returns true if another node may watch the topic. Callable on any event loop. */
    boolean isWatched(String topic) {
        return watched.contains(topic) || nanoTime.getAsLong() - begun < UNHEARD_NANOS;
    }
}
