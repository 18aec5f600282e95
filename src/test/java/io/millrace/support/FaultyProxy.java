package io.millrace.support;

import io.millrace.base.net.FreePort;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Proxy before a server that a test can cut, silence, slow down and restore, always at the same port of the loopback
 * address.
 */
public final class FaultyProxy implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
    private final Set<NetSocket> farEnds = ConcurrentHashMap.newKeySet();
    private final int target;
    private final int port;
    private final AtomicInteger losing = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    /** Completes when bytes may pass. */
    private final AtomicReference<Promise<Void>> passage = new AtomicReference<>(opened());

    private volatile Duration delay = Duration.ZERO;
    private NetServer server;
    private boolean isCut;

    private FaultyProxy(int port, int target) {
        this.target = target;
        this.port = port;
        this.server = listen();
    }

    /** Proxy before a port of the loopback address. */
    public static FaultyProxy to(int target) {
        return at(FreePort.find().orElseThrow(), target);
    }

    /** Proxy at a chosen port. */
    public static FaultyProxy at(int port, int target) {
        return new FaultyProxy(port, target);
    }

    public int port() {
        return port;
    }

    /** Settings of a database behind this proxy. */
    public DatabaseSettings seen(DatabaseSettings database) {
        return DatabaseSettings.of("127.0.0.1", port, database.database(), database.user(), database.password());
    }

    /** Closes every connection and rejects new ones. */
    public void cut() {
        isCut = true;
        Waiting.await(server.close());
        open.forEach(NetSocket::close);
    }

    /**
     * Keeps every connection and accepts new ones, but holds back each byte and each close, like a frozen host or
     * volume. Held data arrives when the proxy is restored, even if its sender is gone.
     */
    public void silence() {
        passage.set(Promise.promise());
    }

    /**
     * Closes every connection at its far side, and holds back each byte: the near side does not notice before the proxy
     * is restored, as when a firewall has lost its connection state.
     */
    public void forget() {
        silence();
        farEnds.forEach(NetSocket::close);
    }

    /** Delays each request by this time, and so each round trip. */
    public void slow(Duration roundTrip) {
        delay = roundTrip;
    }

    /** Removes all faults: new connections are accepted, and data passes without delay. */
    public void mend() {
        delay = Duration.ZERO;
        losing.set(0);
        passage.get().tryComplete();
        if (isCut) {
            isCut = false;
            server = listen();
        }
    }

    /** Accepts this number of the next connections, and closes each immediately. */
    public void lose(int connections) {
        losing.set(connections);
    }

    /** Closes every connection, and each new one immediately, until the proxy is restored. */
    public void interrupt() {
        lose(Integer.MAX_VALUE);
        Waiting.await(Future.join(open.stream().map(NetSocket::close).toList()));
    }

    /** Waits until this number of further connections was closed immediately. */
    public void awaitLost(int further) {
        var before = lost.get();
        Waiting.until(further + " lost connections", () -> lost.get() - before >= further);
    }

    private static Promise<Void> opened() {
        var promise = Promise.<Void>promise();
        promise.complete();
        return promise;
    }

    /** The port may be in use for a moment after its last server has reported the close. */
    private NetServer listen() {
        var listening = new AtomicReference<NetServer>();
        Waiting.until("the port is free", () -> {
            var tried = vertx.createNetServer().connectHandler(this::join).listen(port, "127.0.0.1");
            listening.set(Waiting.await(tried.otherwiseEmpty()));
            return listening.get() != null;
        });
        return listening.get();
    }

    private void join(NetSocket near) {
        if (losing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            lost.incrementAndGet();
            near.close();
            return;
        }
        near.pause();
        open.add(near);
        client.connect(target, "127.0.0.1")
                .onSuccess(far -> {
                    farEnds.add(far);
                    pass(near, far, true);
                    pass(far, near, false);
                    near.resume();
                })
                .onFailure(_ -> near.close());
    }

    /** Forwards data in order, and then the close. */
    private void pass(NetSocket from, NetSocket to, boolean isSlow) {
        var last = new AtomicReference<>(Future.<Void>succeededFuture());
        from.exceptionHandler(_ -> from.close());
        from.handler(bytes -> {
            var due = System.nanoTime() + (isSlow ? delay.toNanos() : 0);
            last.updateAndGet(before -> before.compose(_ -> passableAt(due)).compose(_ -> {
                to.write(bytes);
                return Future.succeededFuture();
            }));
            if (to.writeQueueFull()) {
                from.pause();
                to.drainHandler(_ -> from.resume());
            }
        });
        from.closeHandler(
                _ -> last.get().compose(_ -> passableAt(System.nanoTime())).onComplete(_ -> {
                    open.remove(from);
                    farEnds.remove(from);
                    to.close();
                }));
    }

    private Future<Void> passableAt(long due) {
        return passage.get().future().compose(_ -> {
            var leftMs = Duration.ofNanos(due - System.nanoTime()).toMillis();
            return leftMs > 0 ? vertx.timer(leftMs).mapEmpty() : Future.succeededFuture();
        });
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
