package io.millrace.base.net;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClientOptions;
import java.util.List;

/** What the owner of a domain says of it in the name system. */
public interface DomainRecords {
    /** The texts of a name's TXT records; fails when nobody can say. */
    Future<List<String>> texts(String name);

    /** As the name servers of this host tell. */
    static DomainRecords of(Vertx vertx) {
        var options = new DnsClientOptions().setQueryTimeout(5_000);
        return name -> {
            var client = vertx.createDnsClient(options);
            return client.resolveTXT(name).eventually(client::close);
        };
    }
}
