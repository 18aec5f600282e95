package io.millrace.base.net;

import io.millrace.base.core.text.HeaderRule;
import io.vertx.core.buffer.Buffer;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An outbound request. Refuses values that would inject a second header or a second request.
 *
 * @param headers by name, in any case; those that frame the message are the client's and are dropped
 * @param credentials names of further headers, in lower case, that are sent to the first origin only
 */
public record OutboundRequest(
        String method,
        WebAddress address,
        Map<String, String> headers,
        Optional<Buffer> body,
        Bounds bounds,
        Optional<OutboundProxy> proxy,
        Set<String> credentials) {
    /**
     * Limits of the exchange.
     *
     * @param timeoutMs for the whole exchange; empty means the client's own
     * @param bodyBytesMax largest body of the response, counted after decompression; empty means the client's own, beyond which nothing is taken
     * @param redirectsMax redirects that are followed; 0 hands the redirect itself to the caller
     */
    public record Bounds(OptionalLong timeoutMs, OptionalInt bodyBytesMax, int redirectsMax) {}

    private static final Set<String> FRAMING = Set.of(
            "connection",
            "content-length",
            "expect",
            "keep-alive",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    public OutboundRequest {
        if (!HeaderRule.isName(method) || method.equalsIgnoreCase("CONNECT")) {
            throw new IllegalArgumentException("expected an HTTP method");
        }
        if (bounds.redirectsMax() < 0 || bounds.redirectsMax() > OutboundLimits.REDIRECTS_MAX) {
            throw new IllegalArgumentException(
                    "expected 0 to " + OutboundLimits.REDIRECTS_MAX + " redirects, found " + bounds.redirectsMax());
        }
        headers = checked(headers);
        credentials = Set.copyOf(credentials);
    }

    /** A request without headers and body that follows no redirect. */
    public static OutboundRequest of(String method, WebAddress address) {
        return new OutboundRequest(
                method,
                address,
                Map.of(),
                Optional.empty(),
                new Bounds(OptionalLong.empty(), OptionalInt.empty(), 0),
                Optional.empty(),
                Set.of());
    }

    public OutboundRequest withHeaders(Map<String, String> all) {
        return new OutboundRequest(method, address, all, body, bounds, proxy, credentials);
    }

    /** The new header replaces one of the same name. */
    public OutboundRequest withHeader(String name, String value) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.put(name, value);
        return withHeaders(all);
    }

    /** Each header replaces one of the same name. */
    public OutboundRequest withMoreHeaders(Map<String, String> more) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.putAll(more);
        return withHeaders(all);
    }

    /** A redirect to another origin drops these credentials. */
    public OutboundRequest withCredentials(Map<String, String> more) {
        var all = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        all.putAll(headers);
        all.putAll(more);
        var names = Stream.concat(
                        credentials.stream(), more.keySet().stream().map(name -> name.toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
        return new OutboundRequest(method, address, all, body, bounds, proxy, names);
    }

    public OutboundRequest withBody(Buffer content) {
        return new OutboundRequest(method, address, headers, Optional.of(content), bounds, proxy, credentials);
    }

    public OutboundRequest withTimeoutMs(long durationMs) {
        return new OutboundRequest(
                method,
                address,
                headers,
                body,
                new Bounds(OptionalLong.of(durationMs), bounds.bodyBytesMax(), bounds.redirectsMax()),
                proxy,
                credentials);
    }

    /** The same request with a limit of the response body, so that a misbehaving sender of a short response costs little. */
    public OutboundRequest withBodyBytesMax(int bytes) {
        return new OutboundRequest(
                method,
                address,
                headers,
                body,
                new Bounds(bounds.timeoutMs(), OptionalInt.of(bytes), bounds.redirectsMax()),
                proxy,
                credentials);
    }

    public OutboundRequest followingRedirects(int most) {
        return new OutboundRequest(
                method,
                address,
                headers,
                body,
                new Bounds(bounds.timeoutMs(), bounds.bodyBytesMax(), most),
                proxy,
                credentials);
    }

    public OutboundRequest through(OutboundProxy server) {
        return new OutboundRequest(method, address, headers, body, bounds, Optional.of(server), credentials);
    }

    /** Method and origin only: headers, query and body carry secrets. */
    @Override
    public String toString() {
        return method + " " + address.origin();
    }

    private static Map<String, String> checked(Map<String, String> headers) {
        var checked = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> {
            if (!HeaderRule.isName(name)) {
                throw new IllegalArgumentException("Invalid header name: expected letters, digits and hyphens");
            }
            if (!HeaderRule.isValue(value)) {
                throw new IllegalArgumentException(
                        "Invalid character in the value of header \"" + name + "\": expected printable Latin-1 text");
            }
            if (!FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
                checked.put(name, value);
            }
        });
        return Collections.unmodifiableMap(checked);
    }
}
