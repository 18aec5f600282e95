package io.millrace.base.net;

import io.vertx.core.MultiMap;
import io.vertx.core.buffer.Buffer;

/**
 * Response to an outbound request.
 *
 * @param headers names compare in any case; content-encoding is gone when the body was decompressed
 * @param body whole and decompressed; empty when there is none
 * @param address final address, after redirects
 */
public record OutboundResponse(int status, MultiMap headers, Buffer body, WebAddress address) {
    /** Status and origin only: headers and body carry secrets. */
    @Override
    public String toString() {
        return status + " from " + address.origin();
    }
}
