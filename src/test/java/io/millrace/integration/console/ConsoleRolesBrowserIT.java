package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import io.millrace.integration.console.ConsolePages.ConsolePage;
import io.millrace.integration.console.ConsolePages.Seeded;
import io.millrace.support.ApiClient;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import io.millrace.support.browser.Browser;
import io.millrace.support.browser.Keyboard;
import io.millrace.support.browser.NeedsBrowser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Every page for every role: content, controls and palette entries follow from the role's permissions in the project,
 * as reported by the server, and from the role on the platform; no page requests data that would be refused.
 */
@Slow(Slow.Reason.BROWSER)
@NeedsBrowser
class ConsoleRolesBrowserIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(), List.of());

    @AutoClose
    private static Browser browser = Browser.startWithMotion();

    private static String url = "http://localhost:" + server.port();
    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String projectId;

    @Test
    void everyPageShowsToEveryRoleWhatItAllows() {
        // Given
        var pages = ConsolePages.of(seed());
        var roles = roles();
        var bob = invited("bob", member());
        var memberId = ada.api()
                .get("/v1/project-members?projectId=" + projectId)
                .body()
                .at("/data/0/id")
                .asText();
        var olga = invited("olga", Json.object().put("type", "PLATFORM").put("platformRole", "OPERATOR"));

        // When
        var wrong = new ArrayList<String>();
        var matrix = new StringBuilder();
        browser.signIn(url, bob);
        roles.forEach((role, permissions) -> {
            ada.api().post("/v1/project-members/" + memberId, Json.object().put("role", role));
            lookAt(pages, role, permissions, wrong, matrix);
        });
        lookAtPlatform("Member", false, wrong);
        browser.signIn(url, olga);
        lookAt(pages, "Operator", operator(roles), wrong, matrix);
        lookAtPlatform("Operator", false, wrong);
        browser.signIn(url, ada.api());
        lookAtPlatform("Administrator", true, wrong);

        // Then
        System.out.println("Pages by roles: what is offered\n" + matrix);
        assertThat(wrong).isEmpty();
    }

    @Test
    void aViewerReadsStoredChoices_withoutARequestForOptions() {
        // Given
        var team = ada.inTeam("Depot");
        var flow = LiveFlow.draft(
                team,
                FlowScript.webhook()
                        .piece(
                                "step_1",
                                "@activepieces/piece-tables",
                                "0.3.0",
                                "tables-find-records",
                                Json.object().put("table_id", "orders-of-may")));
        var vic = invited(
                "vic",
                Json.object()
                        .put("type", "PROJECT")
                        .put("projectId", team.projectId())
                        .put("projectRole", "Viewer"));

        // When
        browser.signIn(url, vic);
        opens("/projects/" + team.projectId() + "/flows");
        visit("/projects/" + team.projectId() + "/flows/" + flow.id() + "?step=step_1");

        // Then
        browser.awaitText(".step-panel", "Settings");
        Waiting.until(
                "the stored choice is shown",
                DEADLINE,
                () -> browser.run("return [...document.querySelectorAll('.step-panel input')]"
                                + ".some((each) => each.value === 'orders-of-may')")
                        .asBoolean());
        assertThat(refused()).isEmpty();
        assertThat(isThere(".step-panel .notice, .step-panel [role=alert]")).isFalse();
        assertThat(browser.run("return performance.getEntriesByType('resource')"
                                + ".some((each) => each.name.includes('/pieces/options'))")
                        .asBoolean())
                .isFalse();
        browser.inspect("roles-viewer-choice");
    }

    /** An operator of the platform is an editor in every team, and may edit the projects themselves. */
    private static Set<Permission> operator(Map<String, Set<Permission>> roles) {
        var permissions = EnumSet.copyOf(roles.get("Editor"));
        permissions.add(Permission.WRITE_PROJECT);
        return permissions;
    }

    private static void lookAt(
            List<ConsolePage> pages,
            String role,
            Set<Permission> permissions,
            List<String> wrong,
            StringBuilder matrix) {
        opens("/projects/" + projectId + "/flows");
        for (var page : pages) {
            wrong.addAll(look(role, permissions, page, matrix));
        }
        refused().forEach(asked -> wrong.add(role + " is refused " + asked));
    }

    /** Reloads the console, and records its requests from then on. */
    private static void opens(String path) {
        browser.open(url + path);
        Waiting.until(
                "the role is known",
                DEADLINE,
                () -> browser.run("return !!document.querySelector('h1, .state h2')")
                        .asBoolean());
        browser.run("performance.setResourceTimingBufferSize(5000)");
    }

    /** Every page of the administration, with the entries of the navigation bar and the palette. */
    private static void lookAtPlatform(String role, boolean isAdministrator, List<String> wrong) {
        opens("/projects/" + projectId + "/flows");
        if (navigation().contains("Platform") != isAdministrator
                || palette().contains("Encryption") != isAdministrator) {
            wrong.add(role + ": the way to the platform");
        }
        ConsolePages.PLATFORM.forEach((title, path) -> {
            visit("/platform" + path);
            browser.awaitText("h1", title);
            awaits("main");
            var refused = browser.run("return document.querySelector('main').innerText")
                    .asText()
                    .contains("Administrators only");
            if (refused == isAdministrator) {
                wrong.add(role + " at /platform" + path);
            }
        });
        refused().forEach(asked -> wrong.add(role + " is refused " + asked));
    }

    private static List<String> look(String role, Set<Permission> permissions, ConsolePage page, StringBuilder matrix) {
        visit("/projects/" + projectId + page.path());
        var wrong = new ArrayList<String>();
        var mayRead = permissions.contains(page.needs());
        awaits(mayRead ? page.here() : ".state");
        if (!mayRead) {
            browser.awaitText(".state", "Your role does not allow this");
            matrix.append(String.format("%-14s %-34s not shown%n", role, shown(page.path())));
            return wrong;
        }
        // Some controls appear after a list of choices is loaded.
        page.offers().stream()
                .filter(offer -> permissions.contains(offer.needs()))
                .forEach(offer -> awaits(offer.selector()));
        for (var offer : page.offers()) {
            var expected = permissions.contains(offer.needs());
            if (isThere(offer.selector()) != expected) {
                wrong.add(role + " at " + page.path() + ": " + offer + (expected ? " is missing" : " is offered"));
            }
        }
        if (!page.commands().isEmpty()) {
            wrong.addAll(wrongWays(role, permissions, page));
        }
        matrix.append(String.format(
                "%-14s %-34s %s%n",
                role,
                shown(page.path()),
                page.offers().stream()
                        .filter(offer -> permissions.contains(offer.needs()))
                        .map(offer -> offer.needs().name())
                        .distinct()
                        .toList()));
        return wrong;
    }

    /** Mismatches between the permissions and the entries of the palette and the navigation bar on a page. */
    private static List<String> wrongWays(String role, Set<Permission> permissions, ConsolePage page) {
        var wrong = new ArrayList<String>();
        var offered = palette();
        var bar = navigation();
        page.commands().forEach((name, needs) -> {
            if (offered.contains(name) != permissions.contains(needs)) {
                wrong.add(role + " at " + page.path() + ": the palette and " + name);
            }
        });
        ConsolePages.AREAS.forEach((name, needs) -> {
            var expected = permissions.contains(needs);
            if (offered.contains(name) != expected || bar.contains(name) != expected) {
                wrong.add(role + " at " + page.path() + ": the way to " + name);
            }
        });
        return wrong;
    }

    /** Within the open page: reloading it for each check would take minutes. */
    private static void visit(String path) {
        browser.run("history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))", path);
    }

    private static void awaits(String selector) {
        try {
            Waiting.until(
                    selector + " is seen, and nothing is waited for",
                    DEADLINE,
                    () -> browser.run(
                                    "return !!document.querySelector(arguments[0])"
                                            + " && !document.querySelector('.skeleton, [aria-busy=true]')",
                                    selector)
                            .asBoolean());
        } catch (AssertionError missing) {
            throw new AssertionError(
                    missing.getMessage() + "; " + browser.address() + " shows "
                            + browser.run("return document.body.innerText").asText(),
                    missing);
        }
    }

    private static boolean isThere(String selector) {
        return browser.run("return !!document.querySelector(arguments[0])", selector)
                .asBoolean();
    }

    private static List<String> palette() {
        browser.pressWith(Keyboard.CONTROL, "k");
        awaits(".palette[open] li");
        var labels = texts(".palette li .spread");
        browser.press(Keyboard.ESCAPE);
        Waiting.until("the palette is closed", DEADLINE, () -> !isThere(".palette"));
        return labels;
    }

    private static List<String> navigation() {
        return texts("nav.areas li a");
    }

    private static List<String> texts(String selector) {
        return browser.run(
                        "return [...document.querySelectorAll(arguments[0])].map((each) => each.textContent)", selector)
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static List<String> refused() {
        return browser.run("return performance.getEntriesByType('resource')"
                        + ".filter((each) => each.responseStatus === 403).map((each) => each.name)")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static String shown(String path) {
        return path.replaceAll("[A-Za-z0-9]{21}", ":id");
    }

    private static Map<String, Set<Permission>> roles() {
        ada.api().post("/v1/project-roles", role("Table keeper", "READ_RUN", "READ_TABLE", "WRITE_TABLE"));
        var roles = new LinkedHashMap<String, Set<Permission>>();
        ada.api().get("/v1/project-roles").body().path("data").forEach(role -> {
            var permissions = EnumSet.noneOf(Permission.class);
            role.path("permissions").forEach(name -> permissions.add(Permission.valueOf(name.asText())));
            roles.put(role.path("name").asText(), permissions);
        });
        assertThat(roles).hasSize(4);
        return roles;
    }

    private static ObjectNode role(String name, String... permissions) {
        var role = Json.object().put("name", name).put("type", "CUSTOM");
        List.of(permissions).forEach(role.putArray("permissions")::add);
        return role;
    }

    private static Seeded seed() {
        projectId = ada.api()
                .post("/v1/projects", Json.object().put("displayName", "Sales"))
                .text("/id");
        var flow = LiveFlow.publish(
                new SignedIn(ada.api(), ada.userId(), ada.platformId(), projectId),
                FlowScript.webhook().map("step_1", "{'v':1}"));
        flow.run(Json.object());
        var table = Json.object().put("projectId", projectId).put("name", "Orders");
        table.putArray("fields").addObject().put("name", "Amount").put("type", "NUMBER");
        var tableId = ada.api().post("/v1/tables", table).text("/id");
        var records = Json.object().put("tableId", tableId);
        records.putArray("records").addArray();
        ada.api().post("/v1/records", records);
        var clerk = Json.object()
                .put("projectId", projectId)
                .put("displayName", "Order clerk")
                .put("description", "Answers about orders")
                .put("icon", "bot")
                .put("color", "BLUE");
        clerk.putObject("draft").put("instructions", "You answer questions about orders.");
        var made = ada.api().post("/v1/agents", clerk);
        assertThat(made.status()).as(made.body().toString()).isEqualTo(201);
        var agentId = made.text("/id");
        return new Seeded(flow.id(), flow.runs().getFirst().path("id").asText(), tableId, agentId);
    }

    private static ObjectNode member() {
        return Json.object().put("type", "PROJECT").put("projectId", projectId).put("projectRole", "Viewer");
    }

    /** Client of a user who has accepted an invitation. */
    private static ApiClient invited(String name, ObjectNode invitation) {
        var email = name + "@acme-tools.example";
        var link = ada.api()
                .post("/v1/user-invitations", invitation.put("email", email))
                .text("/link");
        var token = link.replaceAll(".*[?&]token=([^&]*).*", "$1");
        server.anonymous().post("/v1/user-invitations/accept", Json.object().put("invitationToken", token));
        return server.signUp(email, name).api();
    }
}
