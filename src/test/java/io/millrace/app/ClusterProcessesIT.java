package io.millrace.app;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.FreePort;
import io.millrace.base.persistence.DatabaseSettings;
import io.millrace.support.ApiClient;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.TestPostgres;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that are processes of their own: joined by Hazelcast, and what keeps them from starting. */
final class ClusterProcessesIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final int BAD_SETTING = 78;
    private static final int CHANGES = 10;
    private static final String KEY = "0123456789abcdef0123456789abcdef";

    private final DatabaseSettings database = TestPostgres.freshDatabase();

    @Test
    void obeysTheOtherNode_joinedByHazelcast() {
        var one = FreePort.find().orElseThrow();
        var two = apartFrom(one);
        var members = "127.0.0.1:" + one + ",127.0.0.1:" + two;
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var here = start(first, joined(members, one));
                var there = start(second, joined(members, two))) {
            var flow = PublishedFlow.create(here.api(DEADLINE), flow(0));
            var elsewhere = there.api(DEADLINE);
            for (var version = 1; version <= CHANGES; version++) {
                publish(flow, version);
                assertThat(call(elsewhere, flow)).isEqualTo(version);
            }
        }
    }

    @Test
    void obeysWhatChangedWhileItStoodStill() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var here = start(first, Map.of("AP_ENCRYPTION_KEY", KEY))) {
            var flow = PublishedFlow.create(here.api(DEADLINE), flow(0));
            try (var other = start(second, Map.of("AP_ENCRYPTION_KEY", KEY))) {
                var elsewhere = other.api(DEADLINE);
                for (var version = 1; version <= 3; version++) {
                    call(elsewhere, flow);
                    other.freeze();
                    publish(flow, version);
                    other.thaw();
                    assertThat(call(elsewhere, flow)).isEqualTo(version);
                }
            }
        }
    }

    private static int call(ApiClient node, PublishedFlow flow) {
        var answer = node.post("/v1/webhooks/" + flow.flowId() + "/sync", Json.object());
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.body().path("version").asInt();
    }

    @Test
    void takesOverTheTokenKey_whenTheEncryptionKeyOpensIt() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var here = start(first, Map.of("AP_ENCRYPTION_KEY", KEY))) {
            var flow = PublishedFlow.create(here.api(DEADLINE), flow(1));
            try (var other = start(second, Map.of("AP_ENCRYPTION_KEY", KEY))) {
                var asked = flow.asked(other.api(DEADLINE));
                assertThat(asked.api().get("/v1/flows/" + flow.flowId()).status())
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void doesNotStart_withSecretsOfItsOwnBesideALiveNode() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var here = start(first, Map.of())) {
            here.api(DEADLINE);
            try (var other = start(second, Map.of())) {
                assertThat(other.exitStatus(DEADLINE)).isEqualTo(BAD_SETTING);
                assertThat(other.output()).contains("AP_ENCRYPTION_KEY: expected the key of the nodes");
            }
            try (var other = start(second, Map.of("AP_ENCRYPTION_KEY", "fedcba9876543210fedcba9876543210"))) {
                assertThat(other.exitStatus(DEADLINE)).isEqualTo(BAD_SETTING);
            }
        }
    }

    @Test
    void doesNotStart_asANodeOfAClusterWithADatabaseOfItsOwn() {
        try (var directory = DataDirectory.create();
                var node = ServerProcess.ofClasses(
                        directory.path(),
                        Map.of(
                                "AP_CLUSTER_MEMBERS", "127.0.0.1:5701",
                                "AP_CLUSTER_HOST", "127.0.0.1",
                                "AP_CLUSTER_PASSWORD", "only the nodes know it"))) {
            assertThat(node.exitStatus(DEADLINE)).isEqualTo(BAD_SETTING);
            assertThat(node.output()).contains("expected an external PostgreSQL");
        }
    }

    /** The event bus of a node listens on the port after that of its cluster engine. */
    private static int apartFrom(int port) {
        var other = FreePort.find().orElseThrow();
        return Math.abs(other - port) > 1 ? other : apartFrom(port);
    }

    private static Map<String, String> joined(String members, int port) {
        return Map.of(
                "AP_ENCRYPTION_KEY",
                KEY,
                "AP_CLUSTER_MEMBERS",
                members,
                "AP_CLUSTER_HOST",
                "127.0.0.1",
                "AP_CLUSTER_PORT",
                Integer.toString(port),
                "AP_CLUSTER_PASSWORD",
                "only the nodes know it");
    }

    private ServerProcess start(DataDirectory directory, Map<String, String> settings) {
        var environment = new HashMap<>(Map.of(
                "AP_LOG_LEVEL", "warn",
                "AP_POSTGRES_HOST", "127.0.0.1",
                "AP_POSTGRES_PORT", Integer.toString(database.port()),
                "AP_POSTGRES_DATABASE", database.database(),
                "AP_POSTGRES_USERNAME", database.user(),
                "AP_POSTGRES_PASSWORD", database.password()));
        environment.putAll(settings);
        return ServerProcess.ofClasses(directory.path(), environment);
    }

    private static JsonNode flow(int version) {
        return webhook()
                .returnJson("step_1", "{'version':" + version + "}")
                .importOperation("Mill")
                .path("request");
    }

    private static void publish(PublishedFlow flow, int version) {
        for (var type : new String[] {"IMPORT_FLOW", "LOCK_AND_PUBLISH"}) {
            var operation = Json.object().put("type", type);
            operation.set("request", type.equals("IMPORT_FLOW") ? flow(version) : Json.object());
            ApiClient.Answer answer = flow.api().post("/v1/flows/" + flow.flowId(), operation);
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        }
    }
}
