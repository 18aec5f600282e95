package io.millrace.workspace.model;

import io.millrace.base.net.OutboundResponse;
import java.util.regex.Pattern;

/** Delay before the next request to a provider (RFC 9110, 10.2.3). A date is ignored, because clocks differ. */
final class RetryAfter {
    private static final Pattern SECONDS = Pattern.compile("\\d{1,5}");
    private static final long MS_PER_SECOND = 1_000;

    private RetryAfter() {}

    /** Delay in milliseconds; 0 without a header. */
    static long ofMs(OutboundResponse response) {
        var said = response.headers().get("Retry-After");
        return said == null || !SECONDS.matcher(said).matches() ? 0 : Long.parseLong(said) * MS_PER_SECOND;
    }
}
