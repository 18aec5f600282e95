package io.millrace.base.http;

import io.millrace.base.http.body.BodyBudget;
import java.time.Duration;

/**
 * What clients of sockets may take with their messages.
 *
 * @param budget memory of all that arrives, bodies of requests included
 * @param unknownBytesMax largest message of a client that is not yet known
 * @param bytesMax largest message of one that is
 * @param patience within which a message arrives whole, and at the least rate after it
 * @param bytesPerSecondMin the least rate
 */
public record MessageLimits(
        BodyBudget budget, long unknownBytesMax, int bytesMax, Duration patience, long bytesPerSecondMin) {
    /** Whether a message of which so much has come in so long a time comes too slowly. */
    boolean isTooSlow(long bytes, Duration since) {
        return since.compareTo(patience.plusSeconds(bytes / bytesPerSecondMin)) > 0;
    }
}
