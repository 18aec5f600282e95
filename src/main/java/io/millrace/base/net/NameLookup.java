package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;

/** Turns a host name into its addresses: hosts file first, then DNS. */
@FunctionalInterface
interface NameLookup {
    /** All addresses of the name; fails when there is none. */
    Future<List<InetAddress>> addressesOf(String name);

    /** The resolver that Vert.x connects with: asynchronous, caching, with a separate query timeout. */
    static NameLookup of(Vertx vertx) {
        var internal = (VertxInternal) vertx;
        return name -> {
            var found = internal.<List<InetSocketAddress>>promise();
            internal.nameResolver().resolveAll(name, answer -> {
                if (answer.succeeded()) {
                    found.complete(answer.result());
                } else {
                    found.fail(answer.cause());
                }
            });
            return found.future()
                    .map(all -> all.stream().map(InetSocketAddress::getAddress).toList());
        };
    }
}
