package io.millrace.base.net;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.dns.DnsClient;
import io.vertx.core.dns.DnsClientOptions;
import io.vertx.core.dns.DnsException;
import io.vertx.core.dns.DnsResponseCode;
import io.vertx.core.dns.MxRecord;
import io.vertx.core.dns.SrvRecord;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Queries of the name servers of this host for records of one type, in the JSON form that the module dns of Node.js
 * gives them.
 */
public final class DomainQueries {
    private static final int QUERY_MS_MAX = 5_000;
    private static final Pattern NAME =
            Pattern.compile("(?=.{1,254}$)[A-Za-z0-9_-]{1,63}(\\.[A-Za-z0-9_-]{1,63})*\\.?");

    private final Vertx vertx;
    private final DnsClientOptions options;

    public DomainQueries(Vertx vertx) {
        this(vertx, new DnsClientOptions().setQueryTimeout(QUERY_MS_MAX));
    }

    DomainQueries(Vertx vertx, DnsClientOptions options) {
        this.vertx = vertx;
        this.options = options;
    }

    public enum Type {
        A,
        AAAA,
        CNAME,
        MX,
        NS,
        PTR,
        SRV,
        TXT;

        public static Optional<Type> of(String name) {
            return List.of(values()).stream()
                    .filter(type -> type.name().equals(name))
                    .findFirst();
        }
    }

    /** The records; fails when there is none or the name servers do not answer. A name of type PTR may be an address. */
    public Future<ArrayNode> find(Type type, String name) {
        if (!NAME.matcher(name).matches() && !isLiteral(name)) {
            return Future.failedFuture(new IllegalArgumentException("not a name: " + name));
        }
        var client = vertx.createDnsClient(options);
        return find(client, type, name).eventually(client::close);
    }

    private static Future<ArrayNode> find(DnsClient client, Type type, String name) {
        return switch (type) {
            case A -> client.resolveA(name).map(DomainQueries::texts);
            case AAAA -> client.resolveAAAA(name).map(DomainQueries::texts);
            case CNAME -> client.resolveCNAME(name).map(DomainQueries::texts);
            case NS -> client.resolveNS(name).map(DomainQueries::texts);
            case PTR ->
                (isLiteral(name) ? client.reverseLookup(name) : client.resolvePTR(name))
                        .map(found -> texts(found == null ? List.of() : List.of(found)));
            case TXT -> client.resolveTXT(name).map(DomainQueries::chunked);
            case MX -> client.resolveMX(name).map(DomainQueries::exchanges);
            case SRV -> client.resolveSRV(name).map(DomainQueries::services);
        };
    }

    private static boolean isLiteral(String name) {
        try {
            InetAddress.ofLiteral(name);
            return true;
        } catch (IllegalArgumentException isName) {
            return false;
        }
    }

    /** The error code that Node.js has for a failed query. */
    public static String codeOf(Throwable failure) {
        return switch (failure) {
            case DnsException refused when refused.code() == DnsResponseCode.NXDOMAIN -> "ENOTFOUND";
            case DnsException _ -> "ESERVFAIL";
            case IllegalArgumentException _ -> "EBADNAME";
            default -> "ETIMEOUT";
        };
    }

    private static ArrayNode texts(List<String> found) {
        var records = Json.array();
        found.forEach(records::add);
        return records;
    }

    /** A text of several chunks cannot be distinguished from several texts: each is a record. */
    private static ArrayNode chunked(List<String> found) {
        var records = Json.array();
        found.forEach(text -> records.addArray().add(text));
        return records;
    }

    private static ArrayNode exchanges(List<MxRecord> found) {
        var records = Json.array();
        found.forEach(
                record -> records.addObject().put("exchange", record.name()).put("priority", record.priority()));
        return records;
    }

    private static ArrayNode services(List<SrvRecord> found) {
        var records = Json.array();
        found.forEach(record -> records.addObject()
                .put("name", record.target())
                .put("port", record.port())
                .put("priority", record.priority())
                .put("weight", record.weight()));
        return records;
    }
}
