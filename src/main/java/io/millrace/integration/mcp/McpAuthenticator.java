package io.millrace.integration.mcp;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.workspace.authorizationserver.Issuer;
import io.vertx.core.Future;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Authenticates a caller by origin and bearer token (MCP, Authorization; RFC 6750, RFC 9728). A refusal names the metadata of
 * the authorization server for this resource.
 */
final class McpAuthenticator {
    private static final String BEARER = "bearer ";
    private static final int UNAUTHENTICATED = 401;
    private static final long DEADLINE_MS = 10_000;
    private static final int TOKEN_LENGTH_MAX = 8 * 1024;
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final Bus bus;
    private final Supplier<String> publicUrl;
    private final List<String> allowedOrigins;

    /**
     * @param allowedOrigins pages that may call besides those of this server and of this computer; {@code *} for any
     */
    McpAuthenticator(Bus bus, Supplier<String> publicUrl, List<String> allowedOrigins) {
        this.bus = bus;
        this.publicUrl = publicUrl;
        this.allowedOrigins = List.copyOf(allowedOrigins);
    }

    Future<McpCaller> enter(McpRequest request) {
        refuseForeignPage(request);
        var resource = issuer(request).at(request.resourcePath());
        return identify(request, resource);
    }

    private Issuer issuer(McpRequest request) {
        return Issuer.of(publicUrl.get(), request.authority());
    }

    /** The header WWW-Authenticate of a refusal; empty when it was not for the token that the caller was refused. */
    Optional<String> challenge(McpRequest request, Throwable failure) {
        if (!(failure instanceof ApiException refused) || refused.code().status() != UNAUTHENTICATED) {
            return Optional.empty();
        }
        var error = refused.code() == ErrorCode.INVALID_BEARER_TOKEN ? "error=\"invalid_token\", " : "";
        var metadata = issuer(request).metadataOf(request.resourcePath());
        return Optional.of("Bearer " + error + "resource_metadata=\"" + metadata + "\", scope=\"mcp\"");
    }

    private Future<McpCaller> identify(McpRequest request, String resource) {
        var sent = request.headers().getAll("Authorization");
        if (sent.isEmpty()) {
            return Future.failedFuture(ApiException.of(ErrorCode.AUTHENTICATION, "expected a bearer token"));
        }
        var header = sent.getFirst();
        var isToken = sent.size() == 1
                && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                && header.length() <= TOKEN_LENGTH_MAX;
        if (!isToken) {
            return Future.failedFuture(ApiException.of(ErrorCode.INVALID_BEARER_TOKEN, "expected one bearer token"));
        }
        var token = header.substring(BEARER.length()).strip();
        return bus.ask(new McpServers.Identify(token, request.projectId(), resource), DEADLINE_MS)
                .map(caller -> caller.from(request.address()));
    }

    /** Protects servers on a person's own computer from pages that found out its address (DNS rebinding). */
    private void refuseForeignPage(McpRequest request) {
        var origins = request.headers().getAll("Origin");
        if (!origins.isEmpty() && (origins.size() > 1 || !isAllowed(origins.getFirst()))) {
            throw ApiException.of(ErrorCode.AUTHORIZATION, "the origin of the page is not allowed");
        }
    }

    private boolean isAllowed(String origin) {
        if (allowedOrigins.contains("*") || allowedOrigins.contains(origin)) {
            return true;
        }
        try {
            var page = new URI(origin);
            return page.getHost() != null && (LOOPBACK.contains(page.getHost()) || isOwn(page));
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    private boolean isOwn(URI page) {
        var own = URI.create(publicUrl.get());
        return own.getScheme().equals(page.getScheme()) && own.getRawAuthority().equals(page.getRawAuthority());
    }
}
