package io.millrace.base.cluster;

import io.vertx.core.Future;
import java.util.function.Consumer;

/** Carries texts to all nodes of a cluster. It may lose a text, and may deliver a node's own texts to it. */
public interface ClusterLink {
    /** Starts to receive, on the context of the caller. */
    Future<Void> open(Consumer<String> received);

    /** Sends a text to all nodes; completes when the transport has accepted it. */
    Future<Void> send(String text);

    /** Checks that sent texts still arrive at this node; called every few seconds. */
    default Future<Void> check() {
        return Future.succeededFuture();
    }

    Future<Void> close();
}
