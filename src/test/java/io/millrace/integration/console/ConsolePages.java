package io.millrace.integration.console;

import io.millrace.base.access.Permission;
import java.util.List;
import java.util.Map;

/** Pages of the console, with their contents, controls and required permissions. */
final class ConsolePages {
    /** Pages of the administration by their titles. */
    static final Map<String, String> PLATFORM = Map.ofEntries(
            Map.entry("Overview", ""),
            Map.entry("Analytics", "/insight"),
            Map.entry("Audit log", "/audit"),
            Map.entry("Pieces", "/pieces"),
            Map.entry("Templates", "/templates"),
            Map.entry("Connections", "/connections"),
            Map.entry("AI", "/ai"),
            Map.entry("Users", "/users"),
            Map.entry("Sign-on", "/sign-on"),
            Map.entry("Keys", "/keys"),
            Map.entry("Secret managers", "/secrets"),
            Map.entry("Embedding", "/embedding"),
            Map.entry("Branding", "/branding"),
            Map.entry("Events", "/events"),
            Map.entry("Encryption", "/encryption"));

    /** Areas of a project in the navigation bar and the palette. */
    static final Map<String, Permission> AREAS = Map.of(
            "Flows", Permission.READ_FLOW,
            "Runs", Permission.READ_RUN,
            "Approvals", Permission.READ_RUN,
            "Tables", Permission.READ_TABLE,
            "Connections", Permission.READ_APP_CONNECTION,
            "People", Permission.READ_PROJECT_MEMBER,
            "Settings", Permission.READ_PROJECT,
            "Agents", Permission.READ_AGENT,
            "MCP", Permission.READ_MCP);

    private ConsolePages() {}

    /** Control on a page and the permission that it requires. */
    record Offer(String selector, Permission needs) {}

    /**
     * A page.
     *
     * @param needs permission to show the page
     * @param here CSS selector of an element that identifies the loaded page
     * @param commands names of the additional palette entries of the page, with the permissions that they require
     */
    record ConsolePage(
            String path, Permission needs, String here, Map<String, Permission> commands, List<Offer> offers) {}

    /** Ids of seeded objects in the project, for the detail pages. */
    record Seeded(String flowId, String runId, String tableId, String agentId) {}

    static List<ConsolePage> of(Seeded seeded) {
        var flow = Permission.WRITE_FLOW;
        var status = Permission.UPDATE_FLOW_STATUS;
        var table = Permission.WRITE_TABLE;
        var release = Permission.WRITE_PROJECT_RELEASE;
        var agent = Permission.WRITE_AGENT;
        var main = ".page-head .primary";
        return List.of(
                new ConsolePage(
                        "/flows",
                        Permission.READ_FLOW,
                        ".table [role=switch]",
                        Map.of("New flow", flow),
                        List.of(
                                new Offer(main, flow),
                                new Offer(".folders > .button", flow),
                                new Offer("[role=switch]:not([disabled])", status))),
                new ConsolePage(
                        "/flows/" + seeded.flowId(),
                        Permission.READ_FLOW,
                        "[data-step=step_1]",
                        Map.of("Publish", status),
                        List.of(new Offer("[data-place]", flow), new Offer("[data-test-flow]", flow))),
                new ConsolePage(
                        "/flows/" + seeded.flowId() + "/tests",
                        Permission.READ_FLOW,
                        ".state .mark",
                        Map.of("New test", flow),
                        List.of(new Offer(".state .actions button", flow))),
                new ConsolePage("/runs", Permission.READ_RUN, ".run-name", Map.of(), List.of()),
                new ConsolePage("/approvals", Permission.READ_RUN, ".state", Map.of(), List.of()),
                new ConsolePage(
                        "/runs/" + seeded.runId(),
                        Permission.READ_RUN,
                        ".run-facts",
                        Map.of(),
                        List.of(
                                new Offer("[data-retry]", Permission.WRITE_RUN),
                                new Offer("[data-replay]", Permission.WRITE_RUN),
                                new Offer("[data-make-test]", flow))),
                new ConsolePage(
                        "/tables",
                        Permission.READ_TABLE,
                        ".table-name",
                        Map.of("New table", table),
                        List.of(new Offer(main, table))),
                new ConsolePage(
                        "/tables/" + seeded.tableId(),
                        Permission.READ_TABLE,
                        "[data-records='1']",
                        Map.of("Add record", table),
                        List.of(new Offer(".table-head .primary", table), new Offer(".grid-aside .button", table))),
                new ConsolePage(
                        "/connections",
                        Permission.READ_APP_CONNECTION,
                        ".connections .state",
                        Map.of("New connection", Permission.WRITE_APP_CONNECTION),
                        List.of(new Offer(main, Permission.WRITE_APP_CONNECTION))),
                new ConsolePage(
                        "/people",
                        Permission.READ_PROJECT_MEMBER,
                        ".person-line",
                        Map.of("Invite", Permission.WRITE_INVITATION),
                        List.of(
                                new Offer(main, Permission.WRITE_INVITATION),
                                new Offer(".table [role=combobox]", Permission.WRITE_PROJECT_MEMBER))),
                new ConsolePage(
                        "/people?view=roles", Permission.READ_PROJECT_MEMBER, ".role-name", Map.of(), List.of()),
                new ConsolePage(
                        "/settings",
                        Permission.READ_PROJECT,
                        ".settings-form",
                        Map.of(),
                        List.of(
                                new Offer(".settings-form [type=submit]", Permission.WRITE_PROJECT),
                                new Offer("[role=tab][id$=alerts]", Permission.READ_ALERT),
                                new Offer("[role=tab][id$=git]", Permission.READ_PROJECT_RELEASE),
                                new Offer("[role=tab][id$=releases]", Permission.READ_PROJECT_RELEASE))),
                new ConsolePage(
                        "/settings?view=pieces",
                        Permission.READ_PROJECT,
                        ".way",
                        Map.of(),
                        List.of(new Offer(".settings-form [type=submit]", Permission.WRITE_PROJECT))),
                new ConsolePage(
                        "/settings?view=alerts",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings .table, .settings-form",
                        Map.of("Add recipient", Permission.WRITE_ALERT),
                        List.of(new Offer(".settings-bar .primary", Permission.WRITE_ALERT))),
                new ConsolePage(
                        "/settings?view=git",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings-form",
                        Map.of("Connect a repository", release),
                        List.of(new Offer(".settings .state .primary", release))),
                new ConsolePage(
                        "/settings?view=releases",
                        Permission.READ_PROJECT,
                        ".settings .state, .settings-form",
                        Map.of("New release", release),
                        List.of(new Offer(".settings-bar .primary", release))),
                new ConsolePage(
                        "/agents",
                        Permission.READ_AGENT,
                        ".connection-name",
                        Map.of("New agent", agent),
                        List.of(new Offer(main, agent))),
                new ConsolePage(
                        "/agents/" + seeded.agentId(),
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of("Save draft", agent),
                        List.of(new Offer(main, agent), new Offer(".save-bar [type=submit]", agent))),
                new ConsolePage(
                        "/agents/" + seeded.agentId() + "?view=try",
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of(),
                        List.of()),
                new ConsolePage(
                        "/agents/" + seeded.agentId() + "?view=runs",
                        Permission.READ_AGENT,
                        ".agent-head",
                        Map.of(),
                        List.of()),
                new ConsolePage("/mcp", Permission.READ_MCP, ".once", Map.of(), List.of()),
                new ConsolePage("/mcp?view=tools", Permission.READ_MCP, ".table", Map.of(), List.of()),
                new ConsolePage("/mcp?view=granted", Permission.READ_MCP, ".connections", Map.of(), List.of()));
    }
}
