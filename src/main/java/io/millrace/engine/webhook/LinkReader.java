package io.millrace.engine.webhook;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Classifies the client that fetches a decision link: a program, or a browser, crawler or link preview. Browsers and their
 * imitations accept HTML or identify as Mozilla; previews of messengers and crawlers identify themselves (decision 0106).
 */
final class LinkReader {
    private static final String PAGE = "text/html";
    private static final Pattern LOOKS = Pattern.compile(
            "mozilla|bot\\b|crawl|spider|preview|scan|externalhit|whatsapp|unfurl", Pattern.CASE_INSENSITIVE);

    /** Headers by which browsers declare the mode and purpose of a request. */
    private static final List<String> OF_BROWSERS = List.of("Sec-Fetch-Mode", "Sec-Purpose", "Purpose", "X-Purpose");

    private LinkReader() {}

    static boolean wantsPage(HttpServerRequest request) {
        var accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains(PAGE);
    }

    /** Returns true if a GET of this request is a deliberate decision by a program. */
    static boolean isProgram(HttpServerRequest request) {
        var agent = request.getHeader("User-Agent");
        return !wantsPage(request)
                && OF_BROWSERS.stream().noneMatch(request.headers()::contains)
                && (agent == null || !LOOKS.matcher(agent).find());
    }
}
