package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import java.util.List;

/** DNS records that prove the owner of a domain. */
public interface DomainRecords {
    /** The texts of a name's TXT records; fails when no name server answers. */
    Future<List<String>> texts(String name);

    /** Records from the name servers of this host. */
    static DomainRecords of(Vertx vertx) {
        var options = new DnsClientOptions().setQueryTimeout(5_000);
        return name -> {
            var client = vertx.createDnsClient(options);
            return client.resolveTXT(name).eventually(client::close);
        };
    }
}
