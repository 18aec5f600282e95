package io.millrace.base.config;

import io.millrace.base.core.memory.HeapRoom;
import java.time.Duration;

public record HttpLimitSettings(ClientLimits connections, BodyLimits bodies, SocketLimits sockets, ApiRates rates) {
    /**
     * Number and speed of connections.
     *
     * @param max 0 for a number derived from the limits of the process
     * @param perAddressMax 0 for a share of all
     * @param headerTimeout within which the headers of a request arrive
     * @param bodyTimeout within which a body arrives, or an answer is read, and at the least rate after it
     * @param bytesPerSecondMin the least rate
     */
    public record ClientLimits(
            int max, int perAddressMax, Duration headerTimeout, Duration bodyTimeout, long bytesPerSecondMin) {}

    /**
     * Bodies of requests.
     *
     * @param memoryBytesMax memory of bodies in transit
     * @param diskBytesMax disk space of large bodies of webhook calls while they arrive
     * @param unknownBytesMax largest body of a caller that is not known
     */
    public record BodyLimits(long memoryBytesMax, long diskBytesMax, long unknownBytesMax) {}

    /**
     * Live sockets.
     *
     * @param unknownMax live sockets of an event loop whose clients are not yet known
     * @param messageBytesMax largest message of a live socket
     * @param unreadPongsMax answers to pings that the client of a live socket may leave unread
     */
    public record SocketLimits(int unknownMax, int messageBytesMax, int unreadPongsMax) {}

    /** Share of the heap for bodies in transit: runs have half of it. */
    private static final int HEAP_SHARE = 4;

    /** Allowance for the parts of a message around a file. */
    private static final int MESSAGE_HEADROOM_MEGABYTES = 4;

    /**
     * Rate limits of the API within a window, at each node.
     *
     * @param perCallerMax requests of one user or key; 0 for any number
     * @param perAddressMax requests of one address; 0 for any number
     */
    public record ApiRates(int perCallerMax, int perAddressMax, Duration window) {}

    static HttpLimitSettings read(SettingTexts texts) {
        return new HttpLimitSettings(
                new ClientLimits(
                        texts.integer(Setting.AP_HTTP_CONNECTIONS_MAX),
                        texts.integer(Setting.AP_HTTP_CONNECTIONS_PER_ADDRESS_MAX),
                        texts.seconds(Setting.AP_HTTP_HEADER_TIMEOUT_SECONDS),
                        texts.seconds(Setting.AP_HTTP_BODY_TIMEOUT_SECONDS),
                        texts.bytesOfKb(Setting.AP_HTTP_RATE_MIN_KB)),
                new BodyLimits(
                        bodyMemoryBytesMax(texts.integer(Setting.AP_HTTP_BODY_MEMORY_MAX_MB)),
                        texts.bytesOfMb(Setting.AP_HTTP_BODY_DISK_MAX_MB),
                        texts.bytesOfKb(Setting.AP_HTTP_UNKNOWN_BODY_MAX_KB)),
                new SocketLimits(
                        texts.integer(Setting.AP_LIVE_UNKNOWN_MAX),
                        messageBytesMax(texts),
                        texts.integer(Setting.AP_LIVE_UNREAD_PONGS_MAX)),
                new ApiRates(
                        texts.integer(Setting.AP_API_RATE_LIMIT_CALLER_MAX),
                        texts.integer(Setting.AP_API_RATE_LIMIT_ADDRESS_MAX),
                        texts.duration(Setting.AP_API_RATE_LIMIT_WINDOW)));
    }

    /** A message may contain any file of the largest size (contract flows-and-engine 31). */
    private static int messageBytesMax(SettingTexts texts) {
        var megabytes = Math.max(
                texts.integer(Setting.AP_LIVE_MESSAGE_MAX_MB),
                texts.integer(Setting.AP_MAX_FILE_SIZE_MB) + MESSAGE_HEADROOM_MEGABYTES);
        return Math.toIntExact(megabytes * SettingTexts.MEGABYTE);
    }

    private static long bodyMemoryBytesMax(int megabytes) {
        return megabytes == 0 ? HeapRoom.bytesMax() / HEAP_SHARE : megabytes * SettingTexts.MEGABYTE;
    }
}
