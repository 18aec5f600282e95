package io.millrace.base.net;

import java.util.Optional;

/**
 * An HTTP proxy for outbound calls. Its own address is guarded like any other.
 *
 * @param credentials empty when the proxy needs none
 */
public record OutboundProxy(String host, int port, Optional<ProxyCredentials> credentials) {
    public record ProxyCredentials(String username, String password) {
        @Override
        public String toString() {
            return "ProxyCredentials[***]";
        }
    }

    public OutboundProxy {
        if (port < 1 || port > 65535) {
            throw new IllegalArgumentException("expected a proxy port from 1 to 65535, found " + port);
        }
    }
}
