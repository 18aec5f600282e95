package io.millrace.workspace.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.RecordedLog;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.Outside;
import io.millrace.support.outside.VaultServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Connections used by steps. */
class ConnectionRunIT {
    private static final String SECRET = "open-sesame-4711";

    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static Outside outside;
    private static RecordedLog log;

    @BeforeAll
    static void start() {
        log = RecordedLog.of("io.millrace");
        outside = Outside.start();
        server = ServerSettings.localCalls().start();
        admin = server.signUp("ada@example.com", "Ada");
        save("crm", "SECRET_TEXT", value -> value.put("secret_text", SECRET));
        save("dash-ed", "CUSTOM_AUTH", value -> value.putObject("props").put("key", SECRET));
    }

    @AfterAll
    static void stop() {
        server.close();
        outside.close();
        log.close();
    }

    @Test
    void reachesTheOutside_andIsShownNowhere() {
        // Given
        var flow = LiveFlow.publish(
                admin, call("{{connections['crm']['secret_text']}}").returnJson("step_2", "{'ok':true}"));

        // When
        var answer = flow.callAndWait(Json.object());
        var run = flow.ended(1);

        // Then
        assertThat(answer.body().path("ok").asBoolean()).isTrue();
        assertThat(outside.calls()).extracting(Outside.Received::authorization).contains("Bearer " + SECRET);
        assertThat(run.at("/steps/step_1/input/authFields/token").asText()).isEqualTo("**REDACTED**");
        assertThat(run.toString()).doesNotContain(SECRET);
        assertThat(String.join("\n", log.lines())).doesNotContain(SECRET);
        assertThat(server.count("select count(*) from ended_run r where position($1 in r::text) > 0", SECRET))
                .isZero();
    }

    @Test
    void givesTheValueWithItsType_inEveryForm() {
        // Given
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .code(
                                "step_1",
                                "export const code = async (inputs) => ["
                                        + "inputs.whole.type, inputs.whole.secret_text.length, inputs.dotted.length,"
                                        + " inputs.dashed.length, inputs.mixed.length];",
                                "{'whole':'{{connections.crm}}','dotted':'{{connections.crm.secret_text}}',"
                                        + "'dashed':'{{connections.dash-ed.props.key}}',"
                                        + "'mixed':'-{{connections.crm.secret_text}}-'}")
                        .returnJson("step_2", "{'seen':'{{step_1.output}}'}"));

        // When
        var answer = flow.callAndWait(Json.object());
        var run = flow.ended(1);

        // Then
        assertThat(answer.body().path("seen").toString()).isEqualTo("[\"SECRET_TEXT\",16,16,16,18]");
        assertThat(run.at("/steps/step_1/input/whole").asText()).isEqualTo("**REDACTED**");
        assertThat(run.at("/steps/step_1/input/mixed").asText()).isEqualTo("-**REDACTED**-");
    }

    @Test
    void failsTheStep_whenThereIsNone_orItHasExpired() {
        // Given
        save("expired", "SECRET_TEXT", value -> value.put("secret_text", SECRET));
        server.execute("update app_connection set status = 'ERROR' where external_id = 'expired'");
        save("place", "PLACEHOLDER", _ -> {});

        // Then
        assertThat(failureOf("{{connections.nobody}}"))
                .contains("ConnectionNotFound")
                .contains("connection (nobody) not found");
        assertThat(failureOf("{{connections.place}}")).contains("ConnectionNotFound");
        assertThat(failureOf("{{connections.expired}}")).contains("ConnectionExpired");
    }

    @Test
    void fetchesASecretThatTheValueRefersTo_andKeepsItNowhere() {
        try (var vault = new VaultServer()) {
            // Given
            vault.keep("secret/data/mill", "{'key':'sesame-in-the-vault-0815'}");
            var manager = manager(vault);
            var saved = save("vaulted", "SECRET_TEXT", value -> value.put("secret_text", manager + "mill/key}}"));
            var refused = admin.api().post("/v1/app-connections", request("lost", manager + "none/key}}"));
            var flow = LiveFlow.publish(
                    admin, call("{{connections['vaulted']['secret_text']}}").returnJson("step_2", "{'ok':true}"));

            // When
            flow.callAndWait(Json.object());
            var run = flow.ended(1);

            // Then
            assertThat(saved.path("usingSecretManager").asBoolean()).isTrue();
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/code")).isEqualTo("SECRET_MANAGER_GET_SECRET_FAILED");
            assertThat(outside.calls())
                    .extracting(Outside.Received::authorization)
                    .contains("Bearer sesame-in-the-vault-0815");
            assertThat(run.toString()).doesNotContain("sesame-in-the-vault");
            assertThat(String.join("\n", log.lines())).doesNotContain("sesame-in-the-vault", VaultServer.LOGIN_SECRET);
        }
    }

    @Test
    void failsTheStep_whenItsSecretCannotBeFetched() {
        try (var vault = new VaultServer()) {
            // Given
            vault.keep("secret/data/mill", "{'key':'sesame'}");
            var manager = manager(vault);
            save("closed", "SECRET_TEXT", value -> value.put("secret_text", manager + "mill/key}}"));
            server.clock().advance(Duration.ofHours(2));

            // When
            vault.closed = true;

            // Then
            assertThat(failureOf("{{connections.closed}}"))
                    .contains("ConnectionLoadingFailure")
                    .contains("the login was refused with status 403")
                    .doesNotContain(VaultServer.LOGIN_SECRET);
        }
    }

    /** Prefix of a reference to a new secret manager. */
    private static String manager(VaultServer vault) {
        var request =
                Json.object().put("name", "Vault").put("scope", "PLATFORM").put("providerId", "hashicorp");
        request.set("config", vault.hashicorp());
        return "{{" + admin.api().post("/v1/secret-managers", request).text("/id") + "|ap_sep_v1|secret/data/";
    }

    private static ObjectNode request(String externalId, String secretText) {
        var body = Json.object()
                .put("projectId", admin.projectId())
                .put("externalId", externalId)
                .put("displayName", externalId)
                .put("pieceName", "@activepieces/piece-http")
                .put("type", "SECRET_TEXT");
        body.putObject("value").put("type", "SECRET_TEXT").put("secret_text", secretText);
        return body;
    }

    @Test
    void failsTheStep_whenTheValueCannotBeRead() {
        // Given
        save("broken", "SECRET_TEXT", value -> value.put("secret_text", SECRET));
        server.execute("update app_connection set sealed_value = '\\x0102' where external_id = 'broken'");

        // Then
        assertThat(failureOf("{{connections.broken}}")).contains("ConnectionLoadingFailure");
    }

    @Test
    void usesTheNewValue_atOnce() {
        // Given
        save("changing", "SECRET_TEXT", value -> value.put("secret_text", "before"));
        var flow = LiveFlow.publish(
                admin, FlowScript.webhook().returnJson("step_1", "{'is':'{{connections.changing.secret_text}}'}"));
        var before = flow.callAndWait(Json.object());

        // When
        save("changing", "SECRET_TEXT", value -> value.put("secret_text", "after"));

        // Then
        assertThat(before.text("/is")).isEqualTo("before");
        assertThat(flow.callAndWait(Json.object()).text("/is")).isEqualTo("after");
    }

    @Test
    void seesAChangeOfAnotherNode_afterSeconds() {
        // Given
        save("elsewhere", "SECRET_TEXT", value -> value.put("secret_text", SECRET));
        var flow = LiveFlow.publish(
                admin, FlowScript.webhook().returnJson("step_1", "{'is':'{{connections.elsewhere.type}}'}"));
        flow.callAndWait(Json.object());
        server.execute("delete from app_connection where external_id = 'elsewhere'");

        // When
        server.clock().advance(Duration.ofSeconds(6));

        // Then
        assertThat(flow.callAndWait(Json.object()).status()).isEqualTo(500);
    }

    @Test
    void routersLoopsAndTriggersUseThemToo() {
        // Given
        save(
                "listed",
                "CUSTOM_AUTH",
                value -> value.putObject("props").putArray("keys").add(1).add(2));
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook("{'authType':'header','authFields':{'headerName':'x-key',"
                                + "'headerValue':'{{connections.crm.secret_text}}'}}")
                        .loop("step_1", "{{connections.listed.props.keys}}", FlowScript.steps())
                        .firstMatch(
                                "step_2",
                                FlowScript.Branch.whenEqual(
                                        "Same",
                                        "{{connections.crm.secret_text}}",
                                        SECRET,
                                        FlowScript.steps().returnJson("step_3", "{'same':true}")),
                                FlowScript.Branch.otherwise(
                                        FlowScript.steps().returnJson("step_4", "{'same':false}"))));

        // When
        var without = flow.callAndWait(Json.object());
        var with = admin.api().postText("/v1/webhooks/" + flow.id() + "/sync", "{}", "x-key", SECRET);
        var run = flow.ended(1);

        // Then
        assertThat(without.status()).isEqualTo(401);
        assertThat(with.body().path("same").asBoolean()).isTrue();
        assertThat(run.at("/steps/step_1/output/iterations").size()).isEqualTo(2);
    }

    @Test
    void isNotShown_whenTheStepFailsAndRepeatsIt() {
        // Given
        var flow = LiveFlow.publish(
                admin,
                FlowScript.webhook()
                        .code(
                                "step_1",
                                "export const code = async (inputs) => { throw new Error('bad key ' + inputs.key); };",
                                "{'key':'{{connections.crm.secret_text}}'}"));

        // When
        var run = flow.run(Json.object());

        // Then
        assertThat(run.at("/steps/step_1/errorMessage").asText()).contains("bad key **REDACTED**");
        assertThat(run.toString()).doesNotContain(SECRET);
    }

    @Test
    void anotherProjectDoesNotHaveIt() {
        // Given
        var team = admin.api()
                .post("/v1/projects", Json.object().put("displayName", "Team"))
                .text("/id");
        var owner = new TestServer.SignedIn(admin.api(), admin.userId(), admin.platformId(), team);
        var flow = LiveFlow.publish(
                owner, FlowScript.webhook().returnJson("step_1", "{'is':'{{connections.crm.secret_text}}'}"));

        // When
        var answer = flow.callAndWait(Json.object());

        // Then
        assertThat(answer.status()).isEqualTo(500);
        assertThat(flow.ended(1).at("/steps/step_1/errorMessage").asText()).contains("ConnectionNotFound");
    }

    private static String failureOf(String token) {
        var flow = LiveFlow.publish(admin, FlowScript.webhook().map("step_1", "{'is':'" + token + "'}"));
        var run = flow.run(Json.object());
        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        return run.at("/steps/step_1/errorMessage").asText();
    }

    private static FlowScript call(String token) {
        var input = ConnectionBody.call(outside.url("/called"), token);
        return FlowScript.webhook().piece("step_1", "@activepieces/piece-http", "0.11.13", "send_request", input);
    }

    private static JsonNode save(String externalId, String type, java.util.function.Consumer<ObjectNode> edit) {
        var body = Json.object()
                .put("projectId", admin.projectId())
                .put("externalId", externalId)
                .put("displayName", externalId)
                .put("pieceName", "@activepieces/piece-http")
                .put("type", type);
        if (!type.equals("PLACEHOLDER")) {
            edit.accept(body.putObject("value").put("type", type));
        }
        var made = admin.api().post("/v1/app-connections", body);
        assertThat(made.status()).isEqualTo(201);
        return made.body();
    }
}
