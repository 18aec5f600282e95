package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A second user is invited with a lower role and has only the pages and permissions of that role. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class PeopleBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String projectId;

    /** In order: each test continues with the data of the previous one. */
    @Test
    void invites_isAccepted_givesAnotherRole_andTakesOut() {
        makesATeamProject();
        makesARole();
        var link = invites();
        revokesAnother();
        accepts(link);
        mayOnlyLook();
        getsAnotherRole();
        isTakenOut();
    }

    private static void makesATeamProject() {
        browser.signIn(url, ada.api());
        browser.click(".project-button");
        chooses("New project");
        browser.type("dialog [name=displayName]", "Sales");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".project-button", "Sales");
        projectId = ada.api()
                .get("/v1/projects?displayName=Sales")
                .body()
                .at("/data/0/id")
                .asText();
        LiveFlow.publish(
                new SignedIn(ada.api(), ada.userId(), ada.platformId(), projectId),
                FlowScript.webhook().map("step_1", "{'v':1}"));
    }

    private static void makesARole() {
        browser.open(at("/people?view=roles"));
        browser.awaitText(".table", "Viewer");
        browser.click(".page-head .primary");
        browser.type("dialog [name=name]", "Flow reader");
        browser.awaitText("dialog", "Project settings");
        browser.click("dialog .primary");
        browser.awaitText(".table", "Flow reader");
        browser.awaitText(".table", "2 permissions");
    }

    private static String invites() {
        browser.open(at("/people"));
        browser.awaitText("main", "No members yet");
        browser.click(".page-head .primary");
        browser.type("dialog [name=email]", "bob@acme-tools.example");
        browser.choose("dialog [role=combobox]", "Viewer");
        browser.click("dialog .primary");
        browser.awaitText("dialog", "Give this link to bob@acme-tools.example");
        browser.inspect("people-link");
        var link = browser.run("return document.querySelector('dialog .invitation-link input').value")
                .asText();
        browser.click("dialog footer .button");
        browser.awaitText("[data-invitations]", "bob@acme-tools.example");
        return link;
    }

    private static void revokesAnother() {
        // given
        var invitation = Json.object()
                .put("type", "PROJECT")
                .put("email", "eve@acme-tools.example")
                .put("projectId", projectId)
                .put("projectRole", "Editor");
        ada.api().post("/v1/user-invitations", invitation);
        browser.open(at("/people"));

        // when
        browser.click("[aria-label='Revoke: eve@acme-tools.example']");
        browser.click("dialog .danger");

        // then
        browser.awaitText(".toasts", "revoked");
        Waiting.until(
                "only one invitation waits",
                () -> invitations().size() == 1
                        && invitations().get(0).path("email").asText().equals("bob@acme-tools.example"));
    }

    private static JsonNode invitations() {
        return ada.api()
                .get("/v1/user-invitations?type=PROJECT&status=PENDING&projectId=" + projectId)
                .body()
                .path("data");
    }

    private static void accepts(String link) {
        browser.forget();
        browser.open(url + link.replaceFirst("^https?://[^/]+", ""));
        browser.click("#accept [type=submit]");
        browser.type("[name=firstName]", "Bob");
        browser.type("[name=lastName]", "Miller");
        browser.type("[name=password]", "correct horse");
        browser.click("[type=submit]");
        browser.awaitText(".project-button", "Sales");
    }

    private static void mayOnlyLook() {
        // when
        browser.open(at("/flows"));
        browser.awaitText(".table", "2 steps");

        // then controls without permission are not shown
        assertThat(seen(".page-head .primary")).isFalse();
        assertThat(seen(".switch:not([disabled])")).isFalse();
        browser.open(at("/people"));
        browser.awaitText(".table", "Bob Miller");
        browser.awaitText(".table", "Viewer");
        assertThat(seen(".table [role=combobox]")).isFalse();
        assertThat(seen(".page-head .primary")).isFalse();
        browser.open(at("/settings"));
        browser.awaitText(".settings", "not change them");
        browser.inspect("settings-viewer");
        browser.open(at("/people?view=users"));
        browser.awaitText(".people-views", "Bob Miller");
    }

    /** Another administrator does this; the open page notices it at the next refusal or load. */
    private static void getsAnotherRole() {
        // given
        browser.forget();
        browser.signIn(url, ada.api());
        browser.awaitText(".project-button", "Sales");
        browser.open(at("/people"));
        browser.awaitText(".table", "Bob Miller");
        browser.inspect("people-members");

        // when
        browser.click("[aria-label='Role of Bob Miller']");
        browser.press("Editor" + Keyboard.ENTER);

        // then
        browser.awaitText(".toasts", "Bob Miller is now Editor");
        assertThat(members().at("/0/projectRole/name").asText()).isEqualTo("Editor");
    }

    private static JsonNode members() {
        return ada.api()
                .get("/v1/project-members?projectId=" + projectId)
                .body()
                .path("data");
    }

    private static void isTakenOut() {
        // when
        browser.click("[aria-label='Remove: Bob Miller']");
        browser.click("dialog .danger");

        // then
        browser.awaitText(".toasts", "Bob Miller removed from the project");
        assertThat(members()).isEmpty();

        // when administrators manage all users
        browser.open(at("/people?view=users"));
        browser.awaitText(".table", "Bob Miller");
        browser.click("[aria-label='Actions for Bob Miller']");
        chooses("Deactivate");
        browser.click("dialog .danger");

        // then
        browser.awaitText(".table", "Inactive");
    }

    private static boolean seen(String selector) {
        return browser.run("return !!document.querySelector(arguments[0])?.checkVisibility()", selector)
                .asBoolean();
    }

    private static void chooses(String action) {
        browser.awaitText(".menu", action);
        browser.run(
                "[...document.querySelectorAll('.menu [role^=menuitem]')]"
                        + ".find((each) => each.textContent.includes(arguments[0])).click()",
                action);
    }

    private static String at(String path) {
        return url + "/projects/" + projectId + path;
    }
}
