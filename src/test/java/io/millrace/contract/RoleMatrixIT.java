package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.Flows;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ApiContract;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.TestServer.SignedIn;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every route, called by every kind of principal for rows of the own platform and of another one. The expected result
 * follows from the access rule of the route alone (contract admin-api 1.9 to 1.11).
 */
final class RoleMatrixIT {
    private static final String OWN_MARK = "HomeMark";
    private static final String READER = "a key that reads flows";

    /** Routes with their own error format (contract admin-api 35). */
    private static final String SCIM = "/v1/scim/";

    private static final String FOREIGN_MARK = "ForeignMark";
    private static final Set<String> EDITOR_LACKS =
            Set.of("WRITE_PROJECT_MEMBER", "WRITE_INVITATION", "READ_ALERT", "WRITE_ALERT", "WRITE_PROJECT");

    /** Rules that only the module can check, because they depend on more than the route. */
    private static final Set<String> DECIDED_IN_THE_ROOM = Set.of(
            "POST /v1/templates",
            "POST /v1/templates/:id",
            "DELETE /v1/templates/:id",
            "POST /v1/user-invitations",
            "DELETE /v1/user-invitations/:id",
            "POST /v1/mcp-oauth/approve",
            "POST /v1/flows/:id");

    /** Templates are readable for every caller that knows their id (contract admin-api 6.4). */
    private static final Set<String> OPEN_TO_ALL_WHO_KNOW_THE_ID = Set.of("GET /v1/templates/:id");

    /**
     * Endless responses, routes that need an external server or a slow key generation, and the deletion of a user,
     * which another route covers.
     */
    private static final Set<String> NOT_CARRIED_OUT = Set.of(
            "GET /v1/flow-runs/:id/events",
            "GET /v1/projects/:id/events",
            "POST /v1/pieces",
            "POST /v1/git-repos",
            "POST /v1/signing-keys",
            "POST /v1/event-destinations/test",
            "POST /v1/platforms/:id/sso-domain/verify",
            "DELETE /v1/users/:id/data");

    private static TestServer server;
    private static Tenant own;
    private static Tenant foreign;
    private static List<Asker> askers;

    private final SampleRequests requests = new SampleRequests(ApiContract.ofThisBuild());

    /** Caller with its roles on the own platform. */
    private record Asker(
            String name,
            ApiClient api,
            Principal.Kind kind,
            PlatformRole role,
            Set<Permission> inProject,
            boolean member) {
        static Asker user(String name, SignedIn who, PlatformRole role, Set<Permission> inProject) {
            return new Asker(name, who.api(), Principal.Kind.USER, role, inProject, !inProject.isEmpty());
        }
    }

    /** Decision of the authorization in the HTTP layer. */
    private enum Verdict {
        ADMITTED,
        UNAUTHENTICATED,
        REFUSED,
        DENIED,
        MISSING
    }

    @BeforeAll
    static void start() {
        server = ServerSettings.openSignUp().start();
        var ada = server.signUp("ada@example.com", "Ada").inTeam(OWN_MARK);
        own = Tenant.fill(server, ada, OWN_MARK);
        foreign = Tenant.fill(server, server.foreigner(), FOREIGN_MARK);
        askers = askers(ada);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<Asker> askers(SignedIn ada) {
        var all = EnumSet.allOf(Permission.class);
        var editor = all.stream()
                .filter(permission -> !EDITOR_LACKS.contains(permission.name()))
                .collect(Collectors.toSet());
        var viewer = editor.stream()
                .filter(permission ->
                        permission.name().startsWith("READ") && permission != Permission.READ_PROJECT_RELEASE)
                .collect(Collectors.toSet());
        var operatorHas = EnumSet.copyOf(editor);
        operatorHas.add(Permission.WRITE_PROJECT);
        var operator = server.signUp("olga@example.com", "Olga", PlatformRole.OPERATOR);
        return List.of(
                new Asker("nobody", server.anonymous(), Principal.Kind.UNKNOWN, null, Set.of(), false),
                new Asker("a bad token", server.anonymous().with("no-token"), null, null, Set.of(), false),
                new Asker("a bad key", server.anonymous().with("sk-none"), null, null, Set.of(), false),
                Asker.user("a stranger", server.signUp("stefan@example.com", "Stefan"), PlatformRole.MEMBER, Set.of()),
                member("Viewer", viewer),
                member(OWN_MARK, Set.of(Permission.READ_FLOW)),
                member("Editor", editor),
                member("Admin", all),
                Asker.user("an operator", operator, PlatformRole.OPERATOR, operatorHas),
                Asker.user("the administrator", ada, PlatformRole.ADMIN, all),
                new Asker(READER, scopedKey(), Principal.Kind.SERVICE, null, Set.of(Permission.READ_FLOW), true),
                new Asker("a key", own.service(), Principal.Kind.SERVICE, null, all, true));
    }

    private static ApiClient scopedKey() {
        var request = Json.object().put("displayName", READER);
        request.putArray("scopes").add("READ_FLOW");
        return server.anonymous()
                .with(own.admin().api().post("/v1/api-keys", request).text("/value"));
    }

    private static Asker member(String roleName, Set<Permission> permissions) {
        var user = server.signUp(roleName.toLowerCase(Locale.ROOT) + ".role@example.com", roleName);
        server.join(user, own.projectId(), roleName);
        if (roleName.equals("Viewer")) {
            own.rows()
                    .put(
                            "/v1/project-members",
                            server.text("select id from project_member where user_id = $1", user.userId()));
            own.rows().put("/v1/users", user.userId());
        }
        return Asker.user("a member as " + roleName, user, PlatformRole.MEMBER, permissions);
    }

    @Test
    void everyRouteAdmitsWhomItsRuleNames_andShowsNobodyAnotherPlatform() {
        // Given
        var before = foreignRows();
        var wrong = new ArrayList<String>();
        var asked = 0;

        // When
        checkDryRuns(wrong);
        for (var route : inOrder(server.routes())) {
            var isPublic = route.access() instanceof Access.Public;
            for (var target : isPublic ? List.of(own) : List.of(foreign, own)) {
                for (var asker : isPublic ? askers.subList(0, 1) : inOrder(askers, route, target)) {
                    asked++;
                    check(route, target, asker, wrong);
                }
            }
        }

        // Then
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(2_000);
        assertThat(foreignRows()).isEqualTo(before);
    }

    /** Webhooks are public; a request with a token and {@code dryRun} needs the permission of a manual start (decision 0430). */
    private static void checkDryRuns(List<String> wrong) {
        var flow = new MountedRoute(
                "POST", "/v1/flows/:id", false, Access.projectOfRow(Permission.WRITE_RUN, Flows.ProjectOf::new));
        for (var target : List.of(foreign, own)) {
            var path = "/v1/webhooks/" + target.rowOf("/v1/flows/{id}") + "/draft?dryRun=true";
            for (var asker : askers.subList(1, askers.size())) {
                var verdict = verdict(flow, target, asker);
                var answer = asker.api().post(path, Json.object());
                if (!fits("POST /v1/webhooks/:id", false, verdict, target, answer)) {
                    wrong.add(asker.name() + ": " + path + ": " + verdict + ", found " + answer.status() + " "
                            + answer.body());
                }
            }
        }
    }

    /** Statuses that reject a caller. Public routes also use them for their own tokens, of links for instance; not checked here. */
    private static final Set<Integer> SAYS_NO = Set.of(401, 403);

    private void check(MountedRoute route, Tenant target, Asker asker, List<String> wrong) {
        var verdict = verdict(route, target, asker);
        var name = route.method() + " " + route.path();
        if (verdict == Verdict.ADMITTED && NOT_CARRIED_OUT.contains(name)) {
            return;
        }
        Answer answer;
        try {
            answer = ask(route, target, asker.api());
        } catch (UncheckedIOException late) {
            wrong.add(asker.name() + ": " + name + " is not answered: " + late.getMessage());
            return;
        }
        if (!fits(name, route.access() instanceof Access.Public, verdict, target, answer)) {
            wrong.add(asker.name() + ": " + name + " of " + (target.equals(own) ? "own" : "another") + " platform: "
                    + verdict + ", found " + answer.status() + " " + answer.body());
        }
        if (answer.body().toString().contains(FOREIGN_MARK) && !OPEN_TO_ALL_WHO_KNOW_THE_ID.contains(name)) {
            wrong.add(asker.name() + ": " + name + " shows another platform: " + answer.body());
        }
    }

    private static boolean fits(String name, boolean isPublic, Verdict verdict, Tenant target, Answer answer) {
        return switch (verdict) {
            case UNAUTHENTICATED -> answer.status() == 401;
            case REFUSED ->
                answer.status() == 403 && (answer.text("/code").equals("AUTHORIZATION") || name.contains(SCIM));
            case DENIED -> answer.status() == 403 && answer.text("/code").equals("PERMISSION_DENIED");
            case MISSING -> answer.status() == 404;
            case ADMITTED ->
                answer.status() < 500
                        && (!SAYS_NO.contains(answer.status())
                                || target.equals(foreign)
                                || isPublic
                                || DECIDED_IN_THE_ROOM.contains(name))
                        && (target.equals(own) || !name.contains(":id") || isHarmless(name, answer));
        };
    }

    /** True if a response reveals nothing about a row of another platform: not found, or forbidden. */
    private static boolean isHarmless(String name, Answer answer) {
        return Set.of(400, 403, 404).contains(answer.status()) || OPEN_TO_ALL_WHO_KNOW_THE_ID.contains(name);
    }

    private static Verdict verdict(MountedRoute route, Tenant target, Asker asker) {
        var rule = route.access();
        if (asker.kind() == null && !(rule instanceof Access.Public)) {
            return Verdict.UNAUTHENTICATED;
        }
        return switch (rule) {
            case Access.Public _ -> Verdict.ADMITTED;
            case Access.Unscoped(var kinds) -> ofKind(kinds, asker);
            case Access.PlatformScoped(var kinds) -> ofPlatform(kinds, asker);
            case Access.PlatformAdmin(var kinds) ->
                asker.kind() == Principal.Kind.USER && asker.role() != PlatformRole.ADMIN
                        ? Verdict.REFUSED
                        : ofPlatform(kinds, asker);
            case Access.ProjectScoped project -> inProject(route, project, target, asker);
        };
    }

    private static Verdict inProject(MountedRoute route, Access.ProjectScoped rule, Tenant target, Asker asker) {
        if (rule.source() instanceof ProjectSource.Row
                && !target.hasRowOf(route.path().replace(":", "{"))) {
            return Verdict.MISSING;
        }
        if (ofKind(rule.kinds(), asker) == Verdict.REFUSED || target.equals(foreign) || !asker.member()) {
            return Verdict.REFUSED;
        }
        return rule.permission() == null || asker.inProject().contains(rule.permission())
                ? Verdict.ADMITTED
                : Verdict.DENIED;
    }

    private static Verdict ofPlatform(Set<Principal.Kind> kinds, Asker asker) {
        return asker.name().equals(READER) ? Verdict.REFUSED : ofKind(kinds, asker);
    }

    private static Verdict ofKind(Set<Principal.Kind> kinds, Asker asker) {
        return kinds.contains(asker.kind()) ? Verdict.ADMITTED : Verdict.REFUSED;
    }

    private Answer ask(MountedRoute route, Tenant target, ApiClient api) {
        var method = SampleRequests.methodOf(route);
        var path = requests.path(route, target) + requests.query(route, target);
        var body = requests.body(route, target);
        var client = SampleRequests.at(route, api);
        return body.isPresent()
                ? client.send(method, path, Map.of("Content-Type", "application/json"), Json.text(body.get()))
                : client.send(method, path, Map.of(), "");
    }

    /** Routes that remove rows which later requests need; called last. */
    private static final List<String> LAST =
            List.of("/v1/flows/:id", "/v1/tables/:id", "/v1/project-members/:id", "/v1/projects/:id", "/v1/users/:id");

    /** Sorts routes: reads first, removals last. */
    private static List<MountedRoute> inOrder(List<MountedRoute> routes) {
        return routes.stream()
                .filter(route -> !route.path().startsWith("/v1/webhooks"))
                .sorted(Comparator.comparing(
                                (MountedRoute route) -> route.method().equals("DELETE"))
                        .thenComparingInt(route -> route.method().equals("DELETE") ? LAST.indexOf(route.path()) : -1)
                        .thenComparing(route -> !route.method().equals("GET"))
                        .thenComparing(MountedRoute::path))
                .toList();
    }

    /** Sorts rejected callers first, so that the row still exists for their requests. */
    private List<Asker> inOrder(List<Asker> all, MountedRoute route, Tenant target) {
        return all.stream()
                .sorted(Comparator.comparing((Asker asker) -> verdict(route, target, asker) == Verdict.ADMITTED))
                .toList();
    }

    /** All rows of the other platform, read by its administrator. */
    private Map<String, String> foreignRows() {
        var api = foreign.admin().api();
        var query = "?limit=1000&projectId=" + foreign.projectId();
        return foreign.rows().keySet().stream()
                .filter(collection -> collection.startsWith("/v1") && !collection.equals("/v1/platforms"))
                .collect(Collectors.toMap(
                        collection -> collection,
                        collection -> api.get(collection + query).body().toString()));
    }
}
