package io.millrace.account.signon;

import io.millrace.account.identity.Session;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Requests of sign-in with an identity provider. Answered by {@link SignOnService}. */
public sealed interface SignOns {
    /** This server as a service provider: its metadata of SAML 2.0. */
    record Describe() implements SignOns, BusRequest<String> {}

    /** Address of the sign-on at a provider; fails with ENTITY_NOT_FOUND when there is no such provider. */
    record Begin(ProviderName provider) implements SignOns, BusRequest<SignOnStart> {}

    /**
     * A started sign-on: the provider's address, and the ticket that the browser must present.
     *
     * @param ticket proof that this browser began
     */
    record SignOnStart(String address, String ticket) {
        @Override
        public String toString() {
            return "SignOnStart[]";
        }
    }

    /**
     * Opens a session with a provider's code; fails with INVALID_CREDENTIALS when it is invalid.
     *
     * @param issuer issuer in the authorization response, if any
     * @param byOwnPage true for a page of this server, which passes on the whole response
     */
    record Claim(
            Principal by,
            ProviderName provider,
            String code,
            String state,
            Optional<String> issuer,
            boolean byOwnPage,
            String ticket)
            implements SignOns, BusRequest<Session> {
        @Override
        public String toString() {
            return "Claim[" + provider + "]";
        }
    }

    /**
     * Opens a session with a SAML response; fails with INVALID_SAML_RESPONSE when it is invalid.
     *
     * @param question id of the request of this browser; empty where browsers do not send the cookie
     */
    record Consume(Principal by, String response, Optional<String> question) implements SignOns, BusRequest<Session> {
        @Override
        public String toString() {
            return "Consume[]";
        }
    }
}
