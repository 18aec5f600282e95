package io.millrace.engine.agent.outside;

import io.millrace.base.net.OutboundHttp;
import io.millrace.base.net.OutboundRequest;
import io.millrace.base.net.WebAddress;
import java.util.Map;

/**
 * Address and credentials of an MCP server, and the guarded client for it.
 *
 * @param address as its author wrote it
 * @param credentials headers that authenticate this client to the server
 */
record ExternalPeer(OutboundHttp outbound, WebAddress address, Map<String, String> credentials, ExternalLimits limits) {
    ExternalPeer {
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
