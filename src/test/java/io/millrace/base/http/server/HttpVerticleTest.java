package io.millrace.base.http.server;

import static io.millrace.support.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.config.Config;
import io.millrace.base.config.LiveConfig;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.metrics.MeterSet;
import io.millrace.support.RawHttp;
import io.millrace.support.RecordedLog;
import io.millrace.support.Waiting;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Behavior common to all routes, tested with routes of the test (contract admin-api 1.1 to 1.5). */
class HttpVerticleTest {
    private static final String SECRET = "the password is hunter2";

    private Vertx vertx;
    private int port;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        await(vertx.close());
    }

    @ParameterizedTest
    @ValueSource(strings = {"list=a&list=b", "list[]=a&list[]=b", "list[0]=a&list[1]=b", "list%5B%5D=a&list=b"})
    void readsAListOfTheQuery_inEachOfItsForms(String query) {
        deploy(Map.of());

        assertThat(get("/v1/echo?" + query).path("list")).isEqualTo(json("['a','b']"));
    }

    @Test
    void takesASingleValueForAListOfOne() {
        deploy(Map.of());

        assertThat(get("/v1/echo?list=a").path("list")).isEqualTo(json("['a']"));
        assertThat(get("/v1/echo?list[]=a").path("list")).isEqualTo(json("['a']"));
        assertThat(get("/v1/echo").path("list")).isEqualTo(json("[]"));
    }

    @Test
    void knowsTwoTextsForTruth_andTakesAllOthersForNone() {
        deploy(Map.of());

        assertThat(get("/v1/echo?flag=true").path("flag").asText()).isEqualTo("true");
        assertThat(get("/v1/echo?flag=false").path("flag").asText()).isEqualTo("false");
        for (var other : List.of("TRUE", "1", "yes", "", "null")) {
            assertThat(get("/v1/echo?flag=" + other).has("flag")).as(other).isFalse();
        }
    }

    @Test
    void readsNumbersOfTheQuery_andRefusesWhatIsNone() {
        deploy(Map.of());

        assertThat(get("/v1/echo?number=7").path("number").asInt()).isEqualTo(7);
        var refused = ask("GET /api/v1/echo?number=seven HTTP/1.1\nHost: h\n\n");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(bodyOf(refused).path("message").asText())
                .isEqualTo("querystring/number Invalid input: expected number, received NaN");
    }

    @Test
    void refusesTextsThatNoDatabaseHolds() {
        deploy(Map.of());

        for (var query : List.of("list=a%00b", "list=a&list=%00", "name=%00")) {
            assertThat(ask("GET /api/v1/echo?" + query + " HTTP/1.1\nHost: h\n\n")
                            .status())
                    .as(query)
                    .isEqualTo(400);
        }
    }

    @Test
    void takesAPercentSignInAQueryAsText() {
        deploy(Map.of());

        var answer = ask("GET /api/v1/echo?list=%zz&list=50% HTTP/1.1\nHost: h\n\n");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).contains("%zz", "50%");
    }

    @Test
    void refusesAMalformedPath() {
        deploy(Map.of());

        for (var path : List.of("/v1/things/%zz", "/v1/things/%", "/%zz")) {
            var answer = ask("GET /api" + path + " HTTP/1.1\nHost: h\n\n");

            assertThat(answer.status()).as(path).isBetween(400, 404);
            assertThat(bodyOf(answer).path("statusCode").asInt()).isEqualTo(answer.status());
        }
    }

    @Test
    void namesTheField_whenFreeFormIsTooDeepOrUnstorable() {
        deploy(Map.of());
        var bodies = Map.of(
                "{\"name\":\"x\",\"metadata\":" + "{\"a\":".repeat(5000) + "1" + "}".repeat(5001),
                "body/metadata Too deep: expected at most 200 levels",
                "{\"list\":" + "[".repeat(5000) + "]".repeat(5000) + "}",
                "body/list Too deep: expected at most 200 levels",
                "{\"metadata\":{\"a\":[\"x\\u0000\"]}}",
                "body/metadata Invalid string: must not contain the NUL character or half a character",
                "{\"metadata\":{\"\\u0000\":1}}",
                "body/metadata Invalid string: must not contain the NUL character or half a character",
                "{\"metadata\":{\"a\":\"\\ud83d\"}}",
                "body/metadata Invalid string: must not contain the NUL character or half a character");
        bodies.forEach((body, message) -> {
            var answer = post(body);

            assertThat(answer.status()).isEqualTo(400);
            assertThat(bodyOf(answer).path("code").asText()).isEqualTo("FST_ERR_VALIDATION");
            assertThat(bodyOf(answer).path("message").asText()).isEqualTo(message);
        });
        assertThat(post("{\"metadata\":{\"a\":\"\\ud83d\\ude00\"}}").status()).isEqualTo(200);
    }

    @Test
    void refusesJsonThatIsNotEvenWellFormedAtDepth() {
        deploy(Map.of());

        for (var body : List.of(
                "[".repeat(100_000), "{\"a\":".repeat(100_000), "{\"a\":{\"b\":", "{\"a\":" + "1".repeat(5000) + "}")) {
            assertThat(post(body).status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"broken", "thrown", "overflown"})
    void answersTheRequestIdOnly_whenARouteIsBroken(String route) {
        deploy(Map.of());
        try (var log = RecordedLog.of("io.millrace.base.http.ErrorRenderer")) {
            var answer = ask("GET /api/v1/" + route + " HTTP/1.1\nHost: h\nOrigin: https://o.example\n\n");

            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.headers()).containsEntry("access-control-allow-origin", "*");
            var body = bodyOf(answer);
            assertThat(body.path("statusCode").asInt()).isEqualTo(500);
            assertThat(body.path("error").asText()).isEqualTo("Internal Server Error");
            assertThat(body.path("message").asText())
                    .matches(".*req_[0-9a-zA-Z]{21}")
                    .doesNotContain("hunter2");
            var requestId = body.path("message").asText().replaceFirst(".*(req_)", "$1");
            assertThat(log.lines()).hasSize(1).first().asString().contains(requestId);
        }
    }

    @Test
    void keepsSlowAndBrokenRequestsInTheLog_whenNoneOtherIsKept() {
        deploy(Map.of("AP_LOG_SAMPLE_RATE_INFO", "0", "AP_LOG_KEEP_SLOW_MS", "50"));
        try (var log = RecordedLog.of("io.millrace.base.access")) {
            // given a request that opens the connection, and may be slow while doing so
            get("/v1/echo");
            var before = log.lines().size();

            // when
            get("/v1/slow?token=hunter2");
            ask("GET /api/v1/broken?token=hunter2 HTTP/1.1\nHost: h\nAuthorization: Bearer hunter2\n\n");

            // then
            Waiting.until("both are in the log", () -> log.lines().size() >= before + 2);
            var lines = log.lines().subList(before, log.lines().size());
            assertThat(lines).hasSize(2);
            assertThat(lines.getFirst()).matches("INFO req_[0-9a-zA-Z]{21} GET /api/v1/slow 200 \\d+us");
            assertThat(lines.getLast()).matches("WARN req_[0-9a-zA-Z]{21} GET /api/v1/broken 500 \\d+us");
        }
    }

    @Test
    void keepsQuickRequestsOutOfTheLog_whenNoneIsToBeKept() {
        deploy(Map.of("AP_LOG_SAMPLE_RATE_INFO", "0", "AP_LOG_KEEP_SLOW_MS", "60000"));
        try (var log = RecordedLog.of("io.millrace.base.access")) {
            get("/v1/echo");
            get("/v1/slow");
            ask("GET /api/v1/broken HTTP/1.1\nHost: h\n\n");

            Waiting.until("the broken one is in the log", () -> !log.lines().isEmpty());
            assertThat(log.lines()).hasSize(1).first().asString().startsWith("WARN ");
        }
    }

    @Test
    void keepsEveryRequestInTheLog_withoutQueries() {
        deploy(Map.of());
        try (var log = RecordedLog.of("io.millrace.base.access")) {
            ask("GET /api/v1/echo?token=hunter2&list=hunter2 HTTP/1.1\nHost: h\nAuthorization: Bearer hunter2\n\n");
            ask("GET http://user:hunter2@h/api/v1/nowhere?token=hunter2 HTTP/1.1\nHost: h\n\n");

            Waiting.until("both are in the log", () -> log.lines().size() == 2);
            assertThat(log.lines())
                    .allMatch(line -> line.matches("INFO req_[0-9a-zA-Z]{21} GET /api/v1/\\w+ \\d+ \\d+us"));
        }
    }

    @Test
    void doesNotStart_whenARouteHasNoAccessRule() {
        RouteGroup open =
                routes -> routes.get("/v1/open", null, _ -> "", (_, _) -> Future.succeededFuture(ApiReply.empty()));

        assertThatThrownBy(() -> await(vertx.deployVerticle(verticle(Map.of(), open))))
                .hasMessageContaining("a route needs an access rule");
    }

    @Test
    void refusesABodyThatIsTooLarge() {
        deploy(Map.of("AP_MAX_FILE_SIZE_MB", "1", "AP_MAX_FLOW_RUN_LOG_SIZE_MB", "1"));

        var answer = ask("POST /api/v1/echo HTTP/1.1\nHost: h\nContent-Type: application/json\nContent-Length: "
                + (25 * 1024 * 1024 + 1) + "\n\n");

        assertThat(answer.status()).isEqualTo(413);
        var body = bodyOf(answer);
        assertThat(body.path("statusCode").asInt()).isEqualTo(413);
        assertThat(body.path("code").asText()).isEqualTo("FST_ERR_CTP_BODY_TOO_LARGE");
        assertThat(body.path("error").asText()).isEqualTo("Payload Too Large");
    }

    @Test
    void readsForms_asFieldsOfTheBody() {
        deploy(Map.of());
        var form = "name=a+b&list=one&list=two";
        var multipart =
                "--edge\n" + "Content-Disposition: form-data; name=\"name\"\n\n" + "x".repeat(20_000) + "\n--edge--\n";

        var urlEncoded = ask("POST /api/v1/echo HTTP/1.1\nHost: h\nContent-Type: application/x-www-form-urlencoded\n"
                + "Content-Length: " + form.length() + "\n\n" + form);
        var parts = ask("POST /api/v1/echo HTTP/1.1\nHost: h\nContent-Type: multipart/form-data; boundary=edge\n"
                + "Content-Length: " + multipart.replace("\n", "\r\n").length() + "\n\n" + multipart);

        assertThat(bodyOf(urlEncoded)).isEqualTo(json("{'name':'a b','list':['one','two']}"));
        assertThat(bodyOf(parts).path("name").asText()).hasSize(20_000);
    }

    @Test
    void asksForTheBody_whenTheCallerWaitsToBeAsked() {
        deploy(Map.of());
        try (var connection = RawHttp.connect(port)) {
            var go = connection
                    .send("POST /api/v1/echo HTTP/1.1\nHost: h\nContent-Type: application/json\n"
                            + "Content-Length: 2\nExpect: 100-continue\n\n")
                    .answer(false);
            var answer = connection.send("{}").answer();

            assertThat(go.status()).isEqualTo(100);
            assertThat(answer.status()).isEqualTo(200);
        }
    }

    @Test
    void answersWhatIsUnderWayAtAStop_andWaitsForNoIdleConnection() {
        // given an idle connection, and a request in progress
        var verticle = verticle(Map.of(), HttpVerticleTest::mount);
        var deployment = await(vertx.deployVerticle(verticle));
        port = verticle.port();
        try (var idle = RawHttp.connect(port);
                var busy = RawHttp.connect(port)) {
            idle.send("GET /api/v1/echo HTTP/1.1\nHost: h\n\n").answer();

            // when
            busy.send("GET /api/v1/slow HTTP/1.1\nHost: h\n\n");
            var begun = System.nanoTime();
            await(vertx.undeploy(deployment));

            // then
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(9));
            assertThat(idle.isEnded()).isTrue();
            assertThat(busy.isEnded()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, 503, true", "POST, 504, false"})
    void answersWhetherAnUnfinishedRequestMayHaveTakenEffect_whenItStops(
            String method, int status, boolean isToBeRepeated) {
        // given a request without a response
        var arrived = Promise.<Void>promise();
        RouteGroup endless = routes -> {
            routes.get("/v1/endless", Access.everybody(), _ -> "", (_, _) -> unanswered(arrived));
            routes.post("/v1/endless", Access.everybody(), _ -> "", (_, _) -> unanswered(arrived));
        };
        var verticle = verticle(Map.of("AP_SHUTDOWN_SECONDS", "2"), endless);
        var deployment = await(vertx.deployVerticle(verticle));
        port = verticle.port();
        try (var waiting = RawHttp.connect(port)) {
            waiting.send(method + " /api/v1/endless HTTP/1.1\nHost: h\nContent-Length: 0\n\n");
            await(arrived.future());

            // when
            await(vertx.undeploy(deployment));

            // then
            var answer = waiting.answer();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.headers()).containsEntry("connection", "close");
            assertThat(answer.headers().containsKey("retry-after")).isEqualTo(isToBeRepeated);
            assertThat(bodyOf(answer).path("message").asText()).startsWith("the server");
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, 503, true", "POST, 504, false"})
    void answersUnavailable_whereAnUnknownOutcomeHasNoEffect(String method, int status, boolean isToBeRepeated) {
        RouteGroup doubtful = routes -> {
            routes.get("/v1/doubtful", Access.everybody(), _ -> "", (_, _) -> unknownOutcome());
            routes.post("/v1/doubtful", Access.everybody(), _ -> "", (_, _) -> unknownOutcome());
        };
        var verticle = verticle(Map.of(), doubtful);
        await(vertx.deployVerticle(verticle));
        port = verticle.port();
        try (var client = RawHttp.connect(port)) {
            client.send(method + " /api/v1/doubtful HTTP/1.1\nHost: h\nContent-Length: 0\n\n");

            var answer = client.answer();
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.headers().containsKey("retry-after")).isEqualTo(isToBeRepeated);
            assertThat(bodyOf(answer).path("code").asText()).isEqualTo(isToBeRepeated ? "" : "OUTCOME_UNKNOWN");
        }
    }

    private static Future<ApiReply> unanswered(Promise<Void> arrived) {
        arrived.complete();
        return Promise.<ApiReply>promise().future();
    }

    private static Future<ApiReply> unknownOutcome() {
        return Future.failedFuture(ApiException.of(ErrorCode.OUTCOME_UNKNOWN, "no answer in time"));
    }

    private void deploy(Map<String, String> settings) {
        var verticle = verticle(settings, HttpVerticleTest::mount);
        await(vertx.deployVerticle(verticle));
        port = verticle.port();
    }

    private HttpVerticle verticle(Map<String, String> settings, RouteGroup module) {
        var environment = new HashMap<>(Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0"));
        environment.putAll(settings);
        var config = Config.load(environment, Path.of("there-is-no-such-file"));
        return new HttpVerticle(
                config,
                new Bus(vertx),
                List.of(module),
                SharedLimits.of(new LiveConfig(config), new MeterSet(), InstantSource.system()),
                Future::succeededFuture);
    }

    private static void mount(Routes routes) {
        routes.get(
                "/v1/echo",
                Access.everybody(),
                input -> echo(input.query()),
                (_, echo) -> Future.succeededFuture(ApiReply.ok(echo)));
        routes.post(
                "/v1/echo",
                Access.everybody(),
                input -> echo(input.body()),
                (_, echo) -> Future.succeededFuture(ApiReply.ok(echo)));
        routes.get(
                "/v1/things/:id",
                Access.everybody(),
                input -> input.id("id"),
                (_, _) -> Future.succeededFuture(ApiReply.empty()));
        routes.get(
                "/v1/broken",
                Access.everybody(),
                _ -> "",
                (_, _) -> Future.failedFuture(new IllegalStateException(SECRET)));
        routes.get("/v1/thrown", Access.everybody(), _ -> "", (_, _) -> {
            throw new IllegalStateException(SECRET);
        });
        routes.get(
                "/v1/overflown",
                Access.everybody(),
                _ -> "",
                (_, _) -> Future.failedFuture(new StackOverflowError(SECRET)));
        routes.get(
                "/v1/slow",
                Access.everybody(),
                _ -> "",
                (call, _) -> call.context().vertx().timer(100).map(ApiReply.ok(Json.object())));
        routes.get(
                "/v1/closed",
                Access.projectInQuery(Permission.READ_FLOW),
                _ -> "",
                (_, _) -> Future.succeededFuture(ApiReply.empty()));
    }

    private static JsonNode echo(io.millrace.base.core.input.Fields fields) {
        var echo = Json.object();
        fields.optionalText("name").ifPresent(name -> echo.put("name", name));
        var list = echo.putArray("list");
        fields.texts("list").forEach(list::add);
        fields.optionalFlag("flag").ifPresent(flag -> echo.put("flag", flag));
        fields.optionalInteger("number", 0, 1000).ifPresent(number -> echo.put("number", number));
        fields.optionalObject("metadata").ifPresent(metadata -> echo.set("metadata", metadata));
        return echo;
    }

    private JsonNode get(String path) {
        var answer = ask("GET /api" + path + " HTTP/1.1\nHost: h\n\n");
        assertThat(answer.status()).as(path + answer.body()).isEqualTo(200);
        return bodyOf(answer);
    }

    private RawHttp.Answer post(String body) {
        return ask("POST /api/v1/echo HTTP/1.1\nHost: h\nContent-Type: application/json\nContent-Length: "
                + body.length() + "\n\n" + body);
    }

    private RawHttp.Answer ask(String request) {
        try (var connection = RawHttp.connect(port)) {
            return connection.send(request).answer();
        }
    }

    private static JsonNode bodyOf(RawHttp.Answer answer) {
        return Json.trusted(answer.body());
    }

    private static JsonNode json(String singleQuoted) {
        return Json.trusted(singleQuoted.replace('\'', '"'));
    }
}
