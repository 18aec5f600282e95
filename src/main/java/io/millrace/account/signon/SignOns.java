package io.millrace.account.signon;

import io.millrace.account.identity.Session;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import java.util.Optional;

/** Signing in with an identity provider. Answered by {@link SignOnService}. */
public sealed interface SignOns {
    /** This server as a service provider: its metadata of SAML 2.0. */
    record Describe() implements SignOns, BusRequest<String> {}

    /** Where a browser is sent to prove who uses it; fails with ENTITY_NOT_FOUND when there is no such provider. */
    record Begin(ProviderName provider) implements SignOns, BusRequest<Begun> {}

    /**
     * Where the browser is sent, and what it must bring back.
     *
     * @param ticket proof that this browser began
     */
    record Begun(String address, String ticket) {
        @Override
        public String toString() {
            return "Begun[]";
        }
    }

    /**
     * Opens a session with the code that a provider gave; fails with INVALID_CREDENTIALS when it is not good.
     *
     * @param issuer who sent the browser back, as far as that was said
     * @param byOwnPage whether a page of this server asks, which hands on what it was told
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
     * Opens a session with what a SAML provider says; fails with INVALID_SAML_RESPONSE when it is not to be believed.
     *
     * @param question what this browser asked; empty where browsers do not tell
     */
    record Consume(Principal by, String response, Optional<String> question) implements SignOns, BusRequest<Session> {
        @Override
        public String toString() {
            return "Consume[]";
        }
    }
}
