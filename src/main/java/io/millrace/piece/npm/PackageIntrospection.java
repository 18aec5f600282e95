package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeResult;
import io.millrace.sandbox.npm.BadPackage;
import io.vertx.core.Future;

/** Loads an unpacked package in a process, where it describes itself as a piece. */
final class PackageIntrospection {
    private static final long DESCRIBE_MS_MAX = 20_000;

    private final NpmHost host;

    PackageIntrospection(NpmHost host) {
        this.host = host;
    }

    /** Description of an unpacked package; fails if it cannot be used as a piece. */
    Future<ObjectNode> describe(String group, PackageId id, String integrity) {
        var target = new NpmHost.Target(group, id, integrity, Future::succeededFuture);
        var frame = host.frame(target, "describe", host.runtime(null, null, null, null));
        return host.call(
                        target,
                        NodeCall.Urgency.META,
                        frame,
                        (method, _, _) -> Future.failedFuture(new IllegalStateException(method)),
                        DESCRIBE_MS_MAX)
                .compose(running -> unanswered(running, id).compose(_ -> running.returned(id, Censor.of(null))))
                .compose(returned -> {
                    try {
                        NpmDefinitions.check(returned.value());
                        return Future.succeededFuture((ObjectNode) returned.value());
                    } catch (BadPackage lying) {
                        return Future.failedFuture(lying);
                    }
                });
    }

    /** Fails if the package was not described for a reason that need not be the package's: nothing has been stored. */
    private static Future<Void> unanswered(NpmHost.Running running, PackageId id) {
        return running.call().result().compose(result -> switch (result) {
            case NodeResult.TimedOut _ ->
                unavailable(id + " did not describe itself within " + DESCRIBE_MS_MAX / 1_000
                        + " s: the server is busy, or the package takes too long to load; try again");
            case NodeResult.Killed _ ->
                unavailable("the process that describes " + id + " was killed by another program; try again");
            case NodeResult.Cancelled _ ->
                unavailable("the lease of this server ended before " + id + " was described; try again");
            case NodeResult.Unavailable(var reason, var isLasting)
            when !isLasting -> unavailable(id + " was not described: " + reason + "; try again");
            case NodeResult.Returned _,
                    NodeResult.Threw _,
                    NodeResult.MemoryExceeded _,
                    NodeResult.Broke _,
                    NodeResult.Unavailable _ -> Future.succeededFuture();
        });
    }

    private static Future<Void> unavailable(String message) {
        return Future.failedFuture(ApiException.of(ErrorCode.UNAVAILABLE, message));
    }
}
