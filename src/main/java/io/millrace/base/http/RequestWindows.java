package io.millrace.base.http;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts the requests of each client in windows of fixed length. Memory is bounded: beyond the bound the window that ends
 * first is evicted. Thread-safe.
 */
public final class RequestWindows {
    /** About 10 MB at worst. */
    private static final int CLIENTS_MAX = 50_000;

    private static final int SUBSCRIBER_BYTES = 8;

    private final InstantSource clock;

    /** In the order in which windows were opened, which is the order in which they end. */
    private final Map<String, Window> windows = new LinkedHashMap<>();

    public RequestWindows(InstantSource clock) {
        this.clock = clock;
    }

    private record Window(Instant end, int requests) {}

    /** A subscriber of IPv6 has a network of 64 bits, and could send every request from another address. */
    public static String network(String address) {
        return address.contains(":")
                ? HexFormat.of().formatHex(InetAddress.ofLiteral(address).getAddress(), 0, SUBSCRIBER_BYTES)
                : address;
    }

    /** Counts a request unless the window of its client is full; returns the seconds to wait, 0 when counted. */
    public synchronized long count(String client, int requestsMax, Duration length) {
        var now = clock.instant();
        forgetEnded(now, length);
        var window = windows.get(client);
        if (window == null) {
            makeRoom();
            windows.put(client, new Window(now.plus(length), 1));
            return 0;
        }
        if (window.requests() >= requestsMax) {
            return Math.max(
                    1, Duration.between(now, window.end()).plusMillis(999).toSeconds());
        }
        windows.put(client, new Window(window.end(), window.requests() + 1));
        return 0;
    }

    /** A window that ends later than one opened now was opened before the clock was set back. */
    private void forgetEnded(Instant now, Duration length) {
        var latest = now.plus(length);
        var eldest = windows.values().iterator();
        while (eldest.hasNext()) {
            var end = eldest.next().end();
            if (end.isAfter(now) && !end.isAfter(latest)) {
                return;
            }
            eldest.remove();
        }
    }

    private void makeRoom() {
        if (windows.size() >= CLIENTS_MAX) {
            var eldest = windows.keySet().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    public static String refusal(long waitSeconds) {
        return "Rate limit exceeded, retry in " + waitSeconds + " seconds";
    }
}
