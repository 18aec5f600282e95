package io.millrace.engine.webhook;

import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Who fetches a link on which somebody decides: a program that was written to, or one that shows pages to people or looks at
 * links before they do. Browsers, and what imitates them, want HTML or call themselves Mozilla; previews of messengers and
 * crawlers say what they are (decision 0340).
 */
final class LinkReader {
    private static final String PAGE = "text/html";
    private static final Pattern LOOKS = Pattern.compile(
            "mozilla|bot\\b|crawl|spider|preview|scan|externalhit|whatsapp|unfurl", Pattern.CASE_INSENSITIVE);

    /** By which browsers say why they fetch, and what for. */
    private static final List<String> OF_BROWSERS = List.of("Sec-Fetch-Mode", "Sec-Purpose", "Purpose", "X-Purpose");

    private LinkReader() {}

    static boolean wantsPage(HttpServerRequest request) {
        var accept = request.getHeader("Accept");
        return accept != null && accept.toLowerCase(Locale.ROOT).contains(PAGE);
    }

    /** Whether a GET of this request means what it says. */
    static boolean isProgram(HttpServerRequest request) {
        var agent = request.getHeader("User-Agent");
        return !wantsPage(request)
                && OF_BROWSERS.stream().noneMatch(request.headers()::contains)
                && (agent == null || !LOOKS.matcher(agent).find());
    }
}
