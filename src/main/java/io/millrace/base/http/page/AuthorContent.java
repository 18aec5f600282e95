package io.millrace.base.http.page;

import io.millrace.base.core.text.HeaderRule;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Answers whose content is a flow author's and whose address is ours. A browser gives such a document an opaque origin, so
 * that its script reaches neither the session nor the storage of the pages (decision 0104), and headers with a lasting effect
 * or an effect on the whole host are removed.
 */
public final class AuthorContent {
    /** Scripts and forms work; the document is of no origin, and so is every window that it opens. */
    static final String POLICY = "sandbox allow-scripts allow-forms allow-popups allow-modals allow-downloads";

    /** Sent with every answer: with cached hash and bytes. */
    private static final CharSequence POLICY_HEADER = HttpHeaders.createOptimized("Content-Security-Policy");

    private static final CharSequence POLICY_BYTES = HttpHeaders.createOptimized(POLICY);
    private static final CharSequence TYPE_OPTIONS = HttpHeaders.createOptimized("X-Content-Type-Options");
    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    private static final String CONTENT_SECURITY_POLICY = "content-security-policy";

    /** Headers of one connection (RFC 9110 7.6.1), valid only between this server and its next hop. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "content-length",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** Headers by which an answer would change how a browser treats other answers of the host. */
    private static final Set<String> OF_THE_HOST = Set.of(
            "accept-ch",
            "access-control-allow-credentials",
            "activate-storage-access",
            "alt-svc",
            "clear-site-data",
            "critical-ch",
            "expect-ct",
            "nel",
            "observe-browsing-topics",
            "origin-agent-cluster",
            "public-key-pins",
            "public-key-pins-report-only",
            "refresh",
            "report-to",
            "reporting-endpoints",
            "secure-session-registration",
            "sec-session-registration",
            "service-worker-allowed",
            "set-cookie",
            "set-cookie2",
            "set-login",
            "shared-storage-write",
            "sourcemap",
            "speculation-rules",
            "strict-transport-security",
            "supports-loading-mode",
            "use-as-dictionary",
            "x-content-type-options",
            "x-lighttpd-send-file",
            "x-sendfile",
            "x-sourcemap");

    /** Prefix of headers that control a proxy in front of this server. */
    private static final String PROXY_COMMANDS = "x-accel-";

    /** Relations that name other pages; all others of a Link header make a browser load a resource. */
    private static final Set<String> NAVIGATION =
            Set.of("next", "prev", "previous", "first", "last", "self", "up", "canonical", "alternate", "describedby");

    private static final Pattern RELATION = Pattern.compile(";\\s*rel\\*?\\s*=\\s*\"?([^\";]*)");

    private AuthorContent() {}

    /** Gives the document an opaque origin, and disables sniffing of its type. Set before the author's own headers. */
    public static void isolate(HttpServerResponse response) {
        response.putHeader(POLICY_HEADER, POLICY_BYTES).putHeader(TYPE_OPTIONS, NO_SNIFF);
    }

    /** Takes a header that an author set, unless it would break the answer or reach beyond it. */
    public static void putHeader(HttpServerResponse response, String name, String value) {
        var key = name.toLowerCase(Locale.ROOT);
        if (!reachesCaller(name, value)) {
            return;
        }
        if (key.equals(CONTENT_SECURITY_POLICY)) {
            // A browser enforces all of several policies, so another one can only tighten.
            response.headers().add(name, value);
        } else {
            response.putHeader(name, value);
        }
    }

    /**
     * Returns true if this header of an author's response is passed on: some would break the response or affect other pages
     * of the host.
     */
    public static boolean reachesCaller(String name, String value) {
        return HeaderRule.isName(name)
                && HeaderRule.isValue(value)
                && isOfTheAnswer(name.toLowerCase(Locale.ROOT), value);
    }

    private static boolean isOfTheAnswer(String key, String value) {
        return !HOP_BY_HOP.contains(key)
                && !OF_THE_HOST.contains(key)
                && !key.startsWith(PROXY_COMMANDS)
                && (!key.equals("link") || isNavigation(value));
    }

    private static boolean isNavigation(String links) {
        return Arrays.stream(links.toLowerCase(Locale.ROOT).split(","))
                .map(RELATION::matcher)
                .allMatch(relation ->
                        relation.find() && NAVIGATION.contains(relation.group(1).strip()) && !relation.find());
    }
}
