package io.millrace.integration.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.Browser;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.NeedsBrowser;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
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
 * Every page by every role: what a person is shown, and what is offered there and in the palette, follows from the
 * permissions of the role in the project, as the server tells them, and from the role on the platform; and no page asks for
 * what would be refused.
 */
@NeedsBrowser
class ConsoleRolesBrowserIT {
    private static final String CONTROL = "\uE009";
    private static final String ESCAPE = "\uE00C";
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    /** What is offered on a page, and the permission that it takes. */
    private record Offer(String selector, Permission needs) {}

    /**
     * A page.
     *
     * @param needs to be shown at all
     * @param here what tells that it is there
     * @param commands the names of what the palette offers on it besides, with the permissions that they take
     */
    private record Page(
            String path, Permission needs, String here, Map<String, Permission> commands, List<Offer> offers) {}

    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of(), List.of());

    @AutoClose
    private static Browser browser = Browser.start();

    private static String url = "http://localhost:" + server.port();
    private static SignedIn ada = server.signUp("ada@acme-tools.example", "Ada");
    private static String projectId;

    @Test
    void everyPageShowsToEveryRoleWhatItAllows() {
        // Given
        var pages = pages(seed());
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

    /** An operator of the platform is an editor in every team, and may edit the projects themselves. */
    private static Set<Permission> operator(Map<String, Set<Permission>> roles) {
        var permissions = EnumSet.copyOf(roles.get("Editor"));
        permissions.add(Permission.WRITE_PROJECT);
        return permissions;
    }

    private static void lookAt(
            List<Page> pages, String role, Set<Permission> permissions, List<String> wrong, StringBuilder matrix) {
        opens("/projects/" + projectId + "/flows");
        for (var page : pages) {
            wrong.addAll(look(role, permissions, page, matrix));
        }
        refused().forEach(asked -> wrong.add(role + " is refused " + asked));
    }

    /** Loads the console anew, and remembers from then on what it asks for. */
    private static void opens(String path) {
        browser.open(url + path);
        Waiting.until(
                "the role is known",
                DEADLINE,
                () -> browser.run("return !!document.querySelector('h1, .state h2')")
                        .asBoolean());
        browser.run("performance.setResourceTimingBufferSize(5000)");
    }

    /** Every page of the administration, with what the bar and the palette lead to. */
    private static void lookAtPlatform(String role, boolean isAdministrator, List<String> wrong) {
        opens("/projects/" + projectId + "/flows");
        if (navigation().contains("Platform") != isAdministrator
                || palette().contains("Encryption") != isAdministrator) {
            wrong.add(role + ": the way to the platform");
        }
        PLATFORM.forEach((title, path) -> {
            visit("/platform" + path);
            browser.awaitText("h1", title);
            awaits("main");
            var refused = browser.run("return document.querySelector('main').innerText")
                    .asText()
                    .contains("For administrators");
            if (refused == isAdministrator) {
                wrong.add(role + " at /platform" + path);
            }
        });
        refused().forEach(asked -> wrong.add(role + " is refused " + asked));
    }

    private static final Map<String, String> PLATFORM = Map.ofEntries(
            Map.entry("Overview", ""),
            Map.entry("Insight", "/insight"),
            Map.entry("Audit log", "/audit"),
            Map.entry("Pieces", "/pieces"),
            Map.entry("Templates", "/templates"),
            Map.entry("Connections", "/connections"),
            Map.entry("AI", "/ai"),
            Map.entry("Sign-on", "/sign-on"),
            Map.entry("Keys", "/keys"),
            Map.entry("Secret managers", "/secrets"),
            Map.entry("Embedding", "/embedding"),
            Map.entry("Branding", "/branding"),
            Map.entry("Events", "/events"),
            Map.entry("Encryption", "/encryption"));

    private static List<String> look(String role, Set<Permission> permissions, Page page, StringBuilder matrix) {
        visit("/projects/" + projectId + page.path());
        var wrong = new ArrayList<String>();
        var mayRead = permissions.contains(page.needs());
        awaits(mayRead ? page.here() : ".state");
        if (!mayRead) {
            browser.awaitText(".state", "Your role does not allow this");
            matrix.append(String.format("%-14s %-34s not shown%n", role, shown(page.path())));
            return wrong;
        }
        // Some of what is offered waits for a list of choices.
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

    /** What the palette offers on a page, and where it and the bar lead. */
    private static List<String> wrongWays(String role, Set<Permission> permissions, Page page) {
        var wrong = new ArrayList<String>();
        var offered = palette();
        var bar = navigation();
        page.commands().forEach((name, needs) -> {
            if (offered.contains(name) != permissions.contains(needs)) {
                wrong.add(role + " at " + page.path() + ": the palette and " + name);
            }
        });
        AREAS.forEach((name, needs) -> {
            var expected = permissions.contains(needs);
            if (offered.contains(name) != expected || bar.contains(name) != expected) {
                wrong.add(role + " at " + page.path() + ": the way to " + name);
            }
        });
        return wrong;
    }

    private static final Map<String, Permission> AREAS = Map.of(
            "Flows", Permission.READ_FLOW,
            "Runs", Permission.READ_RUN,
            "Tables", Permission.READ_TABLE,
            "Connections", Permission.READ_APP_CONNECTION,
            "People", Permission.READ_PROJECT_MEMBER,
            "Settings", Permission.READ_PROJECT,
            "Agents", Permission.READ_AGENT,
            "MCP", Permission.READ_MCP);

    private record Seeded(String flowId, String runId, String tableId, String agentId) {}

    private static List<Page> pages(Seeded seeded) {
        var flow = Permission.WRITE_FLOW;
        var status = Permission.UPDATE_FLOW_STATUS;
        var table = Permission.WRITE_TABLE;
        var release = Permission.WRITE_PROJECT_RELEASE;
        var agent = Permission.WRITE_AGENT;
        var main = ".page-head .primary";
        return List.of(
                new Page(
                        "/flows",
                        Permission.READ_FLOW,
                        ".table [role=switch]",
                        Map.of("New flow", flow),
                        List.of(
                                new Offer(main, flow),
                                new Offer(".folders > .button", flow),
                                new Offer("[role=switch]:not([disabled])", status))),
                new Page(
                        "/flows/" + seeded.flowId(),
                        Permission.READ_FLOW,
                        "[data-step=step_1]",
                        Map.of("Publish", status),
                        List.of(new Offer("[data-place]", flow), new Offer("[data-test-flow]", flow))),
                new Page("/runs", Permission.READ_RUN, ".run-name", Map.of(), List.of()),
                new Page(
                        "/runs/" + seeded.runId(),
                        Permission.READ_RUN,
                        ".run-facts",
                        Map.of(),
                        List.of(new Offer("[data-retry]", Permission.WRITE_RUN))),
                new Page(
                        "/tables",
                        Permission.READ_TABLE,
                        ".table-name",
                        Map.of("New table", table),
                        List.of(new Offer(main, table))),
                new Page(
                        "/tables/" + seeded.tableId(),
                        Permission.READ_TABLE,
                        "[data-records='1']",
                        Map.of("Add a record", table),
                        List.of(new Offer(".table-head .primary", table), new Offer(".grid-aside .button", table))),
                new Page(
                        "/connections",
                        Permission.READ_APP_CONNECTION,
                        ".connections .state",
                        Map.of("New connection", Permission.WRITE_APP_CONNECTION),
                        List.of(new Offer(main, Permission.WRITE_APP_CONNECTION))),
                new Page(
                        "/people",
                        Permission.READ_PROJECT_MEMBER,
                        ".person-line",
                        Map.of("Invite", Permission.WRITE_INVITATION),
                        List.of(
                                new Offer(main, Permission.WRITE_INVITATION),
                                new Offer(".table select", Permission.WRITE_PROJECT_MEMBER))),
                new Page("/people?view=roles", Permission.READ_PROJECT_MEMBER, ".role-name", Map.of(), List.of()),
                new Page(
                        "/settings",
                        Permission.READ_PROJECT,
                        ".settings-form",
                        Map.of(),
                        List.of(
                                new Offer(".settings-form [type=submit]", Permission.WRITE_PROJECT),
                                new Offer("[role=tab][id$=alerts]", Permission.READ_ALERT),
                                new Offer("[role=tab][id$=git]", Permission.READ_PROJECT_RELEASE),
                                new Offer("[role=tab][id$=releases]", Permission.READ_PROJECT_RELEASE))),
                new Page(
                        "/settings?view=pieces",
                        Permission.READ_PROJECT,
                        ".way",
                        Map.of(),
                        List.of(new Offer(".settings-form [type=submit]", Permission.WRITE_PROJECT))),
                new Page(
                        "/settings?view=alerts",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings .table, .settings-form",
                        Map.of("Add a receiver", Permission.WRITE_ALERT),
                        List.of(new Offer(".settings-bar .primary", Permission.WRITE_ALERT))),
                new Page(
                        "/settings?view=git",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings-form",
                        Map.of("Connect a repository", release),
                        List.of(new Offer(".settings .state .primary", release))),
                new Page(
                        "/settings?view=releases",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings-form",
                        Map.of("New release", release),
                        List.of(new Offer(".settings-bar .primary", release))),
                new Page(
                        "/agents",
                        Permission.READ_AGENT,
                        ".connection-name",
                        Map.of("New agent", agent),
                        List.of(new Offer(main, agent))),
                new Page(
                        "/agents/" + seeded.agentId(),
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of("Save the draft", agent),
                        List.of(new Offer(main, agent), new Offer(".save-bar .primary", agent))),
                new Page(
                        "/agents/" + seeded.agentId() + "?view=try",
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of(),
                        List.of()),
                new Page(
                        "/agents/" + seeded.agentId() + "?view=runs",
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of(),
                        List.of()),
                new Page("/mcp", Permission.READ_MCP, ".once", Map.of(), List.of()),
                new Page("/mcp?view=tools", Permission.READ_MCP, ".table", Map.of(), List.of()),
                new Page("/mcp?view=granted", Permission.READ_MCP, ".connections", Map.of(), List.of()));
    }

    /** Within the page that is open: loading it anew for each look would take minutes. */
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
        browser.pressWith(CONTROL, "k");
        awaits(".palette[open] li");
        var labels = texts(".palette li .spread");
        browser.press(ESCAPE);
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

    /** Somebody who has accepted an invitation. */
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
