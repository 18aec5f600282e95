package io.millrace.workspace.authorizationserver;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The public address of this server as one caller reaches it: scheme and path of the public URL, with a host that is
 * known to be this server's (contract admin-api 33.1).
 */
public record Issuer(String url) {
    /** Paths of MCP: the tools of a project, and those of the whole platform. */
    public static final String PROJECT_RESOURCE = "/mcp";

    public static final String PLATFORM_RESOURCE = "/mcp/platform";

    /** Path of the metadata of a protected resource (RFC 9728), put in front of the resource's path. */
    static final String PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource";

    private static final Pattern ONE_PROJECT = Pattern.compile("/api/v1/mcp/([0-9a-zA-Z]{21})/http");

    /** @param authority host and port of this server as used by the caller */
    public static Issuer of(String publicUrl, String authority) {
        var known = URI.create(publicUrl);
        var path = Optional.ofNullable(known.getRawPath()).orElse("");
        return new Issuer(known.getScheme() + "://" + authority + (path.equals("/") ? "" : path));
    }

    public String at(String path) {
        return url + path;
    }

    /** Path in front of every path of this server; empty without one. */
    String prefix() {
        return Optional.ofNullable(URI.create(url).getRawPath()).orElse("");
    }

    /** True when this server issues tokens for the resource (RFC 8707). */
    boolean serves(String resource) {
        return resource.startsWith(url) && isResource(resource.substring(url.length()));
    }

    private static boolean isResource(String path) {
        return List.of(PROJECT_RESOURCE, PLATFORM_RESOURCE).contains(path)
                || ONE_PROJECT.matcher(path).matches();
    }

    public static String pathOf(String projectId) {
        return "/api/v1/mcp/" + projectId + "/http";
    }

    /** The only project that a resource can be opened for; empty when it is not the server of one project. */
    static Optional<String> projectOf(String resource) {
        var path = Optional.ofNullable(URI.create(resource).getRawPath()).orElse("");
        var start = path.lastIndexOf("/api/v1/mcp/");
        return Optional.of(ONE_PROJECT.matcher(path.substring(Math.max(start, 0))))
                .filter(Matcher::matches)
                .map(match -> match.group(1));
    }

    public String metadataOf(String path) {
        return at(PROTECTED_RESOURCE + path);
    }
}
