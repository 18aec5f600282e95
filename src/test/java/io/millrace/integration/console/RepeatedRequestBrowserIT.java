package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.NeedsBrowser;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests that users repeat after a failure, or before the first response. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class RepeatedRequestBrowserIT {
    private static final int FOLDERS = 60;
    private static final int PAGE_ROWS = 50;

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    @BeforeAll
    static void start() {
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Flows");
    }

    private static boolean is(String expression) {
        return browser.run("return " + expression).asBoolean();
    }

    private static int rows() {
        return browser.run("return document.querySelectorAll('main .table tbody tr').length")
                .asInt();
    }

    @Test
    void aFurtherPageThatFailed_isFetchedAgain_andTheRowsBeforeItStay() {
        // Given
        for (var number = 0; number < FOLDERS; number++) {
            ada.api()
                    .post(
                            "/v1/folders",
                            Json.object().put("displayName", "Folder " + number).put("projectId", ada.projectId()));
        }
        browser.open(url + "/platform/audit");
        Waiting.until("the first page is shown", () -> rows() == PAGE_ROWS);
        browser.run("""
                const send = window.fetch;
                window.isFailing = true;
                window.fetch = async (address, options) =>
                  window.isFailing && String(address).includes('cursor=')
                    ? new Response('', { status: 503 })
                    : send(address, options);
                """);

        // When
        browser.click(".more button");

        // Then
        Waiting.until("the failure is shown", () -> is("!!document.querySelector('main .failing')"));
        assertThat(rows()).isEqualTo(PAGE_ROWS);

        // When
        browser.run("window.isFailing = false; return true");
        browser.click("main .failing button");

        // Then
        Waiting.until("the second page is shown", () -> rows() > PAGE_ROWS);
        assertThat(is("!document.querySelector('main .failing')")).isTrue();
    }

    private static void chooses(String project) {
        browser.click(".project-button");
        browser.awaitText(".menu", project);
        browser.run(
                "[...document.querySelectorAll('.menu [role=menuitemradio], .menu [role=menuitem]')]"
                        + ".find((each) => each.innerText.includes(arguments[0])).click(); return true",
                project);
    }

    @Test
    void theLastChosenProjectOpens_evenIfTheResponseForAnEarlierOneArrivesLater() {
        // Given
        var sales = ada.inTeam("Sales");
        var support = ada.inTeam("Support");
        browser.open(url + "/projects/" + ada.projectId() + "/flows");
        browser.awaitText(".page-head", "New flow");
        browser.run("""
                const send = window.fetch;
                const held = new Promise((release) => window.release = release);
                window.fetch = async (address, options) => {
                  const isHeld = String(address).includes('/project-members/role')
                    && String(address).includes(arguments[0]);
                  const answer = await send(address, options);
                  if (isHeld) {
                    window.isHeld = true;
                    await held;
                    setTimeout(() => window.isReleased = true, 0);
                  }
                  return answer;
                };
                """.replace("arguments[0]", "'" + sales.projectId() + "'"));

        // When
        chooses("Sales");
        Waiting.until("the first response is held", () -> is("window.isHeld"));
        chooses("Support");
        Waiting.until("the second project is open", () -> browser.address().contains(support.projectId()));
        browser.run("window.release(); return true");
        Waiting.until("the first response has arrived", () -> is("window.isReleased"));

        // Then
        browser.awaitText(".project-button", "Support");
        assertThat(browser.address()).contains(support.projectId());
    }
}
