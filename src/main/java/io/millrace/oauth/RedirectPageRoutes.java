package io.millrace.oauth;

import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.millrace.secret.Hashes;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The page to which providers send a user back (contract admin-api 7.7). It hands the code to the window that opened it
 * when that one is of the same origin, and to no other. Signing in with a provider ends
 * here too (32.8). The script never changes, so that the page may allow just it.
 */
final class RedirectPageRoutes {
    private static final String SCRIPT = """
            const code = new URLSearchParams(location.search).get('code');
            if (window.opener && code) {
              window.opener.postMessage({ code: encodeURIComponent(code) }, location.origin);
            }
            """;

    private static final String PAGE = """
            <!doctype html>
            <html lang="en">
            <head><meta charset="utf-8"><title>Connected</title></head>
            <body><p>Redirected successfully, this window should close now.</p><script>%s</script></body>
            </html>
            """.formatted(SCRIPT);

    private static final String POLICY = "default-src 'none'; frame-ancestors 'none'; script-src 'sha256-"
            + Base64.getEncoder().encodeToString(Hashes.sha256(SCRIPT.getBytes(StandardCharsets.UTF_8))) + "'";

    private RedirectPageRoutes() {}

    static void show(RoutingContext context) {
        var code = context.queryParams().get("code");
        if (code == null || code.isEmpty()) {
            Routes.send(context, Reply.of(200, "text/plain; charset=utf-8", "The code is missing in url"));
            return;
        }
        context.response()
                .putHeader("Content-Security-Policy", POLICY)
                .putHeader("Cache-Control", "no-store")
                .putHeader("Referrer-Policy", "no-referrer");
        Routes.send(context, Reply.of(200, "text/html; charset=utf-8", PAGE));
    }
}
