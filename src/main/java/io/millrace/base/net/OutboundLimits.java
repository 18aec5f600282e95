package io.millrace.base.net;

/**
 * Limits of every outbound exchange.
 *
 * @param connectTimeoutMs longest wait for one connection
 * @param timeoutMs longest whole exchange, redirects and body included, unless the request asks for another
 * @param bodyBytesMax largest response body, counted after decompression
 * @param connectionsPerOriginMax open connections per pinned address
 * @param waitingPerOriginMax requests that may wait for one of these connections
 */
public record OutboundLimits(
        int connectTimeoutMs, long timeoutMs, int bodyBytesMax, int connectionsPerOriginMax, int waitingPerOriginMax) {

    public static final int REDIRECTS_MAX = 20;

    public OutboundLimits {
        if (connectTimeoutMs < 1 || timeoutMs < 1 || bodyBytesMax < 1 || connectionsPerOriginMax < 1) {
            throw new IllegalArgumentException("expected positive limits");
        }
    }

    /** 10 s to connect, 30 s for the whole exchange, 25 MB, 256 connections with 10,000 requests waiting per address. */
    public static OutboundLimits defaults() {
        return new OutboundLimits(10_000, 30_000, 25 * 1024 * 1024, 256, 10_000);
    }

    public OutboundLimits withBodyBytesMax(int bytes) {
        return new OutboundLimits(connectTimeoutMs, timeoutMs, bytes, connectionsPerOriginMax, waitingPerOriginMax);
    }

    public OutboundLimits withConnections(int connectionsMax, int waitingMax) {
        return new OutboundLimits(connectTimeoutMs, timeoutMs, bodyBytesMax, connectionsMax, waitingMax);
    }
}
