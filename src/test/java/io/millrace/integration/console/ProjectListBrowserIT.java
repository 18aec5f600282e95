package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
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

/** An administrator creates, finds, limits, renames and deletes projects of the platform. */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ProjectListBrowserIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String url = "http://localhost:" + server.port();

    private static JsonNode project(String name) {
        return ada.api().get("/v1/projects?displayName=" + name).body().at("/data/0");
    }

    @Test
    void projectsAreCreated_found_limited_renamedAndDeleted() {
        // Given
        ada.inTeam("Sales");
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Flows");
        browser.open(url + "/platform/projects");
        browser.awaitText(".table", "Sales");

        // When a project is created
        browser.click(".page-head .primary");
        browser.type("dialog [name=displayName]", "Support");
        browser.press(Keyboard.ENTER);
        browser.awaitText(".project-button", "Support");
        browser.open(url + "/platform/projects");
        browser.awaitText(".table", "Support");
        browser.inspect("platform-projects");

        // When it is found and changed
        browser.type("[type=search]", "supp");
        Waiting.until("the others are filtered out", () -> names().equals(List.of("Support")));
        menu(1);
        browser.type("dialog [name=displayName]", "Customer care");
        browser.type("dialog [name=maxConcurrentJobs]", "none");
        browser.click("dialog .primary");
        browser.awaitText("dialog", "number");
        browser.type("dialog [name=maxConcurrentJobs]", "7");
        browser.click("dialog .primary");

        // Then
        browser.awaitText(".table", "Customer care");
        browser.awaitText(".table", "7");
        assertThat(project("Customer").path("maxConcurrentJobs").asInt()).isEqualTo(7);

        // When a member is invited in place
        menu(2);
        browser.awaitText("dialog", "Members of Customer care");
        browser.awaitText("dialog", "No members yet");
        browser.click("dialog footer .primary");
        browser.type("dialog [name=email]", "bob@acme-tools.example");
        browser.click("dialog footer .primary");
        browser.awaitText("dialog", "Give this link to bob@acme-tools.example");
        browser.click("dialog footer .button");

        // Then
        browser.awaitText("dialog", "Members of Customer care");
        browser.awaitText("dialog", "bob@acme-tools.example");
        browser.inspect("platform-project-members");
        browser.press(Keyboard.ESCAPE);

        // When it is deleted
        browser.type("[type=search]", "Customer");
        browser.awaitText(".table", "Customer care");
        menu(5);
        browser.type("dialog input", "Customer care");
        browser.click("dialog footer .danger");

        // Then
        browser.awaitText("main", "No projects match");
        assertThat(project("Customer").isMissingNode()).isTrue();
    }

    @Test
    void aMember_getsAnotherRole_andIsRemoved() {
        // Given
        var depot = ada.inTeam("Depot");
        var carl = member("carl", depot.projectId(), "Viewer");
        browser.signIn(url, ada.api());
        browser.awaitText("nav", "Flows");
        browser.open(url + "/platform/projects?name=Depot");
        browser.awaitText(".table", "Depot");
        menu(2);
        browser.awaitText("dialog", "carl Miller");

        // When the role is changed
        browser.click("dialog [aria-label='Role of carl Miller']");
        browser.press("Editor" + Keyboard.ENTER);

        // Then: the confirmation is above the dialog
        browser.awaitText(".toasts:popover-open", "carl Miller is now Editor");
        assertThat(browser.run("return document.querySelector('dialog[open]') !== null")
                        .asBoolean())
                .isTrue();
        assertThat(members(depot.projectId()).at("/0/projectRole/name").asText())
                .isEqualTo("Editor");

        // When the removal is refused, and then confirmed
        browser.click("dialog [aria-label='Remove: carl Miller']");
        browser.awaitText("dialog", "loses access to this project");
        browser.press(Keyboard.ESCAPE);
        browser.awaitText("dialog", "Members of Depot");
        assertThat(members(depot.projectId())).hasSize(1);
        browser.click("dialog [aria-label='Remove: carl Miller']");
        browser.click("dialog .danger");

        // Then
        browser.awaitText("dialog", "No members yet");
        assertThat(members(depot.projectId())).isEmpty();
        assertThat(carl.get("/v1/flows?projectId=" + depot.projectId()).status())
                .isEqualTo(403);
    }

    @Test
    void aMemberWithoutTheRight_isOfferedNeither_andIsRefusedByTheApi() {
        // Given
        var lab = ada.inTeam("Lab");
        var dana = member("dana", lab.projectId(), "Editor");
        var member = members(lab.projectId()).at("/0/id").asText();

        // When
        browser.signIn(url, dana);
        browser.awaitText("nav", "Flows");
        browser.open(url + "/platform/projects");

        // Then
        browser.awaitText("main", "Administrators only");
        browser.open(url + "/projects/" + lab.projectId() + "/people");
        browser.awaitText(".table", "dana Miller");
        browser.awaitText(".table", "Editor");
        assertThat(browser.run(
                                "return document.querySelectorAll('.table [role=combobox], .table button, .page-head .primary').length")
                        .asInt())
                .isZero();
        var role = Json.object().put("role", "Admin");
        assertThat(dana.post("/v1/project-members/" + member, role).status()).isEqualTo(403);
        assertThat(dana.delete("/v1/project-members/" + member).status()).isEqualTo(403);
        assertThat(members(lab.projectId()).at("/0/projectRole/name").asText()).isEqualTo("Editor");
    }

    @Test
    void opensTheFirstPermittedPage_whenTheRoleInTheOtherProjectLacksTheCurrentOne() {
        // Given a person whose custom role in one of two projects permits tables only
        var lab = ada.inTeam("Runs and tables");
        var store = ada.inTeam("Tables only");
        var role = Json.object().put("name", "Table reader").put("type", "CUSTOM");
        role.putArray("permissions").add("READ_TABLE").add("READ_FOLDER");
        assertThat(ada.api().post("/v1/project-roles", role).status()).isEqualTo(201);
        var erin = member("erin", lab.projectId(), "Viewer");
        var invitation = Json.object()
                .put("type", "PROJECT")
                .put("email", "erin@acme-tools.example")
                .put("projectId", store.projectId())
                .put("projectRole", "Table reader");
        assertThat(ada.api().post("/v1/user-invitations", invitation).text("/status"))
                .isEqualTo("ACCEPTED");
        browser.signIn(url, erin);
        browser.open(url + "/projects/" + lab.projectId() + "/runs");
        browser.awaitText("h1", "Runs");

        // When
        switchTo("Tables only");

        // Then
        browser.awaitText("main", "No tables yet");
        browser.awaitText("main", "Your role can view them, but not create them.");
        assertThat(browser.address()).endsWith("/projects/" + store.projectId() + "/tables");
        browser.inspect("tables-reader");

        // When both roles permit the page, it stays
        switchTo("Runs and tables");

        // Then
        browser.awaitText(".project-button", "Runs and tables");
        assertThat(browser.address()).endsWith("/projects/" + lab.projectId() + "/tables");
        browser.signIn(url, ada.api());
    }

    private static void switchTo(String project) {
        browser.click(".project-button");
        browser.run(
                "[...document.querySelectorAll('.menu [role^=menuitem]')].find((e) => e.innerText.includes(arguments[0])).click()",
                project);
        browser.awaitText(".project-button", project);
    }

    /** Client of a user who has accepted an invitation to a project. */
    private static ApiClient member(String name, String projectId, String role) {
        var email = name + "@acme-tools.example";
        var invitation = Json.object()
                .put("type", "PROJECT")
                .put("email", email)
                .put("projectId", projectId)
                .put("projectRole", role);
        var link = ada.api().post("/v1/user-invitations", invitation).text("/link");
        var token = link.replaceAll(".*[?&]token=([^&]*).*", "$1");
        server.anonymous().post("/v1/user-invitations/accept", Json.object().put("invitationToken", token));
        return server.signUp(email, name).api();
    }

    private static JsonNode members(String projectId) {
        return ada.api()
                .get("/v1/project-members?projectId=" + projectId)
                .body()
                .path("data");
    }

    private static List<String> names() {
        return browser.run(
                        "return [...document.querySelectorAll('.table tbody td:first-child')].map((e) => e.innerText)")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static void menu(int item) {
        browser.click(".table tbody [aria-haspopup=menu]");
        browser.awaitText(".menu", "Delete");
        browser.run(
                "document.querySelectorAll('.menu [role=menuitem]')[arguments[0] - 1].click()", String.valueOf(item));
    }
}
