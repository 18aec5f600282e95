package io.millrace.engine.agent.outside;

import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import java.util.Map;

/**
 * Whom a session is with, and the guarded way there.
 *
 * @param address as its author wrote it
 * @param credentials headers by which the server knows us
 */
record OutsidePeer(OutboundHttp outbound, WebAddress address, Map<String, String> credentials, OutsideLimits limits) {
    OutsidePeer {
        credentials = Map.copyOf(credentials);
    }

    /** A request to an address of the server, in the author's name; it follows no redirect. */
    OutboundRequest request(String method, WebAddress to) {
        return OutboundRequest.of(method, to).withCredentials(credentials).withTimeoutMs(limits.timeoutMs());
    }

    /** Origin only: the rest holds secrets. */
    @Override
    public String toString() {
        return address.origin();
    }
}
