package io.millrace.engine.webhook;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Chromium;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A page written by an author of flows, opened in a browser with an administrator's session. */
@Slow(Slow.Reason.BROWSER)
class AuthorPageBrowserIT {
    /** Page that attacks the session of its viewer, and writes the results to its title. */
    private static final String ATTACK = """
            <!doctype html><title>begun</title><p id="cookie">{{trigger.output.headers.cookie}}</p><script>
            const attempt = async (work) => { try { return String(await work()); } catch (denied) { return 'denied'; } };
            const call = (options) => fetch('/api/v1/users/me', options).then((answer) => answer.text());
            const steal = async () => ({
              ran: await attempt(() => 'yes'),
              origin: await attempt(() => self.origin),
              cookie: await attempt(() => document.cookie),
              sessionStorage: await attempt(() => JSON.stringify(sessionStorage)),
              localStorage: await attempt(() => JSON.stringify(localStorage)),
              withCredentials: await attempt(() => call({ credentials: 'include' })),
              without: await attempt(() => call({ headers: { 'X-Session': 'cookie' } })),
              write: await attempt(() => fetch('/api/v1/folders', { method: 'POST', credentials: 'include',
                headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie' },
                body: JSON.stringify({ projectId: 'PROJECT', displayName: 'stolen' }) }).then((answer) => answer.status)),
              worker: await attempt(() => navigator.serviceWorker.register(location.pathname, { scope: '/' })
                .then(() => 'registered')),
              parent: await attempt(() => window.open('/sign-in').document.cookie),
            });
            steal().then((loot) => { document.title = JSON.stringify(loot); });
            </script>
            """;

    private static TestServer server;
    private static Chromium browser;
    private static TestServer.SignedIn ada;
    private static String url;

    @BeforeAll
    static void start() {
        assumeTrue(
                Chromium.find().isPresent(), "there is no Chromium: CHROME_PATH names none, and none is on the path");
        server = TestServer.start(Map.of("AP_ALLOW_OPEN_SIGN_UP", "true"));
        ada = server.signUp("ada@example.com", "Ada");
        url = "http://localhost:" + server.port();
        browser = Chromium.start();
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private static LiveFlow answering(String html, JsonNode headers) {
        var input = Json.object().put("responseType", "raw").put("respond", "stop");
        var fields = input.putObject("fields").put("status", 200).put("body", html);
        fields.set("headers", headers);
        return LiveFlow.publish(
                ada, webhook().piece("step_1", "@activepieces/piece-webhook", "0.1.29", "return_response", input));
    }

    private static void signIn() {
        browser.open(url + "/sign-in");
        Waiting.until(
                "the form is there",
                () -> browser.run("document.querySelector('#password [name=password]') !== null")
                        .asBoolean());
        browser.run("""
                (() => {
                  const form = document.getElementById('password');
                  for (const [name, value] of [['email', 'ada@example.com'], ['password', 'correct horse']]) {
                    form.elements[name].value = value;
                    form.elements[name].dispatchEvent(new Event('input', { bubbles: true }));
                  }
                })()
                """);
        browser.run("document.getElementById('password').requestSubmit()");
        Waiting.until(
                "she is in, and her project is known",
                () -> browser.run("localStorage.getItem('millrace.project') !== null")
                        .asBoolean());
    }

    @Test
    void getsNothingOfASession() {
        // given her session, whose page contains the id of her project and no token
        signIn();
        assertThat(browser.run("document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)")
                        .asText())
                .isEqualTo("{}" + Json.object().put("millrace.project", ada.projectId()));
        assertThat(browser.run("fetch('/api/v1/users/me').then((answer) => answer.json()).then((me) => me.email)")
                        .asText())
                .isEqualTo("ada@example.com");
        var headers = Json.object()
                .put("Content-Type", "text/html")
                .put("Set-Cookie", "millrace_session=planted; Path=/")
                .put("Service-Worker-Allowed", "/")
                .put("Content-Security-Policy", "sandbox allow-scripts allow-same-origin");
        var page = answering(ATTACK.replace("PROJECT", ada.projectId()), headers);

        // when
        browser.open(url + "/api/v1/webhooks/" + page.id() + "/sync");
        Waiting.until(
                "the page has tried",
                () -> browser.run("document.title").asText().startsWith("{"));
        var loot = Json.trusted(browser.run("document.title").asText());

        // then
        assertThat(loot.path("ran").asText()).isEqualTo("yes");
        assertThat(loot.path("origin").asText()).isEqualTo("null");
        for (var denied :
                new String[] {"cookie", "sessionStorage", "localStorage", "withCredentials", "write", "worker", "parent"
                }) {
            assertThat(loot.path(denied).asText()).as(denied).isEqualTo("denied");
        }
        assertThat(loot.path("without").asText()).doesNotContain("ada@example.com");
        assertThat(browser.run("document.getElementById('cookie').textContent").asText())
                .doesNotContain("millrace");
        assertThat(server.count("select count(*) from folder")).isZero();

        // and nothing is stored, and her session is still valid
        browser.open(url + "/sign-in");
        assertThat(browser.run("navigator.serviceWorker.getRegistrations().then((all) => all.length)")
                        .asInt())
                .isZero();
        assertThat(browser.run("fetch('/api/v1/users/me').then((answer) => answer.json()).then((me) => me.email)")
                        .asText())
                .isEqualTo("ada@example.com");

        // when she signs out
        var out = browser.run(
                "fetch('/api/v1/authentication/sign-out', { method: 'POST' }).then((answer) => answer.status)");

        // then
        assertThat(out.asInt()).isEqualTo(204);
        assertThat(browser.run("fetch('/api/v1/users/me').then((answer) => answer.status)")
                        .asInt())
                .isEqualTo(403);
    }
}
