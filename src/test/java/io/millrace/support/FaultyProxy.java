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
 * A way to a server that a test can cut, silence or slow down, and mend again, always at the same port of the loopback
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

    /** A way to a port of the loopback address. */
    public static FaultyProxy to(int target) {
        return at(FreePort.find().orElseThrow(), target);
    }

    /** The same, at a port that is chosen. */
    public static FaultyProxy at(int port, int target) {
        return new FaultyProxy(port, target);
    }

    public int port() {
        return port;
    }

    /** A database behind this way. */
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
     * Keeps every connection and accepts new ones, but holds back each byte, and the ends of connections, as a host or
     * a volume does that has frozen. What was held back arrives when the way is mended, even if its sender is gone.
     */
    public void silence() {
        passage.set(Promise.promise());
    }

    /**
     * Ends every connection at its far side, and holds back each byte: the near side does not see it before the way
     * is mended, as when a machine between them has lost what it knew of connections.
     */
    public void forget() {
        silence();
        farEnds.forEach(NetSocket::close);
    }

    /** Holds back what is asked for so long, so that each round trip takes as much longer. */
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

    /** Lets so many of the next connections in, and ends each as soon as it is open. */
    public void lose(int connections) {
        losing.set(connections);
    }

    /** Ends every connection, and each new one as soon as it is open, until the way is mended. */
    public void interrupt() {
        lose(Integer.MAX_VALUE);
        Waiting.await(Future.join(open.stream().map(NetSocket::close).toList()));
    }

    /** Waits until so many further connections were ended as soon as they were open. */
    public void awaitLost(int further) {
        var before = lost.get();
        Waiting.until(further + " lost connections", () -> lost.get() - before >= further);
    }

    private static Promise<Void> opened() {
        var promise = Promise.<Void>promise();
        promise.complete();
        return promise;
    }

    /** The port may not be free yet at the moment at which its last server says that it is closed. */
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

    /** Passes everything on in its order, and then the end. */
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
