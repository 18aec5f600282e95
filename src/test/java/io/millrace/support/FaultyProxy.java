package io.millrace.support;

import io.millrace.persistence.DatabaseSettings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A way to a server that a test can cut and open again, always at the same port of the loopback address. */
public final class FaultyProxy implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final NetClient client = vertx.createNetClient();
    private final Set<NetSocket> open = ConcurrentHashMap.newKeySet();
    private final int target;
    private final int port;
    private final AtomicInteger losing = new AtomicInteger();
    private NetServer server;

    private FaultyProxy(int target) {
        this.target = target;
        this.server = listen(0);
        this.port = server.actualPort();
    }

    /** A way to a port of the loopback address. */
    public static FaultyProxy to(int port) {
        return new FaultyProxy(port);
    }

    public int port() {
        return port;
    }

    /** A database behind this way. */
    DatabaseSettings seen(DatabaseSettings database) {
        return DatabaseSettings.of("127.0.0.1", port, database.database(), database.user(), database.password());
    }

    /** Ends every connection and lets nobody in. */
    public void cut() {
        Waiting.await(server.close());
        open.forEach(NetSocket::close);
    }

    /** Lets everybody in again. */
    public void mend() {
        server = listen(port);
    }

    /** Lets so many of the next connections in, and ends each as soon as it is open. */
    public void lose(int connections) {
        losing.set(connections);
    }

    private NetServer listen(int wanted) {
        return Waiting.await(vertx.createNetServer().connectHandler(this::join).listen(wanted, "127.0.0.1"));
    }

    private void join(NetSocket near) {
        if (losing.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            near.close();
            return;
        }
        near.pause();
        open.add(near);
        client.connect(target, "127.0.0.1")
                .onSuccess(far -> {
                    Future.join(near.pipeTo(far), far.pipeTo(near)).onComplete(_ -> open.remove(near));
                    near.resume();
                })
                .onFailure(_ -> near.close());
    }

    @Override
    public void close() {
        Waiting.await(vertx.close());
    }
}
