package io.millrace.account.signon;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.net.FreePort;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.vertx.core.http.HttpServerRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sign-in by an identity provider in a pop-up window of the browser. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
final class SignOnBrowserIT {
    private static final SamlPeer SAML = SamlPeer.create();
    private static final AtomicReference<String> person = new AtomicReference<>();
    private static final AtomicBoolean asksForConsent = new AtomicBoolean();
    private static final AtomicInteger asked = new AtomicInteger();

    private static OidcPeer oidc;
    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static Browser browser;
    private static String url;

    @BeforeAll
    static void start() {
        var port = FreePort.find().orElseThrow();
        url = "http://localhost:" + port;
        oidc = new OidcPeer(() -> server.clock().instant());
        oidc.instead.put("/tenant/authorize", SignOnBrowserIT::agree);
        oidc.instead.put("/tenant/saml", SignOnBrowserIT::answer);
        server = TestServer.start(Map.of(
                "AP_PORT",
                "" + port,
                "AP_FRONTEND_URL",
                url,
                "AP_GOOGLE_CLIENT_ID",
                "mill",
                "AP_GOOGLE_CLIENT_SECRET",
                "a/secret",
                "AP_GOOGLE_ISSUER_URL",
                oidc.issuer(),
                "AP_SSRF_ALLOW_LIST",
                "127.0.0.1"));
        admin = server.signUp("ada@corp.example", "Ada");
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.close();
        oidc.close();
    }

    /** Page of the provider, on which the user consents immediately, or has yet to consent. */
    private static void agree(HttpServerRequest request) {
        if (asksForConsent.get()) {
            asked.incrementAndGet();
            request.response().putHeader("Content-Type", "text/html").end("<!doctype html><title>Consent</title>");
            return;
        }
        var query = OidcPeer.query(request.query());
        var code = oidc.agree(request.absoluteURI(), person.get(), claims -> claims);
        request.response()
                .setStatusCode(302)
                .putHeader(
                        "Location",
                        query.get("redirect_uri") + "?code=" + code + "&state=" + encoded(query.get("state")) + "&iss="
                                + encoded(oidc.issuer()))
                .end();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static void signIn(String email) {
        person.set(email);
        // The session of another test, if that ran before.
        browser.open(url + "/assets/logo-icon.svg");
        browser.forget();
        browser.open(url + "/sign-in");
        browser.awaitText("h1", "Sign in");
        browser.click("[data-provider=google]");
    }

    @Test
    void admitsInvitedUsers_andRefusesOthersWithTheReason() {
        // given
        server.execute("""
                insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)
                values ($1, now(), now(), 'grace@gmail.com', 'ACCEPTED', 'PLATFORM', $2, 'MEMBER')
                """, Ids.next(), admin.platformId());

        // when
        signIn("eve@gmail.com");

        // then
        browser.awaitText(".notice", "invit");
        browser.inspect("sign-in-stranger");

        // when
        signIn("grace@gmail.com");

        // then
        browser.awaitText(".avatar", "GH");
        Waiting.until("the flows are shown", () -> browser.address().startsWith(url + "/projects/"));
        assertThat(browser.address()).endsWith("/flows");
        assertThat(browser.run("return document.cookie + JSON.stringify(sessionStorage)")
                        .asText())
                .doesNotContain("eyJ");
    }

    @Test
    void aSecondPress_opensThePageOfTheProviderAgain() {
        // given
        server.execute("""
                insert into user_invitation (id, created, updated, email, status, type, platform_id, platform_role)
                values ($1, now(), now(), 'ida@gmail.com', 'ACCEPTED', 'PLATFORM', $2, 'MEMBER')
                """, Ids.next(), admin.platformId());
        asksForConsent.set(true);
        signIn("ida@gmail.com");
        Waiting.until("the page of the provider is open", () -> asked.get() > 0);
        asksForConsent.set(false);

        // when
        browser.click("[data-provider=google]");

        // then
        browser.awaitText(".avatar", "GH");
    }

    /** Page of the other provider: it redirects the browser with its response. */
    private static void answer(HttpServerRequest request) {
        var document = SamlPeer.response(
                url + "/api/v1/authn/saml",
                SamlPeer.questionIn(request.query()),
                person.get(),
                server.clock().instant());
        request.response().putHeader("Content-Type", "text/html").end("""
                <!doctype html><title>Provider</title><form method="post" action="%s/api/v1/authn/saml/acs">
                <input type="hidden" name="SAMLResponse" value="%s"></form><script>document.forms[0].submit()</script>
                """.formatted(
                        url, SAML.brought(document, _ -> {})));
    }

    /** The administrator configures the providers in the console; then users of the domain sign in with them. */
    @Test
    void setsUpItsOwnProviders_andLetsPeopleOfItsDomainIn() {
        // given
        browser.signIn(url, admin.api());
        browser.awaitText(".avatar", "AM");
        browser.open(url + "/platform/sign-on");
        browser.awaitText("main", "OpenID Connect");

        // when the domain is entered, its record is shown, and the domain is not verified before the record exists
        browser.click("section:nth-of-type(3) .button");
        browser.type("[name=ssoDomain]", "ada@corp.example");
        browser.click("dialog .primary");
        browser.awaitText("section:nth-of-type(3)", "_millrace.corp.example");
        browser.click("section:nth-of-type(3) .primary");
        Waiting.until(
                "the record is missed",
                () -> browser.run("return !!document.querySelector('main [role=alert]')")
                        .asBoolean());
        server.execute("""
                update platform set sso_domain_verification = sso_domain_verification || '{"status": "VERIFIED"}'
                """);

        // and the administrator enters the data of the provider
        browser.click("[data-set-up=oidc]");
        browser.type("[name=issuer]", oidc.issuer());
        browser.type("[name=clientId]", "own");
        browser.type("[name=clientSecret]", "own-secret");
        browser.click("dialog .primary");
        browser.awaitText(".toasts", "OpenID Connect configured");
        browser.click(".toast .button:last-child");
        browser.click("[data-set-up=saml]");
        browser.type("[name=idpMetadata]", SamlPeer.metadata(oidc.issuer() + "/saml"));
        browser.type("[name=idpCertificate]", SAML.pem());
        browser.click("dialog .primary");
        browser.awaitText(".toasts", "SAML 2.0 configured");
        browser.inspect("platform-sign-on-set-up");

        // then
        comesIn("oidc", "new@corp.example");
        comesIn("saml", "lin@corp.example");
    }

    private static void comesIn(String provider, String email) {
        person.set(email);
        browser.forget();
        browser.open(url + "/sign-in");
        browser.awaitText("h1", "Sign in");
        browser.click("[data-provider=" + provider + "]");
        browser.awaitText(".avatar", "GH");
        Waiting.until("the flows are shown", () -> browser.address().startsWith(url + "/projects/"));
        browser.click(".avatar");
        browser.awaitText(".menu", email);
    }
}
