package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.account.identity.AccessTokens;
import io.millrace.base.access.Access;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiContract;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Every route with a POST or a PUT, called by every kind of caller, compared with the table of {@code
 * creation-routes.md}: the permitted callers, and the limit of the rows that the route creates. A new route needs a
 * line there.
 */
final class CreationTableIT {
    private static final Path TABLE =
            Path.of("src", "test", "resources", "io", "millrace", "contract", "creation-routes.md");
    private static final String MARK = "HomeMark";
    private static final int NOT_FOUND = 404;

    /** A missing row is reported before the caller is authorized. */
    private static final Set<Integer> NOT_ADMITTED = Set.of(401, 403, NOT_FOUND);

    /** Outgoing requests, a key that takes seconds to generate, and the end of the sessions of this test. */
    private static final Set<String> NOT_CALLED_WHEN_ADMITTED = Set.of(
            "POST /v1/pieces",
            "POST /v1/git-repos",
            "POST /v1/signing-keys",
            "POST /v1/event-destinations/test",
            "POST /v1/platforms/:id/sso-domain/verify");

    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static SignedIn ada = server.signUp("ada@example.com", "Ada").inTeam(MARK);
    private static Tenant tenant = Tenant.fill(server, ada, MARK);

    private static final SampleRequests REQUESTS = new SampleRequests(ApiContract.ofThisBuild());

    static {
        addRows();
    }

    private final Map<String, ApiClient> callers = callers();

    private static Map<String, ApiClient> callers() {
        var callers = new LinkedHashMap<String, ApiClient>();
        callers.put("anonymous", server.anonymous());
        callers.put("stranger", server.signUp("stan@example.com", "Stan").api());
        callers.put("viewer", member("Viewer"));
        callers.put("editor", member("Editor"));
        callers.put("project administrator", member("Admin"));
        callers.put(
                "operator",
                server.signUp("olga@example.com", "Olga", PlatformRole.OPERATOR).api());
        callers.put("engine", server.anonymous().with(tokens().issueEngine(ada.projectId())));
        callers.put("mcp", server.anonymous().with(mcpToken()));
        callers.put("key", tenant.service());
        callers.put("administrator", ada.api());
        return callers;
    }

    private static void addRows() {
        var rows = tenant.rows();
        var agents = server.routes().stream()
                .filter(route -> nameOf(route).equals("POST /v1/agents"))
                .findFirst()
                .orElseThrow();
        var made = ada.api().post("/v1/agents", REQUESTS.body(agents, tenant).orElseThrow());
        assertThat(made.status()).as("%s", made).isEqualTo(201);
        rows.put("/v1/agents", made.text("/id"));
        var member = server.signUp("mia@example.com", "Mia");
        server.join(member, ada.projectId(), "Viewer");
        rows.put(
                "/v1/project-members",
                server.text("select id from project_member where user_id = $1", member.userId()));
        rows.put("/v1/users", member.userId());
    }

    private static ApiClient member(String role) {
        var user = server.signUp(role.toLowerCase(Locale.ROOT) + ".role@example.com", role);
        server.join(user, ada.projectId(), role);
        return user.api();
    }

    private static AccessTokens tokens() {
        return new AccessTokens(TestServer.JWT_SECRET, server.clock());
    }

    /** Access token of an MCP client for the own platform, valid for MCP servers only. */
    private static String mcpToken() {
        var claims = Json.object()
                .put("sub", ada.userId())
                .put("projectId", ada.projectId())
                .put("platformId", ada.platformId())
                .put("clientId", "client")
                .put("grantId", Ids.next())
                .put("aud", "http://localhost/mcp");
        return tokens().issue("mcp_oauth", claims, Duration.ofMinutes(15));
    }

    @Test
    void admitsWhomTheTableNames() throws IOException {
        // Given
        var expected = new TreeMap<String, String>();
        var bounds = new TreeMap<String, String>();
        for (var line : Files.readAllLines(TABLE)) {
            var cells = line.split(" *\\| *", -1);
            if (cells.length > 4 && cells[1].matches("(POST|PUT|\\*) /.*")) {
                expected.put(cells[1], cells[2]);
                bounds.put(cells[1], cells[3]);
            }
        }

        // When
        var found = new TreeMap<String, String>();
        var broken = new ArrayList<String>();
        for (var route : routes()) {
            found.put(nameOf(route), admitted(route, broken));
        }

        // Then
        assertThat(broken).isEmpty();
        assertThat(text(found)).isEqualTo(text(expected));
        assertThat(bounds.values()).noneMatch(String::isBlank);
    }

    private static String text(Map<String, String> table) {
        var text = new StringBuilder();
        table.forEach((route, callers) ->
                text.append("| ").append(route).append(" | ").append(callers).append(" |\n"));
        return text.toString();
    }

    private static List<MountedRoute> routes() {
        return server.routes().stream()
                .filter(route -> Set.of("POST", "PUT", "*").contains(route.method()))
                .sorted(Comparator.comparing(
                                (MountedRoute route) -> route.path().equals("/v1/users/:id"))
                        .thenComparing(MountedRoute::path))
                .toList();
    }

    private static String nameOf(MountedRoute route) {
        return route.method() + " " + route.path();
    }

    private String admitted(MountedRoute route, List<String> broken) {
        if (route.access() instanceof Access.Public) {
            return "public";
        }
        var admitted = new ArrayList<String>();
        var isRowMissing = false;
        for (var caller : callers.entrySet()) {
            if (NOT_CALLED_WHEN_ADMITTED.contains(nameOf(route))
                    && Set.of("administrator", "key", "project administrator", "operator", "editor")
                            .contains(caller.getKey())) {
                continue;
            }
            var status = status(route, caller.getValue());
            if (status >= 500) {
                broken.add(caller.getKey() + ": " + nameOf(route) + " -> " + status);
            }
            isRowMissing |= status == NOT_FOUND;
            if (!NOT_ADMITTED.contains(status)) {
                admitted.add(caller.getKey());
            }
        }
        if (!admitted.isEmpty()) {
            return String.join(", ", admitted);
        }
        return NOT_CALLED_WHEN_ADMITTED.contains(nameOf(route))
                ? "not called by those who are admitted"
                : isRowMissing ? "no row in this test" : "none of these";
    }

    private int status(MountedRoute route, ApiClient api) {
        var path = REQUESTS.path(route, tenant) + REQUESTS.query(route, tenant);
        var body = REQUESTS.body(route, tenant);
        var client = SampleRequests.at(route, api);
        var answer = body.isPresent()
                ? client.send(
                        SampleRequests.methodOf(route),
                        path,
                        Map.of("Content-Type", "application/json"),
                        Json.text(body.get()))
                : client.send(SampleRequests.methodOf(route), path, Map.of(), "");
        return answer.status();
    }
}
