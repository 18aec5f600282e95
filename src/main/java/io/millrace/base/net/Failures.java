package io.millrace.base.net;

import io.millrace.base.net.OutboundFailure.Kind;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.proxy.ProxyConnectException;
import io.vertx.core.http.ConnectionPoolTooBusyException;
import io.vertx.core.http.HttpClosedException;
import java.net.ConnectException;
import java.net.SocketException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Describes network failures with the codes that users of Node.js know: ECONNREFUSED, ENOTFOUND, ETIMEDOUT. */
final class Failures {
    private Failures() {}

    static OutboundFailure nameNotFound(String host) {
        return new OutboundFailure(Kind.NAME_NOT_FOUND, "getaddrinfo ENOTFOUND " + host);
    }

    static OutboundFailure cancelled() {
        return new OutboundFailure(Kind.CANCELLED, "the request was canceled");
    }

    static OutboundFailure timedOut(long durationMs) {
        return new OutboundFailure(Kind.TIMED_OUT, "timeout of " + durationMs + "ms exceeded");
    }

    static OutboundFailure fenced(String peer) {
        return new OutboundFailure(
                Kind.FENCED, "the request to " + peer + " was not sent: the lease of this server ended first");
    }

    /**
     * Failure of a connection that could not be opened.
     *
     * @param peer address and port
     */
    static OutboundFailure ofConnecting(Throwable cause, String peer) {
        return switch (cause) {
            case OutboundFailure known -> known;
            case ConnectTimeoutException _ -> timedOutConnecting(peer);
            case TimeoutException _ -> timedOutConnecting(peer);
            case ProxyConnectException _ ->
                new OutboundFailure(Kind.PROXY_FAILED, "the proxy " + peer + " did not connect to the host");
            case ConnectException _ -> new OutboundFailure(Kind.CONNECTION_REFUSED, "connect ECONNREFUSED " + peer);
            case SocketException _ -> new OutboundFailure(Kind.UNREACHABLE, "connect EHOSTUNREACH " + peer);
            case ConnectionPoolTooBusyException _ ->
                new OutboundFailure(Kind.TOO_BUSY, "too many requests are waiting for " + peer);
            case SSLException tls -> ofTls(tls, peer);
            default -> ofExchange(cause, peer);
        };
    }

    /**
     * Failure of an interrupted exchange.
     *
     * @param peer host and port
     */
    static OutboundFailure ofExchange(Throwable cause, String peer) {
        return switch (cause) {
            case OutboundFailure known -> known;
            case HttpClosedException _ ->
                new OutboundFailure(Kind.CONNECTION_RESET, "socket hang up ECONNRESET " + peer);
            case SSLException tls -> ofTls(tls, peer);
            case DecoderException _ ->
                new OutboundFailure(Kind.MALFORMED_RESPONSE, peer + " answered with something that is not HTTP");
            case java.io.IOException _ -> new OutboundFailure(Kind.CONNECTION_RESET, "read ECONNRESET " + peer);
            case IllegalArgumentException _ ->
                new OutboundFailure(Kind.MALFORMED_RESPONSE, peer + " answered with something that is not HTTP");
            default ->
                new OutboundFailure(
                        Kind.OTHER,
                        "request to " + peer + " failed: " + cause.getClass().getSimpleName());
        };
    }

    private static OutboundFailure timedOutConnecting(String peer) {
        return new OutboundFailure(Kind.TIMED_OUT, "connect ETIMEDOUT " + peer);
    }

    private static OutboundFailure ofTls(SSLException cause, String peer) {
        return new OutboundFailure(Kind.TLS_FAILED, "TLS handshake with " + peer + " failed: " + cause.getMessage());
    }
}
