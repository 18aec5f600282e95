package io.millrace.grant;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The public address of this server as one caller reaches it: the host of the request, with scheme and path of the public
 * URL (contract admin-api 33.1).
 */
public record Issuer(String url) {
    /** Where MCP is served: a project's tools, and those of the whole platform. */
    static final String PROJECT_RESOURCE = "/mcp";

    static final String PLATFORM_RESOURCE = "/mcp/platform";

    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9._-]{1,255}|\\[[0-9A-Fa-f:.]{2,45}])(?::[0-9]{1,5})?");

    /**
     * @param host the header of that name, or null; a malformed one is not taken over into answers
     */
    public static Issuer of(String publicUrl, String host) {
        var known = URI.create(publicUrl);
        var path = Optional.ofNullable(known.getRawPath()).orElse("");
        var authority = host != null && HOST.matcher(host).matches() ? host : known.getRawAuthority();
        return new Issuer(known.getScheme() + "://" + authority + (path.equals("/") ? "" : path));
    }

    /** Address of a path of this server. */
    public String at(String path) {
        return url + path;
    }

    /** Path in front of every path of this server; empty without one. */
    String prefix() {
        return Optional.ofNullable(URI.create(url).getRawPath()).orElse("");
    }

    /** Whether tokens for this resource are given here (RFC 8707). */
    boolean serves(String resource) {
        return List.of(at(PROJECT_RESOURCE), at(PLATFORM_RESOURCE)).contains(resource);
    }
}
