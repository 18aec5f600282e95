package io.millrace.workspace.authorizationserver;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;
import java.util.Optional;

/** Requests about MCP clients and their grants. Answered by {@link GrantService}. */
public sealed interface Grants {
    record Register(Registration grantRequest) implements Grants, BusRequest<ClientRegistration> {}

    /** Validates an authorization request; the answer identifies it to the consent page for ten minutes. */
    record Authorize(AuthorizationRequest grantRequest, Issuer issuer) implements Grants, BusRequest<String> {}

    record ShowConsent(String authRequestId) implements Grants, BusRequest<Consent> {}

    /**
     * Consent of the user; the answer is the address that the browser opens next.
     *
     * @param projectId the one project that is opened; empty for every project of the person
     */
    record Approve(Principal by, String authRequestId, Optional<String> projectId)
            implements Grants, BusRequest<String> {}

    record Exchange(ClientCredentials by, Offer offer, Issuer issuer) implements Grants, BusRequest<Tokens> {}

    /** Ends the grant of a refresh token; an unknown token is not an error (RFC 7009). */
    record Revoke(ClientCredentials by, String refreshToken) implements Grants, BusRequest<Nothing> {}

    /** Living consents, newest first: the user's own, and for administrators those of all users. */
    record ListLiving(Principal by) implements Grants, BusRequest<List<ActiveGrant>> {}

    /** Ends a consent, with all its tokens. Fails with ENTITY_NOT_FOUND, also for the consent of another user. */
    record End(Principal by, String id) implements Grants, BusRequest<Nothing> {}

    /**
     * Resolves an access token. Fails with INVALID_BEARER_TOKEN when it is of another issuer, expired, revoked or for another
     * resource.
     *
     * @param resource address of the requested resource
     */
    record Identify(String accessToken, String resource) implements Grants, BusRequest<TokenAccess> {
        @Override
        public String toString() {
            return "Identify[" + resource + "]";
        }
    }

    /** Credential that a client exchanges for tokens (contract admin-api 33.5). */
    sealed interface Offer {
        /** Requested audience of the tokens; empty when the client names none. */
        Optional<String> resource();

        /** A code, with the proof that this client requested it (RFC 7636). */
        record Code(String code, String verifier, String redirectUri, Optional<String> resource) implements Offer {
            @Override
            public String toString() {
                return "Code[]";
            }
        }

        record Refresh(String token, Optional<String> resource) implements Offer {
            @Override
            public String toString() {
                return "Refresh[]";
            }
        }
    }

    /**
     * Access that a token gives.
     *
     * @param by the user who consented
     * @param projectId the one project that is open; empty for every project of the person
     * @param grantId the consent, which outlives its access tokens
     */
    record TokenAccess(Principal by, Optional<String> projectId, String grantId) {}
}
