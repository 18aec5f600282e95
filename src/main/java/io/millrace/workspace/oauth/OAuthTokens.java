package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import java.time.Duration;

/** Requests to {@link OAuthVerticle}; answered with a value in its stored form, failing with {@link OAuthFailure}. */
public interface OAuthTokens {
    /** Longest wait for an answer: the provider's timeout and a margin. */
    Duration DEADLINE = TokenExchange.TIMEOUT.plusSeconds(2);

    /** Requests the first token; the value holds no client secret yet. */
    record Claim(OAuthProviderMetadata provider, ClaimRequest request) implements BusRequest<ObjectNode> {}

    /**
     * Requests a new token for an old one.
     *
     * @param value in its stored form
     */
    record Renew(ObjectNode value, String clientSecret) implements BusRequest<ObjectNode> {
        /** Omits the secrets of the request. */
        @Override
        public String toString() {
            return "Renew";
        }
    }
}
