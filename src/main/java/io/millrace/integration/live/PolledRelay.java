package io.millrace.integration.live;

import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.http.socket.PolledSocket;
import io.millrace.base.persistence.BusService;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Relays a request to the node of its session, and the answer back. A lost message is lost for the client too: it reconnects
 * and reads the current state, as after every disconnect.
 */
public final class PolledRelay implements BusService {
    /** A session sends a packet at each ping interval, so a poll waits at most until the next. */
    static final long DEADLINE_MS = 2 * ChannelSession.PING_INTERVAL_MS;

    private final Bus bus;
    private final Cluster cluster;
    private final PolledClients clients;
    /** Requests that arrived here and wait for another node. */
    private final Map<String, Pending> pending = new HashMap<>();
    /** Requests of other nodes that wait for the next packet of a session here. */
    private final Map<String, Fetching> fetching = new HashMap<>();

    private record Pending(String owner, Promise<Polling.Answered> promise) {}

    private record Fetching(PolledSocket socket, Future<List<String>> fetched) {}

    public PolledRelay(Bus bus, Cluster cluster, PolledClients clients) {
        this.bus = bus;
        this.cluster = cluster;
        this.clients = clients;
    }

    @Override
    public void open(Bus opened) {
        opened.serve(
                Polling.Fetch.class,
                fetch -> ask(fetch.id(), fetch.session(), null)
                        .map(answer -> answer.known() ? Optional.of(answer.texts()) : Optional.empty()));
        opened.serve(
                Polling.Bring.class,
                bring -> ask(bring.id(), bring.session(), bring.texts()).map(Polling.Answered::known));
        opened.on(Polling.Abandon.class, this::abandon);
        opened.on(Polling.Asked.class, this::asked);
        opened.on(Polling.Answered.class, this::answered);
        opened.on(Polling.Abandoned.class, this::abandoned);
        opened.on(Cluster.NodeGone.class, this::gone);
    }

    private Future<Polling.Answered> ask(String id, String session, List<String> texts) {
        var owner = PolledClients.nodeOf(session);
        if (owner.filter(cluster::isLive).isEmpty()) {
            return Future.succeededFuture(unknown("", id));
        }
        var promise = Promise.<Polling.Answered>promise();
        pending.put(id, new Pending(owner.get(), promise));
        bus.publishElsewhere(new Polling.Asked(clients.nodeId(), owner.get(), id, session, texts));
        return promise.future()
                .timeout(DEADLINE_MS, TimeUnit.MILLISECONDS)
                .otherwise(unknown("", id))
                .onComplete(_ -> pending.remove(id));
    }

    private static Polling.Answered unknown(String to, String id) {
        return new Polling.Answered(to, id, false, List.of());
    }

    private void abandon(Polling.Abandon abandon) {
        var waiting = pending.remove(abandon.id());
        if (waiting != null) {
            bus.publishElsewhere(new Polling.Abandoned(waiting.owner(), abandon.id()));
        }
    }

    private void asked(Polling.Asked asked) {
        if (!asked.to().equals(clients.nodeId())) {
            return;
        }
        clients.find(asked.session())
                .ifPresentOrElse(
                        socket -> serve(socket, asked), () -> bus.publishElsewhere(unknown(asked.from(), asked.id())));
    }

    private void serve(PolledSocket socket, Polling.Asked asked) {
        if (asked.texts() != null) {
            var _ = socket.bring(asked.texts().stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toList());
            bus.publishElsewhere(new Polling.Answered(asked.from(), asked.id(), true, List.of()));
            return;
        }
        var fetched = socket.fetch();
        fetching.put(asked.id(), new Fetching(socket, fetched));
        fetched.onSuccess(texts -> {
            fetching.remove(asked.id());
            bus.publishElsewhere(new Polling.Answered(asked.from(), asked.id(), true, texts));
        });
    }

    private void answered(Polling.Answered answered) {
        if (answered.to().equals(clients.nodeId())) {
            Optional.ofNullable(pending.get(answered.id()))
                    .ifPresent(waiting -> waiting.promise().tryComplete(answered));
        }
    }

    private void abandoned(Polling.Abandoned abandoned) {
        var given = fetching.get(abandoned.id());
        if (given != null) {
            given.socket().abandon(given.fetched());
        }
    }

    private void gone(Cluster.NodeGone gone) {
        List.copyOf(pending.entrySet()).stream()
                .filter(waiting -> waiting.getValue().owner().equals(gone.nodeId()))
                .forEach(waiting -> waiting.getValue().promise().tryComplete(unknown("", waiting.getKey())));
    }
}
