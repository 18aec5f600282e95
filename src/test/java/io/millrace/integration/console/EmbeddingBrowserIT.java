package io.millrace.integration.console;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A product embeds the console in its own page, from an allowed origin and from another one. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class EmbeddingBrowserIT {
    private static final KeyPair PAIR = RsaKeys.generate(2048);

    private static Vertx vertx = Vertx.vertx();

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn admin = server.signUp("ada@acme-tools.example", "Ada");
    private static String keyId = Ids.next();
    private static String url = "http://localhost:" + server.port();
    private static HttpServer product;

    @BeforeAll
    static void start() {
        server.execute("""
                insert into signing_key (id, created, updated, platform_id, display_name, public_key)
                values ($1, now(), now(), $2, 'Our shop', $3)
                """, keyId, admin.platformId(), RsaKeys.publicPem((RSAPublicKey) PAIR.getPublic()));
        product = Waiting.await(vertx.createHttpServer()
                .requestHandler(request -> request.response()
                        .putHeader("Content-Type", "text/html")
                        .end(page(request.getParam("token", ""))))
                .listen(0));
        var allowed = Json.object();
        allowed.putArray("allowedEmbedOrigins").add("http://127.0.0.1:" + product.actualPort());
        assertThat(admin.api()
                        .post("/v1/platforms/" + admin.platformId(), allowed)
                        .status())
                .isEqualTo(200);
    }

    /** Page of the embedding product; it records the messages that it receives. */
    private static String page(String token) {
        return """
                <!doctype html><title>Shop</title>
                <h1>Shop</h1><div id="place" style="height:700px"></div><pre id="received"></pre>
                <script src="%s/assets/embed.js"></script>
                <script>
                  const received = (what) => document.getElementById('received').textContent += what + '\\n';
                  window.shown = millrace.embed({
                    container: document.getElementById('place'), token: () => '%s', path: '/flows', title: 'Automation',
                    on: { signedIn: () => received('signed in'), route: (path) => received('at ' + path), failed: (why) => received('failed ' + why.code) },
                  });
                </script>
                """.formatted(url, token.replaceAll("[^A-Za-z0-9._-]", ""));
    }

    private static String token(String user) {
        var claims = Json.object()
                .put("version", "v3")
                .put("externalUserId", user)
                .put("externalProjectId", "shop-1")
                .put("firstName", "Gus")
                .put("lastName", "Guest")
                .put("projectDisplayName", "Shop one")
                .put("exp", server.clock().instant().plusSeconds(900).getEpochSecond());
        return RsaToken.issue(keyId, PAIR.getPrivate(), claims);
    }

    private static SignedIn gus() {
        var session = server.anonymous()
                .post("/v1/managed-authn/external-token", Json.object().put("externalAccessToken", token("gus")));
        return new SignedIn(
                server.anonymous().with(session.text("/token")),
                session.text("/id"),
                session.text("/platformId"),
                session.text("/projectId"));
    }

    private static void openProduct(String host, String token) {
        browser.open("http://" + host + ":" + product.actualPort() + "/?token=" + token);
    }

    @AfterAll
    static void stop() {
        Waiting.await(vertx.close());
    }

    @Test
    void worksInsideAPageOfAnAllowedOrigin() {
        // given
        var orders = LiveFlow.named(
                gus(), "Orders", webhook().map("step_1", "{'a':'b'}").importOperation("Orders"));
        openProduct("127.0.0.1", token("gus"));

        // then the user is signed in without a form or a cookie, and sees no account
        browser.awaitText("#received", "signed in");
        browser.awaitText("#received", "at /flows");
        browser.enterFrame();
        browser.awaitText(".table", "Orders");
        browser.awaitText("nav", "Runs");
        assertThat(browser.run("return document.cookie + !!document.querySelector('.avatar')")
                        .asText())
                .isEqualTo("false");
        browser.look("embedded");

        // when a flow is opened in the frame, the builder works, and the product gets its address
        browser.click(".flow-name a");
        browser.click("[data-step=step_1]");
        browser.awaitText(".step-panel", "Mapping");
        browser.leaveFrame();
        browser.awaitText("#received", "at /flows/" + orders.id());

        // when the product navigates, without our navigation
        browser.run("shown.hideNavigation(true); shown.navigate('/runs')");
        browser.awaitText("#received", "at /runs");
        browser.enterFrame();
        browser.awaitText("h1", "Runs");
        Waiting.until(
                "the navigation is gone",
                () -> browser.run("return !document.querySelector('nav')").asBoolean());
        browser.look("embedded-bare");
        browser.leaveFrame();
        assertThat(browser.run("return document.getElementById('received').textContent")
                        .asText())
                .doesNotContain("failed");
    }

    @Test
    void isRefusedElsewhere_andWithATokenThatNobodyHasSigned() {
        // when
        openProduct("localhost", token("gus"));

        // then
        browser.awaitText("#received", "failed REFUSED");
        browser.enterFrame();
        assertThat(browser.run("return location.protocol").asText()).isEqualTo("chrome-error:");
        browser.leaveFrame();

        // when
        openProduct("127.0.0.1", token("gus") + "x");

        // then
        browser.awaitText("#received", "failed INVALID_BEARER_TOKEN");
        browser.enterFrame();
        browser.awaitText("h2", "Access denied");
        browser.look("embedded-refused");
        browser.leaveFrame();
    }
}
