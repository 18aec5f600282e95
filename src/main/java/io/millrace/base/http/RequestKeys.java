package io.millrace.base.http;

import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.vertx.core.buffer.Buffer;

/**
 * Idempotency keys of API requests, and the stored answers (decision 0381).
 *
 * <p>A request claims its key before it is performed, and stores its answer or releases the key afterwards.
 */
public sealed interface RequestKeys {
    /**
     * Claims a key.
     *
     * @param id digest of caller, route and key
     * @param caller identity to which the limits apply
     * @param fingerprint digest of everything that makes two requests the same
     * @param attempt id of the request that claims
     */
    record Claim(String id, String caller, String fingerprint, String attempt)
            implements RequestKeys, BusRequest<ClaimResult> {}

    record Keep(String id, String attempt, ApiReply reply) implements RequestKeys, BusRequest<Nothing> {}

    /** Releases the key of an attempt that has changed nothing. */
    record Forget(String id, String attempt) implements RequestKeys, BusRequest<Nothing> {}

    sealed interface ClaimResult {
        record Free() implements ClaimResult {}

        record InUse() implements ClaimResult {}

        /** The key belongs to a request with other content. */
        record Reused() implements ClaimResult {}

        /** The server that performed the first attempt has ended before it recorded an answer. */
        record Unknown() implements ClaimResult {}

        record Answered(int status, String contentType, Buffer body) implements ClaimResult {}

        /** The first attempt was answered with this status; the answer itself was too large to be stored. */
        record NotKept(int status) implements ClaimResult {}
    }
}
