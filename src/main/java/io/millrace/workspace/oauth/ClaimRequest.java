package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * Request for the first token of a connection (contract admin-api 7.2).
 *
 * @param redirectUrl redirect address of the authorization request; empty where there was none
 * @param codeVerifier the PKCE verifier, which the wire calls code_challenge
 * @param clientPlace empty for the piece's default
 * @param props values of the piece's own fields, also for placeholders in its URLs
 */
public record ClaimRequest(
        TokenGrant grant,
        ClientLogin client,
        String code,
        String redirectUrl,
        String scope,
        Optional<String> codeVerifier,
        Optional<ClientPlace> clientPlace,
        Optional<ObjectNode> props) {
    /**
     * Credentials of the application.
     *
     * @param secret empty when the platform stores it
     */
    public record ClientLogin(String id, String secret) {
        @Override
        public String toString() {
            return "ClientLogin[" + id + "]";
        }
    }

    public ClaimRequest withSecret(String secret) {
        return new ClaimRequest(
                grant,
                new ClientLogin(client.id(), secret),
                code,
                redirectUrl,
                scope,
                codeVerifier,
                clientPlace,
                props);
    }

    public ClaimRequest with(String otherId, String otherSecret, Optional<ObjectNode> otherProps) {
        return new ClaimRequest(
                grant,
                new ClientLogin(otherId, otherSecret),
                code,
                redirectUrl,
                scope,
                codeVerifier,
                clientPlace,
                otherProps);
    }

    @Override
    public String toString() {
        return "ClaimRequest[" + grant + ", " + client.id() + "]";
    }
}
