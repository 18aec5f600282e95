package io.millrace.grant;

import io.millrace.http.Html;
import io.millrace.secret.Hashes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * The page on which a person signs in and decides (contract admin-api 33.4). One file; its script and style never change, so
 * that the page may allow just these. What varies stands in attributes, escaped.
 */
final class ConsentPage {
    private static final String STYLE = resource("/consent-page.css");
    private static final String SCRIPT = resource("/consent-page.js");

    /** Nothing from elsewhere, and no frame around it: a person must see what is agreed to. */
    static final String POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
            + " connect-src 'self'; style-src 'sha256-" + hash(STYLE) + "'; script-src 'sha256-" + hash(SCRIPT) + "'";

    private ConsentPage() {}

    static String ask(Consent consent, String authRequestId, Issuer issuer) {
        var client = Html.escape(consent.client().label());
        var request = consent.request();
        return page("Let " + client + " in?", """
                <h1>Let <em>%s</em> in?</h1>
                <p>It asks to see and use flows as tools, in your name. You will be sent back to <b>%s</b>.
                  If you did not start this yourself, refuse.</p>
                <form id="sign-in">
                  <label>E-mail <input name="email" type="email" autocomplete="username" required autofocus></label>
                  <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
                  <button type="submit">Sign in</button>
                </form>
                <form id="consent" hidden data-api="%s" data-request="%s">
                  <label>Project <select name="project"><option value="">All my projects</option></select></label>
                  <button type="submit">Allow</button>
                </form>
                <p id="problem" role="alert" hidden></p>
                <p class="refuse"><a href="%s" rel="noreferrer">Refuse</a></p>
                <noscript><p>This page needs JavaScript to sign you in.</p></noscript>
                <script>%s</script>
                """.formatted(
                        client,
                        Html.escape(place(request.redirectUri())),
                        Html.escape(issuer.prefix() + "/api"),
                        Html.escape(authRequestId),
                        Html.escape(request.denied()),
                        SCRIPT));
    }

    static String expired() {
        return page("This request has ended", """
                <h1>This request has ended</h1>
                <p>It is older than ten minutes, or its address is incomplete. Start again from the program that sent you
                  here.</p>
                """);
    }

    /** Host of a web address, else the program that an address opens. */
    private static String place(String redirectUri) {
        var uri = URI.create(redirectUri);
        return uri.getHost() != null && uri.getScheme().startsWith("http") ? uri.getHost() : uri.getScheme() + ":";
    }

    private static String page(String title, String main) {
        return """
                <!doctype html>
                <html lang="en">
                <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title><style>%s</style></head>
                <body><main>
                %s</main></body>
                </html>
                """.formatted(title, STYLE, main);
    }

    private static String hash(String text) {
        return Base64.getEncoder().encodeToString(Hashes.sha256(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String resource(String name) {
        try (var stream = ConsentPage.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException(name + " is missing from this build");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + name, unreadable);
        }
    }
}
