package io.millrace.integration.console;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** How a page of this build is sent: asked for again each time, and only sent when it has changed. */
final class PageAnswer {
    private static final int NOT_MODIFIED = 304;

    private PageAnswer() {}

    /**
     * Sends a page. Its policy is put before.
     *
     * @param framers origins that may put a frame around it
     */
    static void send(RoutingContext context, Buffer html, List<String> framers) {
        var tag = ConsoleFiles.tagOf(html.getBytes());
        var response = context.response()
                .putHeader("Cache-Control", "no-cache")
                .putHeader("ETag", tag)
                .putHeader("X-Content-Type-Options", "nosniff")
                .putHeader("Referrer-Policy", "no-referrer")
                .putHeader("Cross-Origin-Opener-Policy", "same-origin-allow-popups");
        if (framers.isEmpty()) {
            response.putHeader("X-Frame-Options", "DENY");
        }
        if (isKnown(context, tag)) {
            response.setStatusCode(NOT_MODIFIED).end();
            return;
        }
        response.putHeader("Content-Type", "text/html; charset=utf-8");
        end(context, html);
    }

    /** Who may put a frame around a page, as a policy says it. */
    static String ancestors(List<String> framers) {
        return framers.isEmpty() ? "'none'" : "'self' " + String.join(" ", framers);
    }

    static boolean isKnown(RoutingContext context, String tag) {
        var known = context.request().getHeader("If-None-Match");
        return known != null && known.contains(tag);
    }

    static void end(RoutingContext context, Buffer body) {
        var response = context.response();
        if ("HEAD".equals(context.request().method().name())) {
            response.putHeader("Content-Length", String.valueOf(body.length())).end();
        } else {
            response.end(body);
        }
    }
}
