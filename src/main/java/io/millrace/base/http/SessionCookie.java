package io.millrace.base.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Sessions of our own pages: an access token in a cookie that no script can read (decision 0105). A browser also sends
 * the cookie with cross-origin requests, so the cookie is accepted only with proof that the request is same-origin. A
 * bearer token needs no proof and always wins.
 */
public final class SessionCookie {
    /** Names of all cookies of this server begin so. */
    public static final String NAMES = "millrace_";

    private static final String NAME = NAMES + "session";
    private static final String HEADER = "X-Session";
    private static final String WISH = "cookie";
    private static final String SECURE_SCHEME = "https://";
    private static final Set<HttpMethod> SAFE = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

    private final Supplier<String> publicUrl;

    /** @param publicUrl address of this server without a slash at its end */
    public SessionCookie(Supplier<String> publicUrl) {
        this.publicUrl = publicUrl;
    }

    /** The token of a request without an Authorization header; empty unless our own pages made the request. */
    Optional<String> tokenOf(HttpServerRequest request) {
        var own = SAFE.contains(request.method()) ? isHarmless(request) : isAsked(request);
        return own && !request.headers().contains("Authorization") ? token(request) : Optional.empty();
    }

    /** The token of a request that opens a socket; a browser lets no script set headers there. */
    Optional<String> tokenOfHandshake(HttpServerRequest request) {
        return isFromOwnPage(request) ? token(request) : Optional.empty();
    }

    /** Another server of this host can set a cookie of the same name: of two, ours cannot be identified. */
    private static Optional<String> token(HttpServerRequest request) {
        var found = request.headers().getAll("Cookie").stream()
                .flatMap(line -> Arrays.stream(line.split(";")))
                .map(String::strip)
                .filter(cookie -> cookie.startsWith(NAME + "="))
                .map(cookie -> cookie.substring(NAME.length() + 1))
                .toList();
        return found.size() == 1 ? Optional.of(found.getFirst()).filter(value -> !value.isEmpty()) : Optional.empty();
    }

    /** Answers with a session. Our own page gets its token in the cookie, when it requests that, and not in the body. */
    public ApiReply answer(RoutingContext context, ObjectNode session) {
        if (!isAsked(context.request())) {
            return ApiReply.ok(session);
        }
        var token = session.path("token").asText();
        session.remove("token");
        open(context, token);
        return ApiReply.ok(session);
    }

    public void open(RoutingContext context, String token) {
        context.response().addCookie(cookie(token).setMaxAge(lifetimeSeconds(token)));
        context.response().putHeader("Cache-Control", "no-store");
    }

    /** Refused as AUTHORIZATION for cross-origin requests. */
    public void close(RoutingContext context) {
        checkOwnPage(context.request());
        context.response().addCookie(cookie("").setMaxAge(0));
    }

    /** Refuses cross-origin requests as AUTHORIZATION. */
    public void checkOwnPage(HttpServerRequest request) {
        if (!isFromOwnPage(request)) {
            throw ApiException.of(ErrorCode.AUTHORIZATION, "expected a request from a page of this server");
        }
    }

    private Cookie cookie(String token) {
        return Cookie.cookie(NAME, token)
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(isSecure())
                .setSameSite(CookieSameSite.LAX);
    }

    /** Returns true if one of our pages sent the request: by a header that no form can send. */
    public boolean isAsked(HttpServerRequest request) {
        return WISH.equals(request.getHeader(HEADER)) && isFromOwnPage(request);
    }

    private boolean isFromOwnPage(HttpServerRequest request) {
        var origin = request.getHeader("Origin");
        return origin == null ? "same-origin".equals(request.getHeader("Sec-Fetch-Site")) : isOwn(origin, request);
    }

    /** Safe methods have no effect, and another origin cannot read the response. */
    private boolean isHarmless(HttpServerRequest request) {
        var origin = request.getHeader("Origin");
        var site = request.getHeader("Sec-Fetch-Site");
        return (origin == null || isOwn(origin, request)) && (site == null || OWN_SITES.contains(site));
    }

    /**
     * The configured origin, or the one that the browser called. Only an attacker between the browser and the server can
     * choose its scheme, and gains nothing where the scheme is https.
     */
    private boolean isOwn(String origin, HttpServerRequest request) {
        if (origin.equals(originOf(publicUrl.get()))) {
            return true;
        }
        var host = request.getHeader("Host");
        return host != null && (origin.equals(SECURE_SCHEME + host) || !isSecure() && origin.equals("http://" + host));
    }

    /** As a browser writes it: lower case, and without the port that the scheme implies. */
    static String originOf(String url) {
        var uri = URI.create(url);
        var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        var usual = scheme.equals("https") ? 443 : 80;
        var port = uri.getPort() == -1 || uri.getPort() == usual ? "" : ":" + uri.getPort();
        return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT) + port;
    }

    private boolean isSecure() {
        return publicUrl.get().startsWith(SECURE_SCHEME);
    }

    /** Lifetime claimed by a token that this server has just made. */
    private static long lifetimeSeconds(String token) {
        var claims = claims(token);
        return claims.path("exp").longValue() - claims.path("iat").longValue();
    }

    private static JsonNode claims(String token) {
        try {
            return Json.parse(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]));
        } catch (JsonProcessingException | IllegalArgumentException malformed) {
            throw new IllegalStateException("expected a token of this server", malformed);
        }
    }
}
