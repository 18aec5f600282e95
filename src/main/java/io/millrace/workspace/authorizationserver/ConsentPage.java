package io.millrace.workspace.authorizationserver;

import io.millrace.base.http.page.Html;
import io.millrace.base.http.page.HtmlPage;
import java.net.URI;

/**
 * Page on which a user signs in and decides (contract admin-api 33.4). Users with a session and users without a password
 * arrive from the sign-in page.
 */
final class ConsentPage {
    private static final String SCRIPT = HtmlPage.resource("/consent-page.js");

    private ConsentPage() {}

    /** @param platform name of the platform, which the client asks to access */
    static HtmlPage ask(Consent consent, String authRequestId, Issuer issuer, String platform) {
        var client = Html.escape(consent.client().label());
        var request = consent.request();
        return HtmlPage.plain(
                "Allow " + consent.client().label() + " to access your projects? · " + platform,
                """
                <h1>Allow <em>%s</em> to access your projects?</h1>
                <p>It asks to see, change and run flows in your name. You will be sent back to <b>%s</b>.
                  If you did not start this yourself, refuse.</p>
                <form id="sign-in">
                  <label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
                  <label>Password <input name="password" type="password" autocomplete="current-password" required
                    aria-describedby="problem"></label>
                  <button type="submit">Sign in</button>
                  <p class="switch"><a id="elsewhere" href="%s/sign-in">Sign in another way</a></p>
                </form>
                <form id="consent" hidden data-api="%s" data-request="%s" data-project="%s">
                  <p>You are signed in as <b id="who"></b>. <button type="button" class="link" id="other">Not you?</button></p>
                  <label>Project <select name="project" aria-describedby="problem"></select></label>
                  <button type="submit">Allow</button>
                </form>
                <p id="problem" role="alert"></p>
                <p class="refuse"><a href="%s" rel="noreferrer">Refuse</a></p>
                <noscript><p>This page needs JavaScript to sign you in.</p></noscript>
                """.formatted(
                        client,
                        Html.escape(place(request.redirectUri())),
                        Html.escape(issuer.prefix()),
                        Html.escape(issuer.prefix() + "/api"),
                        Html.escape(authRequestId),
                        Html.escape(
                                request.resource().flatMap(Issuer::projectOf).orElse("")),
                        Html.escape(request.denied())),
                SCRIPT);
    }

    static HtmlPage expired() {
        return HtmlPage.plain("This request has ended", """
                <h1>This request has ended</h1>
                <p>It is older than ten minutes, or its address is incomplete. Start again from the program that sent you
                  here.</p>
                """, "");
    }

    /** Host of a web address, else the scheme, which identifies a program. */
    private static String place(String redirectUri) {
        var uri = URI.create(redirectUri);
        return uri.getHost() != null && uri.getScheme().startsWith("http") ? uri.getHost() : uri.getScheme() + ":";
    }
}
