package io.millrace.workspace.oauth;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Optional;

/** Requests about OAuth clients and their providers. Answered by {@link OAuthAppService}. */
public sealed interface OAuthApps {
    /** Creates or replaces the platform's client for a piece. */
    record Save(Principal by, String pieceName, String clientId, String clientSecret)
            implements OAuthApps, BusRequest<OAuthApp> {
        @Override
        public String toString() {
            return "Save[" + pieceName + "]";
        }
    }

    /** The clients of the principal's platform, oldest first. */
    record ListOf(Principal by, PageRequest page) implements OAuthApps, BusRequest<Page<OAuthApp>> {}

    record Delete(Principal by, String id) implements OAuthApps, BusRequest<Nothing> {}

    /**
     * Authorization address for a connection of a piece: {@code {authorizationUrl, codeVerifier?}}.
     *
     * @param scopes empty for all scopes of the piece
     */
    record FindAuthorizationUrl(
            Principal by,
            String pieceName,
            Optional<String> pieceVersion,
            String clientId,
            String redirectUrl,
            Optional<List<String>> scopes,
            Optional<ObjectNode> props)
            implements OAuthApps, BusRequest<ObjectNode> {}

    /**
     * Setup steps for an administrator at the provider of a piece; fails with ENTITY_NOT_FOUND, and with VALIDATION when the
     * piece does not use OAuth2.
     */
    record FindSetup(Principal by, String pieceName) implements OAuthApps, BusRequest<ObjectNode> {}

    /** The secret of a platform's client; empty when it has no such client. For the connection module. */
    record FindSecret(String platformId, String pieceName, String clientId)
            implements OAuthApps, BusRequest<Optional<String>> {}
}
