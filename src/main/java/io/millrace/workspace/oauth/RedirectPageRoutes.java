package io.millrace.workspace.oauth;

import io.millrace.base.http.ApiReply;
import io.millrace.base.http.page.HtmlPage;
import io.vertx.ext.web.RoutingContext;

/**
 * The page to which providers redirect a user (contract admin-api 7.7). It passes the code and the name of the provider, or
 * the reason of a refusal, only to an opener window of the same origin. Sign-in with a provider ends here too (32.8).
 */
final class RedirectPageRoutes {
    private static final String SCRIPT = """
            const answer = new URLSearchParams(location.search);
            const code = answer.get('code');
            if (window.opener && code) {
              const iss = answer.get('iss');
              window.opener.postMessage({ code: encodeURIComponent(code), ...(iss && { iss }) }, location.origin);
            }
            """;

    private static final HtmlPage PAGE = HtmlPage.plain("Connected", """
            <h1>Connected</h1>
            <p>Redirected successfully, this window should close now.</p>
            """, SCRIPT);

    private static final String REFUSAL_SCRIPT = """
            const answer = new URLSearchParams(location.search);
            const refusal = answer.get('error_description') || answer.get('error');
            document.getElementById('reason').textContent = refusal;
            if (window.opener) {
              window.opener.postMessage({ refusal }, location.origin);
            }
            """;

    private static final HtmlPage REFUSAL = HtmlPage.plain("Not connected", """
            <h1>Not connected</h1>
            <p>The service refused access. Close this window to try again.</p>
            <p id="reason"></p>
            """, REFUSAL_SCRIPT);

    private RedirectPageRoutes() {}

    static void show(RoutingContext context) {
        var code = context.queryParams().get("code");
        var error = context.queryParams().get("error");
        if (error != null && !error.isEmpty()) {
            REFUSAL.reply(200, context.response()).sendTo(context);
            return;
        }
        if (code == null || code.isEmpty()) {
            ApiReply.of(200, "text/plain; charset=utf-8", "The code is missing in url")
                    .sendTo(context);
            return;
        }
        PAGE.reply(200, context.response()).sendTo(context);
    }
}
