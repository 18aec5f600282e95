package io.millrace.sandbox.node;

import io.millrace.base.core.FolderTree;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeLoad;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.node.call.NodeSettings;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.node.call.ReverseCalls;
import io.millrace.sandbox.node.call.RunningNode;
import io.millrace.sandbox.node.network.ConnectionGateway;
import io.millrace.sandbox.node.watch.ProcessWatchdog;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Supervises the processes that run npm pieces, or code of users in another language. Finds the program and starts processes on
 * first use: a server whose flows use only built-in pieces has none.
 */
public final class NodeVerticle extends VerticleBase {
    private final NodeSettings settings;
    private final HostEngine engine;
    private volatile Future<NodePool> pool;
    private ProcessWatchdog watchdog;

    /**
     * Processes of Node.js.
     *
     * @param gateway connects for them; closed when this verticle stops
     */
    public NodeVerticle(NodeSettings settings, ConnectionGateway gateway) {
        this(settings, new NodeEngine(gateway));
    }

    public NodeVerticle(NodeSettings settings, HostEngine engine) {
        this.settings = settings;
        this.engine = engine;
    }

    /** Makes a call; callable on any context, on which it completes. */
    public RunningNode call(NodeCall call, ReverseCalls reverse) {
        var ticket = new NodeTicket(UUID.randomUUID().toString(), call, reverse, callerOf(vertx));
        context.runOnContext(_ -> pool().onComplete(ready -> {
            if (ready.failed()) {
                ticket.end(NodeResult.Unavailable.lasting(ready.cause().getMessage()));
            } else {
                ready.result().submit(ticket);
            }
        }));
        return new Made(ticket);
    }

    /** Load of the processes; callable on any thread. */
    public NodeLoad load() {
        var known = pool;
        return known != null && known.succeeded() ? known.result().load() : NodeLoad.NOTHING;
    }

    private static Context callerOf(Vertx vertx) {
        return vertx.getOrCreateContext();
    }

    /**
     * Reason why calls cannot be made, for operators and authors of flows; empty if none is known. Starts no process: before the
     * first call it only checks that there is a program to start.
     */
    public Future<Optional<String>> trouble() {
        var caller = callerOf(vertx);
        var answer = Promise.<Optional<String>>promise();
        context.runOnContext(_ -> known().onComplete(found ->
                caller.runOnContext(_ -> answer.complete(found.succeeded() ? found.result() : reason(found.cause())))));
        return answer.future();
    }

    private Future<Optional<String>> known() {
        return pool == null
                ? vertx.executeBlocking(() -> engine.missing(settings), false)
                : pool.map(NodePool::trouble);
    }

    private static Optional<String> reason(Throwable cause) {
        return Optional.of(String.valueOf(cause.getMessage()));
    }

    /** The pool, made at the first use. A failure is not kept: an operator may install the missing program in the meantime. */
    private Future<NodePool> pool() {
        if (pool == null || pool.failed()) {
            pool = vertx.executeBlocking(this::prepare, false)
                    .map(launcher -> new NodePool(vertx, settings, engine, launcher, watchdog, temporaryFolder()));
        }
        return pool;
    }

    private HostEngine.Launcher prepare() throws IOException {
        settings.isolation().open(engine.purpose(), settings.directory());
        var launcher = engine.prepare(settings, scriptFolder());
        FolderTree.discard(temporaryFolder());
        settings.isolation().open(engine.purpose(), temporaryFolder());
        if (watchdog == null) {
            watchdog = ProcessWatchdog.start();
        }
        return launcher;
    }

    private Path scriptFolder() {
        return settings.directory().resolve("script");
    }

    private Path temporaryFolder() {
        return settings.directory().resolve("tmp");
    }

    @Override
    public Future<?> stop() {
        return stopProcesses().eventually(this::closeGateway);
    }

    private Future<?> closeGateway() {
        return vertx.executeBlocking(
                () -> {
                    if (engine.gateway().isPresent()) {
                        engine.gateway().get().close();
                    }
                    return null;
                },
                false);
    }

    private Future<?> stopProcesses() {
        if (pool == null || !pool.succeeded()) {
            return Future.succeededFuture();
        }
        return pool.result()
                .close()
                .eventually(() -> vertx.executeBlocking(
                        () -> {
                            watchdog.close();
                            return null;
                        },
                        false));
    }

    private final class Made implements RunningNode {
        private final NodeTicket ticket;

        Made(NodeTicket ticket) {
            this.ticket = ticket;
        }

        @Override
        public Future<NodeResult> result() {
            return ticket.result();
        }

        @Override
        public void cancel() {
            context.runOnContext(_ -> pool().onSuccess(ready -> ready.cancel(ticket)));
        }
    }
}
