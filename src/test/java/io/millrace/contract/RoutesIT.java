package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiContract;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Served routes equal documented routes; and routes reject callers without a token. */
final class RoutesIT {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete");
    private static final String ANY = "*";
    private static final String AT_ROOT = ", at the root too";

    @AutoClose
    private static TestServer server = TestServer.start();

    private final ApiContract contract = ApiContract.ofThisBuild();

    @Test
    void everyRouteIsDocumentedWithItsAccessAndNothingElseIs() {
        // Given
        var documented = new TreeMap<String, String>();
        for (var path : contract.document().path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                if (METHODS.contains(method.getKey())) {
                    var name = path.getValue().path("x-any-method").asBoolean() ? ANY : method.getKey();
                    var servers = path.getValue().path("servers").findValuesAsText("url");
                    documented.put(
                            name.toUpperCase(Locale.ROOT) + " " + path.getKey(),
                            method.getValue().path("x-access").asText() + (servers.contains("/") ? AT_ROOT : ""));
                }
            }
        }

        // When
        var mounted = new TreeMap<String, String>();
        server.routes()
                .forEach(route -> mounted.put(
                        route.method() + " " + pathOf(route),
                        textOf(route.access()) + (route.atRoot() ? AT_ROOT : "")));

        // Then
        assertThat(mounted).isEqualTo(documented);
    }

    @Test
    void noRouteAdmitsCallersWithoutAToken() {
        var api = server.anonymous();
        var tried = new ArrayList<String>();
        var let = new TreeSet<String>();
        for (var route : server.routes()) {
            if (!isOpen(route.access())) {
                // Given
                var id = Ids.next();
                var path = route.path().replaceAll(":[a-zA-Z]+", id) + queryOf(route, id);

                // When
                var answer = route.method().equals("POST")
                        ? api.post(path, Json.object().put("projectId", id).put("displayName", "Intruder"))
                        : api.send(route.method(), path, Map.of(), "");

                // Then
                tried.add(route.path());
                if (!Set.of(400, 403, 404).contains(answer.status())) {
                    let.add(route.method() + " " + path + " -> " + answer.status());
                }
                if (answer.status() == 403) {
                    assertThat(codeOf(answer)).as(path).isIn("AUTHORIZATION", "403");
                }
            }
        }

        assertThat(tried).hasSizeGreaterThan(15);
        assertThat(let).isEmpty();
    }

    @Test
    void tokensOfOthersAreRefusedEverywhere() {
        var api = server.anonymous().with("not-a-token");
        for (var route : server.routes()) {
            if (route.method().equals("GET") && !(route.access() instanceof Access.Public)) {
                // Given
                var id = Ids.next();
                var path = route.path().replaceAll(":[a-zA-Z]+", id) + queryOf(route, id);

                // When
                var answer = api.get(path);

                // Then
                assertThat(answer.status()).as(path).isEqualTo(401);
                assertThat(codeOf(answer)).as(path).isIn("INVALID_BEARER_TOKEN", "401");
            }
        }
    }

    /** SCIM routes reject in the format of SCIM, where the status is the only information. */
    private static String codeOf(ApiClient.Answer answer) {
        return answer.body().has("code") ? answer.text("/code") : answer.text("/status");
    }

    @Test
    void servesTheDocumentAndThePage() {
        // When
        var document = server.anonymous().get("/v1/openapi.json");
        var page = server.anonymous().get("/v1/docs");

        // Then
        assertThat(document.status()).isEqualTo(200);
        assertThat(document.body()).isEqualTo(contract.document());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'");
        assertThat(page.body().asText()).contains("<title>Millrace API</title>", "\"/v1/flows/{id}\"");
        assertThat(server.anonymous().get("/v1/docs/getFlow").body().asText()).contains("/api/v1/flows/{id}");
        assertThat(server.anonymous().get("/v1/docs/schemas/Flow").status()).isEqualTo(200);
        assertThat(server.anonymous().get("/v1/docs/getNothing").status()).isEqualTo(404);
    }

    @Test
    void unknownPathIsAnsweredAsInTheContract() {
        // When
        var answer = server.anonymous().get("/v1/nothing-here");

        // Then
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.body().toString())
                .isEqualTo("{\"statusCode\":404,\"error\":\"Not Found\",\"message\":\"Route not found\"}");
    }

    /** A valid query: it is checked before the caller. */
    private String queryOf(MountedRoute route, String id) {
        var query = new StringBuilder("?projectId=" + id);
        var operation = contract.document()
                .path("paths")
                .path(pathOf(route))
                .path(route.method().toLowerCase(Locale.ROOT));
        for (var parameter : operation.path("parameters")) {
            var resolved = resolved(parameter);
            var name = resolved.path("name").asText();
            if (resolved.path("in").asText().equals("query")
                    && resolved.path("required").asBoolean()
                    && !name.equals("projectId")) {
                var options = resolved(resolved.path("schema")).path("enum");
                query.append('&')
                        .append(name)
                        .append('=')
                        .append(resolved.path("example").asText(options.path(0).asText(id)));
            }
        }
        return query.toString();
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref")
                ? contract.document().at(node.path("$ref").asText().substring(1))
                : node;
    }

    private static String pathOf(MountedRoute route) {
        return route.path().replaceAll(":([a-zA-Z]+)", "{$1}");
    }

    private static boolean isOpen(Access access) {
        return Set.of("public", "anybody").contains(textOf(access));
    }

    /** The notation that the document uses for access rules. */
    private static String textOf(Access access) {
        return switch (access) {
            case Access.Public _ -> "public";
            case Access.Unscoped(var kinds) ->
                kinds.contains(Principal.Kind.UNKNOWN)
                        ? "anybody"
                        : kinds.contains(Principal.Kind.ENGINE) ? "engine" : "newcomer users";
            case Access.PlatformScoped(var kinds) -> "platform" + textOf(kinds);
            case Access.PlatformAdmin(var kinds) -> "platform-admin" + textOf(kinds);
            case Access.ProjectScoped(var kinds, var permission, var source) ->
                "project" + (permission == null ? "" : " " + permission) + textOf(kinds) + " of " + textOf(source);
        };
    }

    private static String textOf(Set<Principal.Kind> kinds) {
        if (!kinds.contains(Principal.Kind.USER)) {
            return " services";
        }
        if (kinds.contains(Principal.Kind.ENGINE)) {
            return kinds.contains(Principal.Kind.SERVICE) ? " pieces" : " users and pieces";
        }
        return kinds.contains(Principal.Kind.SERVICE) ? "" : " users";
    }

    private static String textOf(ProjectSource source) {
        return switch (source) {
            case ProjectSource.Body _ -> "body";
            case ProjectSource.Query _ -> "query";
            case ProjectSource.Path _ -> "path";
            case ProjectSource.Row _, ProjectSource.RowInBody _, ProjectSource.RowInQuery _ -> "row";
        };
    }
}
