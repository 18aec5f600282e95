package io.millrace.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Principal;
import io.millrace.base.core.Json;
import io.millrace.base.http.Routes.MountedRoute;
import io.millrace.contract.BodySpoilings.Spoiling;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.ApiContract;
import io.millrace.support.RawHttp;
import io.millrace.support.TestServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Invalid input derived from the API document: every body with one field spoilt at a time, every query, and input that
 * is not HTTP or not JSON. The response names the field and is never a 5xx (contract admin-api 1.2, 1.5).
 */
final class BadInputIT {
    private static final String MARK = "HomeMark";

    /** Queries of protocols with their own error format. */
    private static final Set<String> OTHERS_QUERIES = Set.of("/authorize", "/socket.io");

    /** Routes whose errors have the shape of OAuth (contract admin-api 1.5, C). */
    private static final Set<String> OAUTH = Set.of("/register", "/token", "/revoke", "/v1/mcp-oauth/approve");

    /** A protocol with its own errors, and a route that makes outgoing calls. */
    private static final Set<String> OTHERS_TESTS = Set.of(
            "/mcp",
            "/mcp/platform",
            "/v1/mcp/:projectId/http",
            "/v1/git-repos",
            "/v1/git-repos/:id/push",
            "/v1/event-destinations/test");

    private static final Pattern DETAILS_OF_THE_HOST = Pattern.compile(
            "/tmp/|/dev/shm/|millrace-test-|/proc/|/home/|/root/|/var/lib|server-secrets|io\\.millrace|io\\.vertx|com\\.fasterxml|java\\.(lang|util|io|nio|net)\\."
                    + "|\\.java:\\d|\\\\tat |Exception\\b|PSQL|pg_|select .* from ");

    private static boolean isOthers(MountedRoute route) {
        return OTHERS_TESTS.contains(route.path()) || route.path().startsWith("/v1/scim/");
    }

    @AutoClose
    private static TestServer server = TestServer.start();

    private static Tenant tenant =
            Tenant.fill(server, server.signUp("ada@example.com", "Ada").inTeam(MARK), MARK);

    private final ApiContract contract = ApiContract.ofThisBuild();
    private final SampleRequests requests = new SampleRequests(contract);
    private final BodySpoilings spoilings = new BodySpoilings(contract);

    @Test
    void refusesEveryBodyWithASpoiltField_andNamesTheField() {
        // Given
        var wrong = new ArrayList<String>();
        var tried = 0;

        // When
        for (var route : server.routes()) {
            if (!route.method().equals("POST") || isOthers(route)) {
                continue;
            }
            var schema = requests.schemaOf(requests.operationOf(route));
            for (var sample : requests.bodies(route, tenant)) {
                if (sample instanceof ObjectNode body) {
                    tried += spoil(route, schema.orElseThrow(), body, wrong);
                }
            }
        }

        // Then
        assertThat(String.join("\n", wrong)).isEmpty();
        assertThat(tried).isGreaterThan(500);
    }

    /** Sends the body with each of its fields spoilt; returns the number of requests. */
    private int spoil(MountedRoute route, JsonNode schema, ObjectNode body, List<String> wrong) {
        var ways = spoilings.of(schema, body).stream()
                .filter(spoiling -> !isCleaned(route, spoiling))
                .toList();
        ways.forEach(spoiling -> check(route, spoiling.appliedTo(body), spoiling, wrong));
        return ways.size();
    }

    /** Texts of flows lose NUL characters instead of being refused (contract flows-and-engine 2.13). */
    private static boolean isCleaned(MountedRoute route, Spoiling spoiling) {
        return spoiling.how().equals("with NUL")
                && (route.path().equals("/v1/flows/:id") || spoiling.field().startsWith("flows/"));
    }

    private void check(MountedRoute route, ObjectNode body, Spoiling spoiling, List<String> wrong) {
        Answer answer;
        try {
            answer = post(route, Json.text(body));
        } catch (AssertionError undocumented) {
            wrong.add(route.path() + " with " + spoiling + ": " + undocumented.getMessage());
            return;
        }
        addDetailsOfTheHost(route.path() + " with " + spoiling, answer, wrong);
        if (spoiling.isAllowed()) {
            if (answer.text("/message").contains("/" + spoiling.field() + " Invalid")) {
                wrong.add(route.path() + " with " + spoiling + ": found " + answer.status() + " " + answer.body());
            }
            return;
        }
        var isGood = answer.text("/code").equals("FST_ERR_VALIDATION") || spoiling.mustRefuse()
                ? answer.status() == 400 && namesTheField(route, spoiling, answer)
                : true;
        if (answer.status() >= 500 || !isGood || !tellsEachOnce(answer)) {
            wrong.add(route.path() + " with " + spoiling + ": found " + answer.status() + " " + answer.body());
        }
    }

    /** A refusal shows no path, class or stack of the server. */
    private static void addDetailsOfTheHost(String request, Answer answer, List<String> wrong) {
        if (answer.status() >= 400
                && DETAILS_OF_THE_HOST.matcher(answer.body().toString()).find()) {
            wrong.add(request + " shows details of the host: " + answer.body());
        }
    }

    private static boolean namesTheField(MountedRoute route, Spoiling spoiling, Answer answer) {
        return OAUTH.contains(route.path())
                || answer.text("/code").equals("FLOW_OPERATION_INVALID")
                || answer.text("/code").equals("FST_ERR_VALIDATION")
                        && answer.text("/message")
                                .contains("/" + spoiling.path().getFirst());
    }

    /** A wrong field is named once, even with several violations (contract admin-api 1.5). */
    private static boolean tellsEachOnce(Answer answer) {
        if (!answer.text("/code").equals("FST_ERR_VALIDATION")) {
            return true;
        }
        var fields = Stream.of(answer.text("/message").split(", (?=(?:body|querystring|params)/)", -1))
                .map(problem -> problem.split(" ", -1)[0])
                .toList();
        return fields.stream().distinct().count() == fields.size();
    }

    @Test
    void refusesMalformedIdsInPaths() {
        var wrong = new ArrayList<String>();
        for (var route : server.routes()) {
            if (route.path().contains(":id") && !(route.access() instanceof Access.Public) && !isOthers(route)) {
                // Given
                var path = route.path().replace(":id", "not-an-id") + requests.query(route, tenant);

                // When
                var body = requests.body(route, tenant).map(Json::text);
                var answer = client(route)
                        .send(
                                route.method(),
                                path,
                                body.isPresent() ? Map.of("Content-Type", "application/json") : Map.of(),
                                body.orElse(""));

                // Then
                if (answer.status() != 400 && !isNamed(route) || answer.status() >= 500) {
                    wrong.add(route.method() + " " + path + " -> " + answer.status() + " " + answer.body());
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** Roles are removed by name (contract admin-api 5). */
    private static boolean isNamed(MountedRoute route) {
        return route.method().equals("DELETE") && route.path().equals("/v1/project-roles/:id");
    }

    @Test
    void refusesSpoiltQueries() {
        var wrong = new ArrayList<String>();
        for (var route : server.routes()) {
            for (var parameter : requests.operationOf(route).path("parameters")) {
                var resolved = contract.resolved(parameter);
                if (route.method().equals("GET") && resolved.path("in").asText().equals("query") && !isStream(route)) {
                    checkParameter(route, resolved, wrong);
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    /** An accepted stream does not end; its only parameter is a truth value, which may be any text. */
    private boolean isStream(MountedRoute route) {
        return requests.operationOf(route)
                .path("responses")
                .path("200")
                .path("content")
                .has("text/event-stream");
    }

    @Test
    void refusesParametersThatTheirSchemaRefuses_andNamesThem() {
        var wrong = new ArrayList<String>();
        for (var route : server.routes()) {
            for (var parameter : requests.operationOf(route).path("parameters")) {
                var resolved = contract.resolved(parameter);
                if (route.method().equals("GET")
                        && resolved.path("in").asText().equals("query")
                        && !isOthers(route)
                        && !OTHERS_QUERIES.contains(route.path())) {
                    checkRefusals(route, resolved.path("name").asText(), resolved.path("schema"), wrong);
                }
            }
        }

        assertThat(String.join("\n", wrong)).isEmpty();
    }

    private void checkRefusals(MountedRoute route, String name, JsonNode reference, List<String> wrong) {
        var schema = contract.resolved(reference);
        var single = schema.has("items") ? contract.resolved(schema.path("items")) : schema;
        for (var value : refused(single)) {
            // Given
            var path = withParameter(route, name, value);

            // When
            var answer = client(route).get(path);

            // Then
            if (answer.status() != 400 || !answer.text("/message").contains("querystring/" + name)) {
                wrong.add(path + " -> " + answer.status() + " " + answer.body());
            }
        }
    }

    /** Values that a schema rejects. A truth value may be any text (contract admin-api 1.3). */
    private static List<String> refused(JsonNode schema) {
        var values = new ArrayList<String>();
        if (schema.has("enum") && !schema.path("type").asText().equals("boolean")) {
            values.add("NO_SUCH_WORD");
        }
        if (schema.path("type").asText().equals("integer")) {
            values.addAll(List.of("word", "1.5", "-1"));
        }
        if (schema.has("minimum")) {
            values.add(Long.toString(schema.path("minimum").asLong() - 1));
        }
        if (schema.has("maximum")) {
            values.add(Long.toString(schema.path("maximum").asLong() + 1));
        }
        if (schema.path("format").asText().equals("date-time")) {
            values.addAll(List.of("yesterday", "2025-02-30T00:00:00Z"));
        }
        if (schema.path("minLength").asInt(0) > 0) {
            values.add("");
        }
        return values;
    }

    private String withParameter(MountedRoute route, String name, String value) {
        var path = requests.path(route, tenant) + requests.query(route, tenant);
        return path.contains(name + "=")
                ? path.replaceAll("([?&])" + name + "=[^&]*", "$1" + name + "=" + value)
                : path + (path.contains("?") ? '&' : '?') + name + "=" + value;
    }

    private void checkParameter(MountedRoute route, JsonNode parameter, List<String> wrong) {
        var name = parameter.path("name").asText();
        var isPlace = name.equals("limit") || name.equals("cursor");
        for (var value : List.of("%00", "%ff%fe", "[]", "-1", "x".repeat(5_000), "a%0Ab", "%F0%9F%98%80")) {
            // Given
            var asked = withParameter(route, name, value);

            // When
            var answer = client(route).get(asked);

            // Then
            addDetailsOfTheHost(asked, answer, wrong);
            if (answer.status() >= 500 || isPlace && !answer.text("/message").contains("querystring/" + name)) {
                wrong.add(asked + " -> " + answer.status() + " " + answer.body());
            }
        }
    }

    @Test
    void refusesAPathThatIsNoPercentEncoding() {
        try (var connection = RawHttp.connect(server.port())) {
            assertThat(connection
                            .send("GET /api/v1/projects/% HTTP/1.1\nHost: x\n\n")
                            .answer()
                            .body())
                    .contains("\"statusCode\":400", "params/ Invalid percent-encoding");
        }
    }

    @Test
    void refusesWhatIsNoJson() {
        var path = "/api/v1/projects";
        assertThat(raw(path, "application/json", new byte[] {'{', '"', (byte) 0xc3, '"', '}'}))
                .contains("FST_ERR_CTP_INVALID_JSON_BODY");
        assertThat(raw(path, "application/json", "{\"a\":".repeat(100_000).getBytes(StandardCharsets.US_ASCII)))
                .contains("\"statusCode\":400");
        assertThat(raw(path, "application/json", "[".repeat(100_000).getBytes(StandardCharsets.US_ASCII)))
                .contains("\"statusCode\":400");
        assertThat(raw(path, "application/json", "{} {}".getBytes(StandardCharsets.US_ASCII)))
                .contains("FST_ERR_CTP_INVALID_JSON_BODY");
        assertThat(raw(
                        path,
                        "application/json",
                        ("{\"maxConcurrentJobs\":" + "9".repeat(2_000) + "}").getBytes(StandardCharsets.US_ASCII)))
                .contains("\"statusCode\":400");
        assertThat(raw(path, "application/xml", "<a/>".getBytes(StandardCharsets.US_ASCII)))
                .contains("FST_ERR_CTP_INVALID_MEDIA_TYPE");
    }

    @Test
    void refusesALargeBodyWhereALittleIsExpected() {
        // Given
        var large = BodySpoilings.noise(10 * 1024 * 1024);

        // When
        var answer = tenant.service().post("/v1/projects", Json.object().put("displayName", large));

        // Then
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/message"))
                .startsWith("body/displayName Too big")
                .hasSizeLessThan(200);
    }

    @Test
    void refusesFloodsOfHeaders_andEndlessLines() {
        var flood = new StringBuilder("GET /api/v1/health HTTP/1.1\nHost: x\n");
        for (var index = 0; index < 5_000; index++) {
            flood.append("X-Flood-").append(index).append(": 0123456789\n");
        }
        try (var connection = RawHttp.connect(server.port())) {
            assertThat(connection
                            .sendWhatIsTaken(
                                    (flood + "\n").replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII))
                            .answer()
                            .status())
                    .isEqualTo(431);
        }
        try (var connection = RawHttp.connect(server.port())) {
            var line = "GET /api/v1/health?" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(connection
                            .sendWhatIsTaken(line.getBytes(StandardCharsets.US_ASCII))
                            .answer()
                            .status())
                    .isEqualTo(414);
        }
        assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
    }

    private static String raw(String path, String type, byte[] body) {
        try (var connection = RawHttp.connect(server.port())) {
            var head = "POST " + path + " HTTP/1.1\nHost: x\nContent-Type: " + type + "\nContent-Length: " + body.length
                    + "\n\n";
            return connection.send(head).send(body).answer().body();
        }
    }

    private Answer post(MountedRoute route, String body) {
        return client(route)
                .send("POST", requests.path(route, tenant), Map.of("Content-Type", "application/json"), body);
    }

    /** A key if the route accepts it, else the administrator. */
    private static ApiClient client(MountedRoute route) {
        var kinds = switch (route.access()) {
            case Access.Public _ -> Set.<Principal.Kind>of();
            case Access.Unscoped(var all) -> all;
            case Access.PlatformScoped(var all) -> all;
            case Access.PlatformAdmin(var all) -> all;
            case Access.ProjectScoped project -> project.kinds();
        };
        var client = kinds.contains(Principal.Kind.SERVICE)
                ? tenant.service()
                : tenant.admin().api();
        return SampleRequests.at(route, client);
    }
}
