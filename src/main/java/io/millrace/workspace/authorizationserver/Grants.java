package io.millrace.workspace.authorizationserver;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;
import java.util.Optional;

/** What one may ask of MCP clients and of what they were granted. Answered by {@link GrantService}. */
public sealed interface Grants {
    /** Makes a client known. */
    record Register(Registration wish) implements Grants, BusRequest<Registered> {}

    /** Checks what a client asks for; the answer names it to the consent page, for ten minutes. */
    record Authorize(AuthorizationRequest wish, Issuer issuer) implements Grants, BusRequest<String> {}

    /** What the person is asked on the consent page. */
    record ShowConsent(String authRequestId) implements Grants, BusRequest<Consent> {}

    /**
     * The person agrees; the answer is where the browser goes next.
     *
     * @param projectId the one project that is opened; empty for every project of the person
     */
    record Approve(Principal by, String authRequestId, Optional<String> projectId)
            implements Grants, BusRequest<String> {}

    /** Exchanges a code or a refresh token for tokens. */
    record Exchange(ClientCredentials by, Offer offer, Issuer issuer) implements Grants, BusRequest<Tokens> {}

    /** Ends a grant whose refresh token this is; a text that is none is no failure (RFC 7009). */
    record Revoke(ClientCredentials by, String refreshToken) implements Grants, BusRequest<Nothing> {}

    /** The consents that still open something: the person's own, and everybody's for administrators. Newest first. */
    record ListLiving(Principal by) implements Grants, BusRequest<List<LivingGrant>> {}

    /** Ends a consent, with all its tokens. Fails with ENTITY_NOT_FOUND, also for somebody else's. */
    record End(Principal by, String id) implements Grants, BusRequest<Nothing> {}

    /**
     * Whose access token is this? Fails with INVALID_BEARER_TOKEN when it is not ours, has expired, was revoked or is for
     * something else.
     *
     * @param resource address of what is asked for with the token
     */
    record Identify(String accessToken, String resource) implements Grants, BusRequest<Granted> {
        @Override
        public String toString() {
            return "Identify[" + resource + "]";
        }
    }

    /** What a client offers for tokens (contract admin-api 33.5). */
    sealed interface Offer {
        /** What the tokens shall be for; empty when the client does not say. */
        Optional<String> resource();

        /** A code, with the proof that it was this client that asked for it (RFC 7636). */
        record Code(String code, String verifier, String redirectUri, Optional<String> resource) implements Offer {
            @Override
            public String toString() {
                return "Code[]";
            }
        }

        /** A refresh token. */
        record Refresh(String token, Optional<String> resource) implements Offer {
            @Override
            public String toString() {
                return "Refresh[]";
            }
        }
    }

    /**
     * What an access token opens.
     *
     * @param by the person who agreed
     * @param projectId the one project that is open; empty for every project of the person
     * @param grantId the consent, which lasts longer than its access tokens
     */
    record Granted(Principal by, Optional<String> projectId, String grantId) {}
}
