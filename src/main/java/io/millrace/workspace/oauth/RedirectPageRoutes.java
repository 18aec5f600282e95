package io.millrace.workspace.oauth;

import io.millrace.base.http.ApiReply;
import io.millrace.base.http.page.HtmlPage;
import io.vertx.ext.web.RoutingContext;

/**
 * The page to which providers redirect a user (contract admin-api 7.7). It passes the code and the name of the provider only
 * to an opener window of the same origin. Sign-in with a provider ends here too (32.8).
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

    private RedirectPageRoutes() {}

    static void show(RoutingContext context) {
        var code = context.queryParams().get("code");
        if (code == null || code.isEmpty()) {
            ApiReply.of(200, "text/plain; charset=utf-8", "The code is missing in url")
                    .sendTo(context);
            return;
        }
        PAGE.reply(200, context.response()).sendTo(context);
    }
}
