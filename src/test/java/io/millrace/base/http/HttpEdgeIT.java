package io.millrace.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.RawHttp;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Common behavior of the real routes: order of checks, shapes of errors, CORS, limits (contract admin-api 1). */
class HttpEdgeIT {
    @AutoClose
    private static TestServer server = ServerSettings.openSignUp().start();

    private static TestServer.SignedIn owner = server.signUp("owner@example.org", "Olga");
    private static String token;

    @BeforeAll
    static void start() {
        var body = Json.object().put("email", "owner@example.org").put("password", "correct horse");
        token = server.anonymous().post("/v1/authentication/sign-in", body).text("/token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"})
    void answersRouteNotFound_forAnyMethod(String method) {
        for (var path : new String[] {"/api/v1/nowhere", "/api", "/api/v2/projects", "/api/v1/webhooks"}) {
            var answer = ask(method, path, "");

            assertThat(answer.status()).isEqualTo(404);
            assertThat(bodyOf(answer))
                    .isEqualTo(json("{'statusCode':404,'error':'Not Found','message':'Route not found'}"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "PUT,/api/v1/projects",
        "PATCH,/api/v1/flows",
        "DELETE,/api/v1/flows",
        "GET,/api/v1/authentication/sign-in"
    })
    void answersRouteNotFound_whenThePathHasOtherMethodsOnly(String method, String path) {
        var answer = ask(method, path, "");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(bodyOf(answer).path("message").asText()).isEqualTo("Route not found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/flags", "/api/v1/nowhere", "/api/v1/projects", "/sign-up", "/health/live"})
    void saysWhenItAnswers(String path) {
        assertThat(ask("GET", path, "").headers().get("date"))
                .matches("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT");
    }

    @Test
    void ignoresASlashAtTheEnd() {
        assertThat(ask("GET", "/api/v1/flags/", "").status()).isEqualTo(200);
        assertThat(ask("GET", "/api/v1/projects/", bearer()).status()).isEqualTo(200);
        assertThat(ask("GET", "/api/v1/platforms/" + owner.platformId() + "/", bearer())
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "//api//v1/flags",
                "/api/v1/./flags",
                "/api/v1/flows/../flags",
                "/api/%76%31/flags",
                "/api/v1/%66lags",
                "/../api/v1/flags"
            })
    void answersWhatAPathMeans_howeverItIsWritten(String path) {
        assertThat(ask("GET", path, "").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/%2566lags",
                "/api/v1/flags%2Fflows",
                "/api/v1/Flags",
                "/api/v1/flagsx",
                "/api/api/v1/flags"
            })
    void answersRouteNotFound_whenAPathOnlyLooksLikeOne(String path) {
        assertThat(ask("GET", path, "").status()).isEqualTo(404);
    }

    @Test
    void checksTheBodyFirst_thenTheInput_thenTheCaller_thenTheRow() {
        // body before caller
        assertThat(post("/v1/projects", "", "{").status()).isEqualTo(400);
        assertThat(codeOf(post("/v1/projects", "", "{"))).isEqualTo("FST_ERR_CTP_INVALID_JSON_BODY");
        // input before caller
        assertThat(codeOf(post("/v1/projects", "", "{}"))).isEqualTo("FST_ERR_VALIDATION");
        assertThat(codeOf(ask("GET", "/api/v1/flows/short", ""))).isEqualTo("FST_ERR_VALIDATION");
        // an invalid token before the row
        assertThat(ask("GET", "/api/v1/flows/" + Ids.next(), "Authorization: Bearer nonsense\n")
                        .status())
                .isEqualTo(401);
        // the row before the kind of caller
        var unknownRow = ask("GET", "/api/v1/flows/" + Ids.next(), "");
        assertThat(unknownRow.status()).isEqualTo(404);
        assertThat(codeOf(unknownRow)).isEqualTo("ENTITY_NOT_FOUND");
        // an anonymous caller is a principal without permissions
        var nobody = post("/v1/projects", "", "{\"displayName\":\"Mine\"}");
        assertThat(nobody.status()).isEqualTo(403);
        assertThat(codeOf(nobody)).isEqualTo("AUTHORIZATION");
    }

    @Test
    void tellsApplicationErrorsByCodeAndParams_andFrameworkErrorsByStatus() {
        var application = bodyOf(ask("GET", "/api/v1/flows/" + Ids.next(), bearer()));
        var framework = bodyOf(ask("GET", "/api/v1/flows/short", bearer()));

        assertThat(application.fieldNames()).toIterable().containsExactlyInAnyOrder("code", "params");
        assertThat(framework.fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("statusCode", "code", "error", "message");
        assertThat(framework.path("error").asText()).isEqualTo("Bad Request");
    }

    @Test
    void refusesBodiesItCannotRead() {
        var empty = post("/v1/projects", bearer(), "");
        var blank = post("/v1/projects", bearer(), "  ");
        var malformed = post("/v1/projects", bearer(), "{'a'}");
        var text = send("POST", "/api/v1/projects", bearer() + "Content-Type: text/plain\n", "hello");
        var noType = send("POST", "/api/v1/projects", bearer(), "hello");

        assertThat(empty.status()).isEqualTo(400);
        assertThat(codeOf(empty)).isEqualTo("FST_ERR_CTP_EMPTY_JSON_BODY");
        assertThat(blank.status()).isEqualTo(400);
        assertThat(codeOf(blank)).isEqualTo("FST_ERR_CTP_INVALID_JSON_BODY");
        assertThat(codeOf(malformed)).isEqualTo("FST_ERR_CTP_INVALID_JSON_BODY");
        assertThat(text.status()).isEqualTo(415);
        assertThat(bodyOf(text)).isEqualTo(json("""
                        {'statusCode':415,'code':'FST_ERR_CTP_INVALID_MEDIA_TYPE','error':'Unsupported Media Type',
                         'message':'Unsupported Media Type'}
                        """));
        assertThat(noType.status()).isEqualTo(415);
    }

    @Test
    void refusesPackedBodies_andNamesTheAcceptedEncodings() {
        // given
        var json = bearer() + "Content-Type: application/json\n";

        // when
        var packed = send("POST", "/api/v1/projects", json + "Content-Encoding: gzip\n", "{}");
        var plain = send("POST", "/api/v1/projects", json + "Content-Encoding: identity\n", "{}");

        // then
        assertThat(packed.status()).isEqualTo(415);
        assertThat(codeOf(packed)).isEqualTo("FST_ERR_CTP_INVALID_MEDIA_TYPE");
        assertThat(packed.headers().get("accept-encoding")).isEqualTo("identity");
        assertThat(plain.status()).isEqualTo(400);
        assertThat(codeOf(plain)).isEqualTo("FST_ERR_VALIDATION");
    }

    @Test
    void answersTheHeadOfWhatCanBeGot_andNoBody() {
        try (var connection = RawHttp.connect(server.port())) {
            connection.send("HEAD /api/v1/health HTTP/1.1\nHost: h\n\nHEAD /api/v1/projects HTTP/1.1\nHost: h\n\n"
                    + "HEAD /api/v1/projects HTTP/1.1\nHost: h\n" + bearer() + "\n"
                    + "HEAD /api/v1/authentication/sign-in HTTP/1.1\nHost: h\n\n"
                    + "HEAD /sign-in HTTP/1.1\nHost: h\nAccept: text/html\n\nGET /api/v1/health HTTP/1.1\nHost: h\n\n");

            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(403);
            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(404);
            assertThat(connection.answer(false).status()).isEqualTo(200);
            assertThat(connection.answer().body()).isEqualTo("{\"status\":\"Healthy\"}");
        }
    }

    @Test
    void answersAPreflight_withoutAskingWhoItIs() {
        var answer = ask("OPTIONS", "/api/v1/projects", """
                        Origin: https://o.example
                        Access-Control-Request-Method: POST
                        Access-Control-Request-Headers: authorization,content-type
                        """);

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.headers()).containsEntry("access-control-allow-origin", "*");
        assertThat(answer.headers().get("access-control-allow-methods")).contains("POST", "DELETE");
        assertThat(answer.headers()).containsEntry("access-control-allow-headers", "authorization,content-type");
    }

    @Test
    void letsAnyOriginReadErrors() {
        var origin = "Origin: https://o.example\n";

        for (var answer : new RawHttp.Answer[] {
            ask("GET", "/api/v1/nowhere", origin),
            ask("GET", "/api/v1/flows/short", origin),
            post("/v1/projects", origin, "{"),
            post("/v1/projects", origin, "{\"displayName\":\"Mine\"}")
        }) {
            assertThat(answer.status()).isGreaterThanOrEqualTo(400);
            assertThat(answer.headers())
                    .containsEntry("access-control-allow-origin", "*")
                    .containsEntry("access-control-expose-headers", "*");
        }
    }

    @Test
    void acceptsAChainOfFiveThousandSteps() {
        // given
        var flowId = newFlow();
        var chain = new StringBuilder("{\"type\":\"IMPORT_FLOW\",\"request\":{\"displayName\":\"Long\",\"trigger\":");
        chain.append("{\"name\":\"trigger\",\"displayName\":\"T\",\"type\":\"EMPTY\",\"valid\":false,\"settings\":{},");
        chain.append("\"lastUpdatedDate\":\"2026-01-01T00:00:00.000Z\"");
        for (var step = 1; step <= 5000; step++) {
            chain.append(",\"nextAction\":{\"name\":\"step_" + step + "\",\"displayName\":\"S\",\"type\":\"CODE\",")
                    .append("\"valid\":true,\"lastUpdatedDate\":\"2026-01-01T00:00:00.000Z\",\"settings\":")
                    .append("{\"sourceCode\":{\"code\":\"x\",\"packageJson\":\"{}\"},\"input\":{}}");
        }
        chain.append("}".repeat(5000)).append("}}}");

        // when
        var answer = post("/v1/flows/" + flowId, bearer(), chain.toString());

        // then
        assertThat(answer.status())
                .as(answer.body().substring(0, Math.min(300, answer.body().length())))
                .isEqualTo(200);
        assertThat(answer.body()).contains("\"step_5000\"");
        assertThat(ask("GET", "/api/v1/flows/" + flowId, bearer()).body()).contains("\"step_5000\"");
    }

    @Test
    void namesTheField_whenMetadataIsTooDeep_andChangesNothing() {
        // given
        var deep = "{\"a\":".repeat(5000) + "1" + "}".repeat(5000);
        var projectsBefore = ask("GET", "/api/v1/projects?limit=1000", bearer()).body();

        // when
        var project = post("/v1/projects", bearer(), "{\"displayName\":\"Deep\",\"metadata\":" + deep + "}");
        var flow = post(
                "/v1/flows",
                bearer(),
                "{\"displayName\":\"Deep\",\"projectId\":\"" + owner.projectId() + "\",\"metadata\":" + deep + "}");
        var change = post("/v1/projects/" + owner.projectId(), bearer(), "{\"metadata\":" + deep + "}");

        // then
        for (var answer : new RawHttp.Answer[] {project, flow, change}) {
            assertThat(answer.status()).isEqualTo(400);
            assertThat(codeOf(answer)).isEqualTo("FST_ERR_VALIDATION");
            assertThat(bodyOf(answer).path("message").asText()).startsWith("body/metadata Too deep");
        }
        assertThat(ask("GET", "/api/v1/projects?limit=1000", bearer()).body()).isEqualTo(projectsBefore);
    }

    @ParameterizedTest
    @ValueSource(ints = {150, 195, 196, 197, 198, 199, 200, 201, 202, 203, 5000})
    void readsBackEveryMetadataThatItAccepts(int depth) {
        // given
        var flowId = newFlow();
        var metadata = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);

        // when
        var created = post(
                "/v1/flows",
                bearer(),
                "{\"displayName\":\"D\",\"projectId\":\"" + owner.projectId() + "\",\"metadata\":" + metadata + "}");
        var changed = post(
                "/v1/flows/" + flowId,
                bearer(),
                "{\"type\":\"UPDATE_METADATA\",\"request\":{\"metadata\":" + metadata + "}}");

        // then
        assertThat(created.status()).isIn(201, 400);
        assertThat(changed.status()).isIn(200, 400);
        assertThat(ask("GET", "/api/v1/flows/" + flowId, bearer()).status()).isEqualTo(200);
        assertThat(ask("GET", "/api/v1/flows?limit=100&projectId=" + owner.projectId(), bearer())
                        .status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\\u0000y", "\\ud800", "\\udc00x"})
    void namesTheField_whenMetadataHoldsWhatNoDatabaseHolds(String text) {
        var metadata = "\"metadata\":{\"a\":\"" + text + "\"}}";

        var project = post("/v1/projects", bearer(), "{\"displayName\":\"Odd\"," + metadata);
        var flow = post(
                "/v1/flows",
                bearer(),
                "{\"displayName\":\"Odd\",\"projectId\":\"" + owner.projectId() + "\"," + metadata);
        var flowId = newFlow();
        var changed =
                post("/v1/flows/" + flowId, bearer(), "{\"type\":\"UPDATE_METADATA\",\"request\":{" + metadata + "}");

        assertThat(project.status()).isEqualTo(400);
        assertThat(flow.status()).isEqualTo(400);
        assertThat(bodyOf(flow).path("message").asText()).startsWith("body/metadata Invalid string");
        assertThat(changed.status()).isIn(200, 400);
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        try (var connection = RawHttp.connect(server.port())) {
            connection.send("""
                    GET /api/v1/flags HTTP/1.1
                    Host: h

                    GET /api/v1/nowhere HTTP/1.1
                    Host: h

                    GET /api/v1/flows/short HTTP/1.1
                    Host: h

                    """);

            assertThat(connection.answer().status()).isEqualTo(200);
            assertThat(connection.answer().status()).isEqualTo(404);
            assertThat(connection.answer().status()).isEqualTo(400);
        }
    }

    @Test
    void staysWell_whenQueriesAreHuge() {
        var parameters = "status=ENABLED&".repeat(1000);

        var many = ask("GET", "/api/v1/flows?" + parameters + "projectId=" + owner.projectId(), bearer());
        var tooLong = ask("GET", "/api/v1/flows?name=" + "x".repeat(20_000), bearer());

        assertThat(many.status()).isLessThan(500);
        assertThat(tooLong.status()).isEqualTo(414);
        assertThat(ask("GET", "/api/v1/flags", "").status()).isEqualTo(200);
    }

    private static String newFlow() {
        return owner.api()
                .post("/v1/flows", Json.object().put("displayName", "Flow").put("projectId", owner.projectId()))
                .text("/id");
    }

    private static String bearer() {
        return "Authorization: Bearer " + token + "\n";
    }

    private static RawHttp.Answer post(String path, String headers, String body) {
        return send("POST", "/api" + path, headers + "Content-Type: application/json\n", body);
    }

    private static RawHttp.Answer ask(String method, String path, String headers) {
        return send(method, path, headers, "");
    }

    private static RawHttp.Answer send(String method, String path, String headers, String body) {
        try (var connection = RawHttp.connect(server.port())) {
            return connection
                    .send(method + " " + path + " HTTP/1.1\nHost: h\n" + headers + "Content-Length: " + body.length()
                            + "\n\n" + body)
                    .answer();
        }
    }

    private static String codeOf(RawHttp.Answer answer) {
        return bodyOf(answer).path("code").asText();
    }

    private static JsonNode bodyOf(RawHttp.Answer answer) {
        return Json.trusted(answer.body());
    }

    private static JsonNode json(String singleQuoted) {
        return Json.trusted(singleQuoted.replace('\'', '"'));
    }
}
