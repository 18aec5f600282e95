package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.secret.Hashes;
import io.millrace.support.ApiClient;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.millrace.support.outside.MailServer;
import io.millrace.support.outside.Outside;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sign-in with a browser: mails, clicks and the next page. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class SignInBrowserIT {
    private static MailServer mail;
    private static TestServer server;
    private static Browser browser;
    private static Outside client;
    private static String url;

    @BeforeAll
    static void start() {
        mail = MailServer.start();
        client = Outside.start();
        var settings = new HashMap<>(mail.settings());
        settings.put("AP_SSRF_ALLOW_LIST", "127.0.0.1");
        settings.put("AP_ALLOWED_EMBED_ORIGINS", client.url(""));
        server = TestServer.start(settings);
        url = "http://localhost:" + server.port();
        browser = Browser.start();
    }

    @AfterAll
    static void stop() {
        browser.close();
        server.close();
        client.close();
        mail.close();
    }

    /** In order, because there is one first account. */
    @Test
    void letsPeopleInByMail_andTheirClientsToo() {
        var founder = foundsByCode();
        invites(founder);
        accepts();
        forgetsAndChooses();
        letsAClientIn();
        meetsErrors();
        staysHere();
        standsInAFrame();
    }

    private static ApiClient foundsByCode() {
        // When
        browser.open(url + "/sign-up");
        browser.type("#ask [name=email]", "ada@acme-tools.example");
        browser.inspect("sign-in-first");
        browser.click("#ask [type=submit]");
        var code = mail.awaitNth("ada@acme-tools.example", 1).code();
        browser.type("#code [name=code]", "000000".equals(code) ? "111111" : "000000");
        browser.click("#code [type=submit]");
        browser.awaitText("main", "wrong, used or expired");
        browser.inspect("code-refused");
        assertThat(browser.run(
                                "return document.activeElement.name + document.activeElement.getAttribute('aria-invalid')")
                        .asText())
                .isEqualTo("codetrue");
        browser.type("#code [name=code]", code);
        browser.click("#code [type=submit]");
        browser.type("#name [name=fullName]", "Ada Miller");
        browser.inspect("name");
        browser.click("#name [type=submit]");

        // Then
        browser.awaitText("h1", "What are you working on?");
        browser.inspect("welcome");
        assertThat(browser.address()).isEqualTo(url + "/welcome");
        assertThat(browser.run("return document.cookie + JSON.stringify(sessionStorage)")
                        .asText())
                .isEqualTo("{}");
        return server.anonymous().with(browser.cookie("millrace_session"));
    }

    private static void invites(ApiClient founder) {
        var body = Json.object().put("email", "bob@acme-tools.example").put("type", "PLATFORM");
        assertThat(founder.post("/v1/user-invitations", body.put("platformRole", "ADMIN"))
                        .status())
                .isEqualTo(201);
        browser.forget();
        browser.open(url + "/sign-in");
        browser.awaitText("h1", "Sign in");
        browser.inspect("sign-in-code");
    }

    private static void accepts() {
        // When
        var invitation = mail.awaitNth("bob@acme-tools.example", 1).link();
        browser.open(invitation);
        browser.awaitText("main", "bob@acme-tools.example");
        browser.inspect("invitation");
        browser.click("#accept [type=submit]");
        browser.awaitText("#ask", "Sign up with a password");
        browser.open(invitation);
        browser.awaitText("main", "You accepted this invitation");
        browser.inspect("invitation-accepted");
        browser.click(".gate a.button");
        browser.click("#ask [data-show=sign-up]");
        browser.type("#sign-up [name=firstName]", "Bob");
        browser.type("#sign-up [name=lastName]", "Builder");
        browser.type("#sign-up [name=password]", "a long passphrase");
        browser.inspect("sign-up");
        assertThat(browser.run("return document.querySelector('#sign-up [name=email]').value")
                        .asText())
                .isEqualTo("bob@acme-tools.example");
        browser.click("#sign-up [type=submit]");

        // Then
        browser.awaitText(".avatar", "BB");
        browser.open(invitation);
        browser.awaitText("main", "was used or revoked");
        assertThat(isShown("#accept")).isFalse();
        browser.inspect("invitation-used");
        browser.open(invitation.replace("token=", "token=A"));
        browser.awaitText("main", "The address is incomplete");
        browser.open(url);
        browser.awaitText(".avatar", "BB");
    }

    private static boolean isShown(String selector) {
        return browser.run("return document.querySelector(arguments[0]) !== null", selector)
                .asBoolean();
    }

    private static void forgetsAndChooses() {
        // When
        browser.click(".avatar");
        browser.click(".menu [role=group]:last-child [role=menuitem]");
        browser.click("#ask [data-show=password]");
        browser.type("#password [name=email]", "bob@acme-tools.example");
        browser.type("#password [name=password]", "a wrong passphrase");
        browser.click("#password [type=submit]");
        browser.awaitText("main", "E-mail or password is wrong");
        browser.inspect("password-refused");
        browser.click("#password [data-show=forgotten]");
        browser.type("#forgotten [name=email]", "bob@acme-tools.example");
        browser.click("#forgotten [type=submit]");
        browser.awaitText("main", "we sent a link");
        browser.inspect("forgotten");
        var reset = mail.awaitNth("bob@acme-tools.example", 2).link();
        browser.open(reset);
        browser.type("#reset [name=newPassword]", "another passphrase");
        browser.inspect("reset");
        browser.click("#reset [type=submit]");
        browser.awaitText("main", "is saved");
        browser.inspect("reset-done");
        browser.open(reset);
        browser.type("#reset [name=newPassword]", "yet another passphrase");
        browser.click("#reset [type=submit]");
        browser.awaitText("main", "is older than ten minutes");
        browser.inspect("reset-over");
        browser.click(".gate a.button");
        browser.awaitText("#forgotten", "Send link");
        browser.open(url + "/sign-in");
        browser.click("#ask [data-show=password]");
        browser.type("#password [name=email]", "bob@acme-tools.example");
        browser.type("#password [name=password]", "another passphrase");
        browser.click("#password [type=submit]");

        // Then
        browser.awaitText(".avatar", "BB");

        // When a signed-in user requests a new link
        browser.open(reset);
        browser.type("#reset [name=newPassword]", "yet another passphrase");
        browser.click("#reset [type=submit]");
        browser.awaitText("main", "is older than ten minutes");
        browser.click(".gate a.button");

        // Then
        browser.awaitText("#forgotten", "Send link");
        browser.open(url);
        browser.awaitText(".avatar", "BB");
    }

    private static void letsAClientIn() {
        // Given
        var request = Json.object().put("client_name", "Desk Assistant").put("token_endpoint_auth_method", "none");
        request.putArray("redirect_uris").add(client.url("/callback"));
        var clientId = server.anonymous().atRoot().post("/register", request).text("/client_id");
        var challenge = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Hashes.sha256("v".repeat(43).getBytes(StandardCharsets.UTF_8)));
        var address = url + "/authorize?response_type=code&client_id=" + clientId + "&redirect_uri="
                + client.url("/callback") + "&state=s%26t&code_challenge=" + challenge;

        // When: no user is signed in
        browser.forget();
        browser.open(address);
        browser.type("#sign-in [name=email]", "bob@acme-tools.example");
        browser.type("#sign-in [name=password]", "another passphrase");
        browser.awaitText(".brand", platformName());
        assertThat(browser.run("return document.querySelector('.brand img').naturalWidth")
                        .asInt())
                .as("the logo is loaded")
                .isPositive();
        browser.inspect("consent-sign-in");
        browser.click("#sign-in [type=submit]");
        browser.awaitText("#consent", "You are signed in as Bob Builder");
        assertThat(browser.run("const picked = document.querySelector('#consent select').selectedOptions[0];"
                                + " return picked.value")
                        .asText())
                .as("one project is asked for first, not all")
                .isNotEmpty();
        assertThat(browser.run("return [...document.querySelector('#consent select').options].pop().text")
                        .asText())
                .isEqualTo("All my projects");
        browser.inspect("consent");
        browser.click("#consent [type=submit]");

        // Then
        Waiting.until("the client is told", () -> browser.address().startsWith(client.url("/callback")));
        assertThat(browser.address()).contains("code=").contains("state=s%26t");

        // When: refused
        browser.open(address);
        browser.click(".refuse a");

        // Then
        Waiting.until("the client is told", () -> browser.address().contains("error="));
        assertThat(browser.address()).contains("error=access_denied").contains("state=s%26t");
    }

    private static String platformName() {
        return server.anonymous().get("/v1/flags").text("/THEME/websiteName");
    }

    private static void meetsErrors() {
        browser.open(url + "/mcp-authorize?authRequestId=too-old");
        browser.awaitText("h1", "ended");
        browser.inspect("consent-ended");
        browser.open(url + "/authenticate?response=%7B%7D");
        browser.awaitText("main", "was not started here");
        browser.inspect("authenticate-refused");
        browser.open(url + "/invitation?token=x&email=eve@acme-tools.example");
        browser.awaitText("main", "The address is incomplete");
        assertThat(isShown("#accept")).isFalse();
        browser.inspect("invitation-refused");
        browser.open(url + "/verify-email?identityId=aaaaaaaaaaaaaaaaaaaaa&otp=1");
        browser.click("#verify [type=submit]");
        browser.awaitText("main", "older than 24 hours");
        browser.inspect("verify-refused");
    }

    /** Open redirect: a crafted sign-in link does not redirect the user to another server. */
    private static void staysHere() {
        for (var start : List.of("/\\", "//", "https://")) {
            // When
            browser.forget();
            browser.open(url + "/sign-in?from=" + client.url("/stolen").replace("http://", start));
            browser.click("#ask [data-show=password]");
            browser.type("#password [name=email]", "bob@acme-tools.example");
            browser.type("#password [name=password]", "another passphrase");
            browser.click("#password [type=submit]");

            // Then
            browser.awaitText(".avatar", "BB");
            assertThat(browser.address()).startsWith(url + "/");
        }
        assertThat(client.paths()).doesNotContain("/stolen");
    }

    /** The embedding page has one allowed address, and one that is not allowed. */
    private static void standsInAFrame() {
        var allowed = client.framing(url + "/sign-in");

        // When
        browser.open(allowed);
        browser.enterFrame();

        // Then
        browser.awaitText("h1", "Sign in");
        browser.shoot("frame-allowed");

        // When
        browser.open(allowed.replace("127.0.0.1", "localhost"));
        browser.enterFrame();

        // Then
        Waiting.until(
                "the browser has refused the frame",
                () -> browser.run("return location.protocol").asText().equals("chrome-error:"));
        assertThat(browser.run("return document.querySelector('.gate')").isNull())
                .isTrue();
        browser.shoot("frame-refused");
    }
}
