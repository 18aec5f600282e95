package io.millrace.base.http.socket;

import io.millrace.base.http.body.BodyBudget;
import java.time.Duration;

/**
 * Limits of messages that clients of sockets send.
 *
 * @param budget memory of all incoming data, bodies of requests included
 * @param unknownBytesMax largest message of a client that is not yet known
 * @param bytesMax largest message of a known client
 * @param patience within which a message arrives whole, and at the least rate after it
 * @param bytesPerSecondMin the least rate
 * @param unreadPongsMax answers to pings that a client may leave unread
 */
public record MessageLimits(
        BodyBudget budget,
        long unknownBytesMax,
        int bytesMax,
        Duration patience,
        long bytesPerSecondMin,
        int unreadPongsMax) {
    /** Returns true if this number of bytes after that time is too slow. */
    boolean isTooSlow(long bytes, Duration since) {
        return since.compareTo(patience.plusSeconds(bytes / bytesPerSecondMin)) > 0;
    }
}
