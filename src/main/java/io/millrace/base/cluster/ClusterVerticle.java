package io.millrace.base.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This node's part in the cluster: reads the log of changes and announces them here, confirms that to nodes that ask, asks
 * other nodes itself, and carries notices between them. Deployed before any component caches data.
 */
public final class ClusterVerticle extends VerticleBase {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterVerticle.class);

    private static final long LOOK_MS = Cluster.CURRENT_FOR.toMillis() / 3;

    /** Listeners of a change answer at once; an event loop that does not is blocked. */
    private static final long HEARD_MS_MAX = 5_000;

    private static final long CHECKED_EVERY_MS = 5_000;
    private static final long DESCRIBED_EVERY_MS = 5_000;
    private static final long PURGE_MS = 10 * 60_000;
    private static final long LOST_AFTER_NANOS = TimeUnit.HOURS.toNanos(23);
    private static final int NOTICES_WAITING_MAX = 10_000;
    private static final int NOTICES_AT_ONCE = 500;

    private final Bus bus;
    private final Database database;
    private final String nodeId;
    private final NodeDescription description;
    private final Cluster cluster;
    private final ClusterLink link;
    private final Map<String, Function<String, Notice>> kinds;
    private final ClusterMessages messages;
    private final Consumer<Throwable> onLost;
    private final ClusterStore store = new ClusterStore();
    private final Confirmations confirmations = new Confirmations();
    private final Topics topics;
    private final List<ObjectNode> outbox = new ArrayList<>();
    private String position;
    private Set<Long> seen = Set.of();
    private List<String> others = List.of();
    private Promise<Void> next;
    private boolean saidNothing = true;
    private boolean busy;
    private Future<Void> lastLook = Future.succeededFuture();
    private boolean sending;
    private boolean stopped;
    private long lastLookNanos;
    /** Starts at 1: other nodes must also confirm state that this node brings with it, such as a key. */
    private long changes = 1;

    private long confirmed;

    /**
     * Messages between nodes.
     *
     * @param changes by kind of the log: the notice by which it is announced here
     * @param notices that travel
     */
    public record Vocabulary(
            Map<String, Function<String, Notice>> changes, List<Class<? extends ClusterNotice>> notices) {
        public Vocabulary {
            changes = Map.copyOf(changes);
            notices = List.copyOf(notices);
        }
    }

    /**
     * Creates the verticle of a node.
     *
     * @param database over a connection that is used only here
     * @param onLost called when this node has been out of touch for so long that the changes it missed are no longer logged
     */
    public ClusterVerticle(
            Bus bus,
            Database database,
            String nodeId,
            NodeDescription description,
            Cluster cluster,
            ClusterLink link,
            Vocabulary vocabulary,
            Consumer<Throwable> onLost) {
        this.bus = bus;
        this.database = database;
        this.nodeId = nodeId;
        this.description = description;
        this.cluster = cluster;
        this.link = link;
        this.kinds = vocabulary.changes();
        this.messages = new ClusterMessages(nodeId, vocabulary.notices());
        this.onLost = onLost;
        this.topics = new Topics(cluster::now);
    }

    @Override
    public Future<?> start() {
        vertx.setPeriodic(PURGE_MS, _ -> purge());
        vertx.setPeriodic(DESCRIBED_EVERY_MS, _ -> describe());
        bus.serve(Cluster.FindNodes.class, _ -> database.read(store::nodes));
        bus.serve(
                Cluster.ClaimRound.class,
                claim -> cluster.isAlone()
                        ? Future.succeededFuture(true)
                        : database.read(tx -> store.claimRound(tx, claim)));
        describe();
        if (cluster.isAlone()) {
            return Future.succeededFuture();
        }
        bus.serve(Cluster.Sync.class, _ -> sync().map(Nothing.DONE));
        bus.serve(Cluster.Settle.class, _ -> settle().map(Nothing.DONE));
        bus.on(Cluster.Watch.class, this::watch);
        vertx.setPeriodic(Topics.SAID_EVERY_MS, _ -> sayTopics());
        vertx.setPeriodic(CHECKED_EVERY_MS, _ -> checkLink());
        return link.open(this::received)
                .compose(_ -> database.read(store::position))
                .onSuccess(found -> {
                    position = found;
                    lastLookNanos = cluster.now();
                    bus.toOthers(this::share, topics::watched);
                })
                .compose(_ -> sync())
                .onSuccess(_ -> lookLater());
    }

    @Override
    public Future<?> stop() {
        stopped = true;
        bus.toOthers(_ -> {}, Set::of);
        return lastLook.eventually(link::close).eventually(database::close);
    }

    private void lookLater() {
        if (!stopped) {
            vertx.setTimer(LOOK_MS, _ -> sync().onComplete(_ -> lookLater()));
        }
    }

    /** Done when a read of the log that began after the call has been applied here. Concurrent callers share the next read. */
    private Future<Void> sync() {
        if (stopped) {
            return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, "the server is stopping"));
        }
        if (next == null) {
            next = Promise.promise();
        }
        var done = next.future();
        if (!busy) {
            look();
        }
        return done;
    }

    private void look() {
        var promise = next;
        next = null;
        busy = true;
        lastLook = promise.future();
        var askedAt = cluster.now();
        database.read(tx -> store.since(tx, position)
                        .compose(found -> store.others(tx, nodeId).map(nodes -> {
                            live(nodes);
                            return found;
                        })))
                .compose(this::obey)
                .onComplete((_, failure) -> {
                    busy = false;
                    if (failure == null) {
                        lastLookNanos = askedAt;
                        cluster.lookedAt(askedAt);
                        promise.complete();
                    } else {
                        LOG.warn("cannot read the changes of other nodes, retrying: {}", failure.getMessage());
                        promise.fail(failure);
                    }
                    if (next != null) {
                        look();
                    }
                });
    }

    private void live(List<String> nodes) {
        var gone = new ArrayList<>(others);
        gone.removeAll(nodes);
        others = nodes;
        cluster.live(nodes);
        gone.forEach(node -> bus.publishHere(new Cluster.NodeGone(node)));
    }

    private Future<Void> obey(ClusterStore.Changes found) {
        if (cluster.now() - lastLookNanos > LOST_AFTER_NANOS) {
            var lost = new IllegalStateException(
                    "this node was disconnected for longer than changes are retained: all caches are cleared");
            onLost.accept(lost);
            return Future.failedFuture(lost);
        }
        var fresh = found.changes().stream()
                .filter(change -> !seen.contains(change.id()))
                .toList();
        var announced = fresh.stream()
                .filter(change -> kinds.containsKey(change.kind()))
                .map(change -> kinds.get(change.kind()).apply(change.subject()))
                .distinct()
                .map(bus::publishConfirmed)
                .toList();
        return Future.join(announced)
                .timeout(HEARD_MS_MAX, TimeUnit.MILLISECONDS)
                .map(_ -> {
                    var ids = new HashSet<Long>();
                    found.changes().forEach(change -> ids.add(change.id()));
                    seen = ids;
                    position = found.position();
                    changes += fresh.size();
                    return null;
                });
    }

    /** Reads the log here and at all other nodes. A node that does not answer in time may not use cached values. */
    private Future<Void> settle() {
        return sync().compose(_ -> {
            var upTo = changes;
            if (upTo == confirmed || others.isEmpty()) {
                return Future.succeededFuture();
            }
            var asked = confirmations.expect(others);
            var _ = send(messages.ask(asked.number()));
            return asked.done()
                    .timeout(Cluster.CURRENT_FOR.toMillis(), TimeUnit.MILLISECONDS)
                    .otherwiseEmpty()
                    .onComplete(_ -> {
                        confirmations.forget(asked.number());
                        confirmed = Math.max(confirmed, upTo);
                    });
        });
    }

    private void watch(Cluster.Watch watch) {
        if (topics.change(watch)) {
            sayTopics();
        }
    }

    /** Also sent when the set is empty: other nodes would otherwise keep the former topics for a while. */
    private void sayTopics() {
        topics.forgetOld();
        var here = topics.here();
        if (!others.isEmpty() && !stopped && !(here.isEmpty() && saidNothing)) {
            saidNothing = here.isEmpty();
            send(messages.watches(here));
        }
    }

    /** On any event loop. */
    private void share(ClusterNotice notice) {
        if (!notice.topic().map(topics::isWatched).orElse(true)) {
            return;
        }
        context.runOnContext(_ -> {
            if (!others.isEmpty() && !stopped) {
                if (outbox.size() == NOTICES_WAITING_MAX) {
                    outbox.removeFirst();
                }
                outbox.add(messages.notice(notice));
                flush();
            }
        });
    }

    /** Sends one text at a time; notices that arrive meanwhile go into the next one. */
    private void flush() {
        if (sending || outbox.isEmpty()) {
            return;
        }
        sending = true;
        var some = outbox.subList(0, Math.min(outbox.size(), NOTICES_AT_ONCE));
        var text = messages.notices(List.copyOf(some));
        some.clear();
        send(text).onComplete(_ -> {
            sending = false;
            flush();
        });
    }

    private Future<Void> send(String text) {
        return link.send(text).onFailure(cause -> LOG.warn("cannot notify other nodes: {}", cause.getMessage()));
    }

    private void received(String text) {
        try {
            messages.read(text).ifPresent(this::take);
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            LOG.warn("cannot decode a message of another node: {}", malformed.getMessage());
        }
    }

    private void take(ClusterMessages.Message message) {
        switch (message) {
            case ClusterMessages.Message.Ask(var from, var number) ->
                sync().onSuccess(_ -> send(messages.confirmed(from, number)));
            case ClusterMessages.Message.Confirmed(var from, var number) -> confirmations.confirmed(from, number);
            case ClusterMessages.Message.Watches(var from, var watched) -> topics.said(from, watched);
            case ClusterMessages.Message.Notices(var notices) -> notices.forEach(bus::publishHere);
        }
    }

    private void checkLink() {
        if (!stopped) {
            link.check().onFailure(cause -> LOG.warn("messages of other nodes may be lost: {}", cause.getMessage()));
        }
    }

    private void describe() {
        if (!stopped) {
            database.read(tx -> store.describe(tx, nodeId, description, NodeDescription.load()))
                    .onFailure(cause ->
                            LOG.warn("cannot publish the description of this node, retrying: {}", cause.getMessage()));
        }
    }

    private void purge() {
        bus.ask(new Cluster.ClaimRound("log of changes", Duration.ofMillis(PURGE_MS)), PURGE_MS)
                .compose(isMine -> isMine ? database.read(store::purge) : Future.succeededFuture())
                .onFailure(cause -> LOG.warn("cannot delete expired changes, retrying: {}", cause.getMessage()));
    }
}
