package io.millrace.engine.run;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.secret.Hashes;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;

/**
 * Identifies repeated starts (decision 0033): taken from a request header, or derived by the server from the request.
 */
public final class IdempotencyKey {
    private static final CharSequence HEADER = HttpHeaders.createOptimized("Idempotency-Key");
    private static final int LENGTH_MAX = 255;

    private IdempotencyKey() {}

    /** The key of a request, or null. A malformed key is refused, because its sender relies on it. */
    public static String in(MultiMap headers) {
        var given = headers.getAll(HEADER);
        if (given.isEmpty()) {
            return null;
        }
        if (given.size() > 1 || !isSound(given.getFirst())) {
            throw ApiException.of(
                    ErrorCode.INVALID_INPUT,
                    "headers/idempotency-key Invalid string: expected one header of 1 to " + LENGTH_MAX
                            + " printable ASCII characters");
        }
        return given.getFirst();
    }

    private static boolean isSound(String text) {
        return !text.isBlank()
                && text.length() <= LENGTH_MAX
                && text.chars().allMatch(character -> character >= ' ' && character <= '~');
    }

    /** A long text is stored as its digest. */
    public static String of(String text) {
        return text.length() <= LENGTH_MAX && text.indexOf('\0') < 0 ? text : "sha256:" + Hashes.sha256Hex(text);
    }
}
