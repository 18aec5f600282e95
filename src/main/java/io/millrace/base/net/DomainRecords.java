package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.dns.DnsException;
import io.vertx.core.dns.DnsResponseCode;
import java.util.List;

/** DNS records that prove the owner of a domain. */
public interface DomainRecords {
    /** The texts of a name's TXT records, empty when there are none; fails when no name server responds. */
    Future<List<String>> texts(String name);

    static DomainRecords of(Vertx vertx) {
        return of(vertx, new DnsClientOptions().setQueryTimeout(5_000));
    }

    static DomainRecords of(Vertx vertx, DnsClientOptions options) {
        return name -> {
            var client = vertx.createDnsClient(options);
            return client.resolveTXT(name)
                    .recover(failure ->
                            isAbsent(failure) ? Future.succeededFuture(List.of()) : Future.failedFuture(failure))
                    .eventually(client::close);
        };
    }

    private static boolean isAbsent(Throwable failure) {
        return failure instanceof DnsException refused && refused.code() == DnsResponseCode.NXDOMAIN;
    }
}
