package io.millrace.piece.builtin.teams;

import java.time.Duration;

/**
 * Endpoints of Microsoft's services; national clouds have different ones.
 *
 * @param loginUrl token endpoints of all tenants
 * @param graphUrl Microsoft Graph, without a version
 * @param serviceUrl the Bot Connector of Teams
 * @param metadataUrl metadata of the Bot Framework (OpenID Connect Discovery)
 * @param issuer issuer of request tokens, also used to request the bot's tokens
 * @param keysKept cache time of the signing keys
 */
public record TeamsPlaces(
        String loginUrl, String graphUrl, String serviceUrl, String metadataUrl, String issuer, Duration keysKept) {
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
