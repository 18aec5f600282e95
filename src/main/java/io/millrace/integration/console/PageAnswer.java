package io.millrace.integration.console;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;

/** Response for a page of this build: revalidated on each request, sent only if it has changed. */
final class PageAnswer {
    private static final int NOT_MODIFIED = 304;

    private PageAnswer() {}

    /**
     * Sends a page. Its policy is put before.
     *
     * @param framers origins that may put a frame around it
     */
    static void send(HttpServerRequest request, Buffer html, List<String> framers) {
        var tag = ConsoleFiles.tagOf(html.getBytes());
        var response = request.response()
                .putHeader("Cache-Control", "no-cache")
                .putHeader("ETag", tag)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
        if (framers.isEmpty()) {
            response.putHeader("X-Frame-Options", "DENY");
        }
        if (isKnown(request, tag)) {
            response.setStatusCode(NOT_MODIFIED).end();
            return;
        }
        response.putHeader("Content-Type", "text/html; charset=utf-8");
        end(request, html);
    }

    static String ancestors(List<String> framers) {
        return framers.isEmpty() ? "'none'" : "'self' " + String.join(" ", framers);
    }

    static boolean isKnown(HttpServerRequest request, String tag) {
        var known = request.getHeader("If-None-Match");
        return known != null && known.contains(tag);
    }

    static void end(HttpServerRequest request, Buffer body) {
        var response = request.response();
        if ("HEAD".equals(request.method().name())) {
            response.putHeader("Content-Length", String.valueOf(body.length())).end();
        } else {
            response.end(body);
        }
    }
}
