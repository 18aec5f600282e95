package io.millrace.base.idempotency;

import static io.millrace.support.FlowScript.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that are repeated with their key are performed once (decision 0381). */
final class RequestKeyIT {
    private static final int KEYS_MAX = 40;

    @AutoClose
    private static TestServer server = TestServer.start(Map.of(
            "AP_IDEMPOTENCY_KEYS_PER_CALLER_MAX",
            String.valueOf(KEYS_MAX),
            "AP_IDEMPOTENCY_ANSWERS_PER_CALLER_MAX_MB",
            "1"));

    private static TestServer.SignedIn ada = server.signUp("ada@example.com", "Ada");
    private static TestServer.SignedIn bob = server.foreigner();

    private static Answer folder(ApiClient api, String key, String name) {
        return folderAsync(api, key, name).join();
    }

    private static CompletableFuture<Answer> folderAsync(ApiClient api, String key, String name) {
        return keyed(
                api,
                "/v1/folders",
                key,
                "{\"displayName\":\"" + name + "\",\"projectId\":\"" + ada.projectId() + "\"}");
    }

    private static CompletableFuture<Answer> keyed(ApiClient api, String path, String key, String body) {
        return api.sendAsync("POST", path, Map.of("Content-Type", "application/json", "Idempotency-Key", key), body);
    }

    private static long folders(String name) {
        return server.count("select count(*) from folder where display_name = $1", name);
    }

    @Test
    void answersARepetitionAsTheFirstRequest_andPerformsItOnce() {
        var first = keyed(ada.api(), "/v1/tables", "k1", table("once")).join();
        var second = keyed(ada.api(), "/v1/tables", "k1", table("once")).join();

        assertThat(first.status()).as(first.toString()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(server.count("select count(*) from data_table where name = 'once'"))
                .isEqualTo(1);
    }

    @Test
    void refusesTheKeyOfAnotherContent_andKeepsRoutesAndCallersApart() {
        keyed(ada.api(), "/v1/tables", "k2", table("one")).join();

        var other = keyed(ada.api(), "/v1/tables", "k2", table("two")).join();
        var otherRoute = folder(ada.api(), "k2", "route");
        var otherCaller = keyed(
                        bob.api(), "/v1/tables", "k2", "{\"name\":\"one\",\"projectId\":\"" + bob.projectId() + "\"}")
                .join();

        assertThat(other.status()).isEqualTo(422);
        assertThat(other.text("/code")).isEqualTo("IDEMPOTENCY_KEY_REUSED");
        assertThat(otherRoute.status()).isLessThan(300);
        assertThat(otherCaller.status()).isEqualTo(201);
        assertThat(server.count("select count(*) from data_table where name = 'two'"))
                .isZero();
    }

    @Test
    void performsOneOfMany_thatComeAtOnce() {
        var answers =
                IntStream.range(0, 10)
                        .mapToObj(_ -> keyed(ada.api(), "/v1/tables", "k3", table("crowd")))
                        .toList()
                        .stream()
                        .map(CompletableFuture::join)
                        .toList();

        assertThat(answers).allSatisfy(answer -> assertThat(answer.status()).isIn(201, 409));
        assertThat(answers).filteredOn(answer -> answer.status() == 409).allSatisfy(answer -> {
            assertThat(answer.text("/code")).isEqualTo("IDEMPOTENCY_KEY_IN_USE");
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        });
        assertThat(server.count("select count(*) from data_table where name = 'crowd'"))
                .isEqualTo(1);
    }

    @Test
    void releasesTheKeyOfARefusal() {
        var lacking = keyed(ada.api(), "/v1/records", "k4", "{\"tableId\":\"AAAAAAAAAAAAAAAAAAAAA\",\"records\":[]}")
                .join();
        var again = keyed(ada.api(), "/v1/records", "k4", "{\"tableId\":\"AAAAAAAAAAAAAAAAAAAAA\",\"records\":[]}")
                .join();

        assertThat(lacking.status()).isBetween(400, 404);
        assertThat(again.status()).isEqualTo(lacking.status());
        assertThat(server.count("select count(*) from request_key where status >= 400"))
                .isZero();
    }

    @Test
    void answersOutcomeUnknown_whenTheServerEndedDuringTheFirstRequest() {
        keyed(ada.api(), "/v1/tables", "k5", table("crashed")).join();
        server.execute("update request_key set status = null, lease_until = now() - interval '1 second'"
                + " where created = (select max(created) from request_key)");

        var repeated = keyed(ada.api(), "/v1/tables", "k5", table("crashed")).join();

        assertThat(repeated.status()).isEqualTo(504);
        assertThat(repeated.text("/code")).isEqualTo("OUTCOME_UNKNOWN");
        assertThat(repeated.headers().firstValue("Retry-After")).isEmpty();
        assertThat(server.count("select count(*) from data_table where name = 'crashed'"))
                .isEqualTo(1);
    }

    @Test
    void performsAgain_whenTheKeyHasExpired() {
        keyed(ada.api(), "/v1/tables", "k6", table("expired")).join();
        server.execute("update request_key set expires = now() - interval '1 second'"
                + " where created = (select max(created) from request_key)");

        assertThat(keyed(ada.api(), "/v1/tables", "k6", table("expired")).join().status())
                .isEqualTo(201);
        assertThat(server.count("select count(*) from data_table where name = 'expired'"))
                .isEqualTo(2);
    }

    @Test
    void appliesAFlowOperationOnce() {
        var flow = LiveFlow.draft(ada, FlowScript.webhook().map("step_1", "{}"));
        var operation = "{\"type\":\"DUPLICATE_ACTION\",\"request\":{\"stepName\":\"step_1\"}}";

        var first = keyed(ada.api(), "/v1/flows/" + flow.id(), "k7", operation).join();
        var second = keyed(ada.api(), "/v1/flows/" + flow.id(), "k7", operation).join();

        assertThat(first.status()).as(first.toString()).isEqualTo(200);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(Json.text(ada.api().get("/v1/flows/" + flow.id()).body()))
                .contains("step_2")
                .doesNotContain("step_3");
    }

    @Test
    void remembersNoMoreKeysAndBytesThanTheLimits() {
        for (var number = 0; number < 2 * KEYS_MAX; number++) {
            keyed(
                            bob.api(),
                            "/v1/tables",
                            "n" + number,
                            "{\"name\":\"t" + number % 3 + "\",\"projectId\":\"" + bob.projectId() + "\"}")
                    .join();
        }

        assertThat(server.count("select count(*) from request_key where caller like '%' || $1", bob.userId()))
                .isBetween(KEYS_MAX / 2L, (long) KEYS_MAX);
    }

    @Test
    void doesNotKeepALargeAnswer_andDoesNotPerformTheRequestAgain() {
        var table = keyed(ada.api(), "/v1/tables", "k8", table("large")).join().text("/id");
        var field = ada.api()
                .post("/v1/fields", json("{'name':'f','type':'TEXT','tableId':'" + table + "'}"))
                .text("/id");
        var text = RandomGenerator.getDefault()
                .ints(480_000, 'a', 'z')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append);
        var body = "{\"tableId\":\"" + table + "\",\"records\":[[{\"fieldId\":\"" + field + "\",\"value\":\"" + text
                + "\"}]]}";

        var first = keyed(ada.api(), "/v1/records", "k9", body).join();
        var second = keyed(ada.api(), "/v1/records", "k9", body).join();

        assertThat(first.status()).isEqualTo(201);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.text("/code")).isEqualTo("IDEMPOTENCY_ANSWER_NOT_KEPT");
        assertThat(server.count("select count(*) from table_record where table_id = $1", table))
                .isEqualTo(1);
    }

    @Test
    void repeatsASecret_thatIsSealedAtRest() {
        var first = keyed(ada.api(), "/v1/api-keys", "k10", "{\"displayName\":\"robot\"}")
                .join();
        var second = keyed(ada.api(), "/v1/api-keys", "k10", "{\"displayName\":\"robot\"}")
                .join();

        assertThat(first.text("/value")).startsWith("sk-");
        assertThat(second.text("/value")).isEqualTo(first.text("/value"));
        assertThat(server.count("select count(*) from api_key where display_name = 'robot'"))
                .isEqualTo(1);
        assertThat(server.count("select count(*) from request_key where sealed_answer is not null"
                        + " and get_byte(sealed_answer, 0) <> 2"))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 256})
    void refusesWhatIsNoKey(int length) {
        assertThat(folder(ada.api(), length == 0 ? " " : "k".repeat(length), "bad")
                        .status())
                .isEqualTo(400);
        assertThat(folders("bad")).isZero();
    }

    private static String table(String name) {
        return "{\"name\":\"" + name + "\",\"projectId\":\"" + ada.projectId() + "\"}";
    }
}
