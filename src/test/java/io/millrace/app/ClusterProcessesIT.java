package io.millrace.app;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.ApiClient;
import io.millrace.support.ClusterWays;
import io.millrace.support.DataDirectory;
import io.millrace.support.PublishedFlow;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Nodes in separate processes: connected by Hazelcast, and refused starts. */
@Slow(Slow.Reason.PROCESS)
final class ClusterProcessesIT {
    private static final Duration DEADLINE = Duration.ofSeconds(90);
    private static final int BAD_SETTING = 78;
    private static final int CHANGES = 10;
    private static final String KEY = "0123456789abcdef0123456789abcdef";

    private final DatabaseSettings database = TestPostgres.freshDatabase();

    @Test
    void appliesChangesOfTheOtherNode_joinedByHazelcast_andDuringAPartition() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var ways = new ClusterWays(2);
                var here = start(first, joined(ways.settings(0)));
                var there = start(second, joined(ways.settings(1)))) {
            var flow = PublishedFlow.create(here.api(DEADLINE), flow(0));
            var elsewhere = there.api(DEADLINE);
            for (var version = 1; version <= CHANGES; version++) {
                publish(flow, version);
                assertThat(call(elsewhere, flow)).isEqualTo(version);
            }

            ways.split();
            for (var version = CHANGES + 1; version <= CHANGES + 3; version++) {
                publish(flow, version);
                assertThat(call(elsewhere, flow)).isEqualTo(version);
            }
        }
    }

    @Test
    void rejoinsTheOtherNode_afterBothHadRemovedEachOther() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var ways = new ClusterWays(2);
                var here = start(first, impatient(ways.settings(0)));
                var there = start(second, impatient(ways.settings(1)))) {
            // given a flow whose caller at this node waits for a decision at the other node
            var flow = PublishedFlow.create(here.api(DEADLINE), asking());
            var elsewhere = there.api(DEADLINE);
            Waiting.until("they hear each other", DEADLINE, () -> isToldFrom(elsewhere, flow));

            // when the nodes are partitioned for a while
            ways.split();
            for (var node : List.of(here, there)) {
                Waiting.until(
                        "the other one is missed",
                        DEADLINE,
                        () -> node.output().contains("because it has not sent any heartbeats"));
            }
            ways.mend();

            // then
            Waiting.until("they hear each other again", DEADLINE, () -> isToldFrom(elsewhere, flow));
        }
    }

    private static Map<String, String> impatient(Map<String, String> cluster) {
        var settings = joined(cluster);
        settings.put("AP_WEBHOOK_TIMEOUT_SECONDS", "5");
        return settings;
    }

    private static JsonNode asking() {
        return webhook()
                .piece("step_1", "@activepieces/piece-approval", "0.1.13", "create_approval_links", Json.object())
                .piece("step_2", "@activepieces/piece-approval", "0.1.13", "wait_for_approval", Json.object())
                .returnJson("step_3", "{'yes':true}")
                .importOperation("Asks")
                .path("request");
    }

    /** Returns true if a synchronous caller gets its response when the run continues at another node. */
    private static boolean isToldFrom(ApiClient elsewhere, PublishedFlow flow) {
        var caller = flow.api().postAsync("/v1/webhooks/" + flow.flowId() + "/sync", Json.object());
        var paused = new AtomicReference<JsonNode>();
        Waiting.until("the run is paused", DEADLINE, () -> {
            var runs = flow.runs();
            if (runs.isEmpty()) {
                return false;
            }
            var newest = runs.getFirst().path("id").asText();
            paused.set(flow.api().get("/v1/flow-runs/" + newest).body());
            return paused.get().path("status").asText().equals("PAUSED");
        });
        var link =
                URI.create(paused.get().at("/steps/step_1/output/approvalLink").asText());
        elsewhere.post(link.getRawPath().replaceFirst("^/api", "") + "?" + link.getRawQuery(), Json.object());
        return caller.join().status() == 200;
    }

    @Test
    void appliesChangesMadeWhileItWasFrozen() {
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
    void doesNotStart_withOtherSecretsThanALiveNode() {
        try (var first = DataDirectory.create();
                var second = DataDirectory.create();
                var here = start(first, Map.of())) {
            here.api(DEADLINE);
            try (var other = start(second, Map.of())) {
                assertThat(other.exitStatus(DEADLINE)).isEqualTo(BAD_SETTING);
                assertThat(other.output()).contains("AP_ENCRYPTION_KEY: expected the key of the other nodes");
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

    private static Map<String, String> joined(Map<String, String> cluster) {
        var settings = new HashMap<>(cluster);
        settings.put("AP_ENCRYPTION_KEY", KEY);
        return settings;
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
