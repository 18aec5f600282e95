package io.millrace.piece.builtin.teams;

import java.time.Duration;

/**
 * Where Microsoft's services are; national clouds have other places.
 *
 * @param loginUrl token endpoints of all tenants
 * @param graphUrl Microsoft Graph, without a version
 * @param serviceUrl the Bot Connector of Teams
 * @param metadataUrl how the Bot Framework describes itself (OpenID Connect Discovery)
 * @param issuer who signs the requests to a bot; its tokens are asked for under the same name
 * @param keysKept how long the signing keys are believed
 */
public record TeamsPlaces(
        String loginUrl, String graphUrl, String serviceUrl, String metadataUrl, String issuer, Duration keysKept) {
    /** Each without a slash at its end. */
    public TeamsPlaces {
        loginUrl = bare(loginUrl);
        graphUrl = bare(graphUrl);
        serviceUrl = bare(serviceUrl);
        issuer = bare(issuer);
    }

    private static String bare(String url) {
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    String graphScope() {
        return graphUrl + "/.default";
    }

    String botScope() {
        return issuer + "/.default";
    }
}
