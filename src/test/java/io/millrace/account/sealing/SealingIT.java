package io.millrace.account.sealing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient;
import io.millrace.support.TestServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rotation of the encryption key in a running server, and a refused start without a needed key. */
final class SealingIT {
    private static final String PATH = "/v1/encryption-key";
    private static final List<String> PLAIN_COLUMNS = List.of(
            "action_run.output",
            "action_run.shown_input",
            "approval_decision.answers",
            "approval_task.shown",
            "audit_chain.hash",
            "audit_chain.forgotten_hash",
            "audit_event.hash",
            "code_program.native_files",
            "ended_run.log",
            "file.data",
            "flow_test.content",
            "flow_version.trigger",
            "installed_piece.archive",
            "knowledge_chunk.embedding",
            "log_dictionary.text",
            "picture.data",
            "piece_feed.content",
            "project_definition.definition",
            "run.log",
            "run.payload",
            "run_backlog.items",
            "start_key.answer",
            "run_replay.spec",
            "run_step.record",
            "saml_key.certificate",
            "template.flows",
            "waitpoint.resume_payload");
    private static final String FIRST = "0123456789abcdef0123456789abcdef";
    private static final String SECOND = "fedcba9876543210fedcba9876543210";

    private TestServer server;
    private TestServer.SignedIn ada;

    @AfterEach
    void stop() {
        server.close();
    }

    private void startWith(Map<String, String> settings) {
        server = TestServer.start(settings);
        ada = server.signUp("ada@example.com", "Ada");
    }

    private String variable(String name) {
        var body = Json.object()
                .put("projectId", ada.projectId())
                .put("name", name)
                .put("value", "value of " + name);
        return ada.api().post("/v1/variables", body).text("/id");
    }

    private static String value(ApiClient api, String id) {
        return api.post("/v1/variables/" + id + "/reveal", Json.object()).text("/value");
    }

    @Test
    void makesAnotherKey_andSealsEverythingAnewWhileOthersWork() {
        // Given
        startWith(Map.of("AP_ENCRYPTION_KEY", ""));
        var ids = new ArrayList<String>();
        for (var index = 0; index < 300; index++) {
            ids.add(variable("V_" + index));
        }
        var before = ada.api().get(PATH);

        // When
        var rotation = ada.api().postAsync(PATH + "/rotate", Json.object());
        while (!rotation.isDone()) {
            ids.add(variable("W_" + ids.size()));
            assertThat(value(ada.api(), ids.getFirst())).isEqualTo("value of V_0");
        }
        var after = rotation.join();

        // Then
        assertThat(before.body().path("keptByServer").asBoolean()).isTrue();
        assertThat(counts(before.body())).containsOnlyKeys(before.text("/keyId"));
        assertThat(after.status()).isEqualTo(200);
        assertThat(after.text("/keyId")).isNotEqualTo(before.text("/keyId"));
        var now = ada.api().get(PATH);
        assertThat(counts(now.body())).isEqualTo(Map.of(after.text("/keyId"), (long) ids.size()));
        assertThat(value(ada.api(), ids.getLast())).startsWith("value of ");
        assertThat(value(ada.api(), ids.get(299))).isEqualTo("value of V_299");
    }

    @Test
    void takesAGivenKey_onceTheFormerOneIsKnown() {
        // Given
        startWith(Map.of("AP_ENCRYPTION_KEY", FIRST));
        var id = variable("API_HOST");
        server.stopServer();

        // Then
        assertThatThrownBy(() -> server.successor(Map.of("AP_ENCRYPTION_KEY", SECOND)))
                .hasStackTraceContaining("AP_ENCRYPTION_KEY: expected the key")
                .hasStackTraceContaining("1 of variable (" + id + ")");

        // When
        try (var second =
                server.successor(Map.of("AP_ENCRYPTION_KEY", SECOND, "AP_KNOWN_ENCRYPTION_KEYS", " " + FIRST + " ,"))) {
            var api = ada.api().at(second);
            assertThat(value(api, id)).isEqualTo("value of API_HOST");
            assertThat(api.post(PATH + "/rotate", Json.object()).body())
                    .isEqualTo(Json.trusted("{\"keyId\":\"" + api.get(PATH).text("/keyId")
                            + "\",\"keptByServer\":false,\"values\":[{\"keyId\":\""
                            + api.get(PATH).text("/keyId") + "\",\"count\":1}]}"));
        }

        // Then
        try (var third = server.successor(Map.of("AP_ENCRYPTION_KEY", SECOND))) {
            assertThat(value(ada.api().at(third), id)).isEqualTo("value of API_HOST");
        }
    }

    /** The rotation finds encrypted columns by their names, so each other column of bytes is listed here. */
    @Test
    void everySealedColumnIsNamedSo() {
        startWith(Map.of());

        assertThat(server.text("""
                        select string_agg(table_name || '.' || column_name, ' ' order by table_name, column_name)
                          from information_schema.columns
                         where table_schema = current_schema() and data_type = 'bytea' and column_name not like 'sealed\\_%'
                           and table_name not like 'ended_run\\_%'
                        """).split(" ")).isSubsetOf(PLAIN_COLUMNS);
    }

    private static Map<String, Long> counts(JsonNode state) {
        var counts = new java.util.HashMap<String, Long>();
        state.path("values")
                .forEach(use ->
                        counts.put(use.path("keyId").asText(), use.path("count").asLong()));
        return counts;
    }
}
