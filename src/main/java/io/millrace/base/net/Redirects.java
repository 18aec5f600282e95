package io.millrace.base.net;

import io.vertx.core.http.HttpHeaders;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Derives the next request from a redirect. Pure; the rules are those of the fetch standard. */
final class Redirects {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final Set<String> OF_THE_BODY =
            Set.of("content-type", "content-encoding", "content-language", "content-location");

    private Redirects() {}

    static boolean isRedirect(int status) {
        return STATUSES.contains(status);
    }

    /**
     * The next request.
     *
     * @throws OutboundFailure when the location is not an http or https URL
     */
    static OutboundRequest next(OutboundRequest request, int status, String location) {
        var address = resolved(request.address(), location);
        var bodyDropped = dropsBody(request.method(), status);
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(request.headers());
        if (bodyDropped) {
            OF_THE_BODY.forEach(headers::remove);
        }
        if (!address.sameOriginAs(request.address())) {
            leaveOrigin(headers, request.credentials());
        }
        return new OutboundRequest(
                bodyDropped ? "GET" : request.method(),
                keepingUserInfo(request.address(), address),
                headers,
                bodyDropped ? Optional.empty() : request.body(),
                request.bounds(),
                request.proxy(),
                request.credentials());
    }

    private static boolean dropsBody(String method, int status) {
        return switch (status) {
            case 301, 302 -> method.equals("POST");
            case 303 -> !method.equals("GET") && !method.equals("HEAD");
            default -> false;
        };
    }

    private static void leaveOrigin(Map<String, String> headers, Set<String> credentials) {
        headers.keySet().removeIf(SensitiveHeaders::isSensitive);
        credentials.forEach(headers::remove);
        headers.remove(HttpHeaders.HOST.toString());
    }

    private static WebAddress resolved(WebAddress base, String location) {
        try {
            return base.resolve(location);
        } catch (IllegalArgumentException malformed) {
            throw new OutboundFailure(
                    OutboundFailure.Kind.MALFORMED_RESPONSE,
                    base.host() + " redirected to an address that is not an http or https URL");
        }
    }

    /** Credentials in the URL are passed on to the same origin, as a header would be. */
    private static WebAddress keepingUserInfo(WebAddress from, WebAddress to) {
        return to.userInfo().isPresent() || !to.sameOriginAs(from)
                ? to
                : new WebAddress(to.scheme(), to.host(), to.port(), to.target(), from.userInfo());
    }
}
