package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FlowScript;
import io.millrace.support.LiveFlow;
import io.millrace.support.Slow;
import io.millrace.support.TestServer.SignedIn;
import io.millrace.support.Waiting;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactions of releases, replacements and definitions wait for their own statements only (decision 0042). */
@Slow(Slow.Reason.FAULT)
class LandingTransactionIT {
    private static final String HOLD_PROJECT = "for no key update";

    private static ProxiedServer proxied;
    private static SignedIn admin;

    private SignedIn source;
    private SignedIn target;
    private LiveFlow flow;

    @BeforeAll
    static void start() {
        proxied = ProxiedServer.start();
        admin = proxied.server().signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        proxied.close();
    }

    @BeforeEach
    void makeProjects() {
        source = admin.inTeam("Development");
        target = admin.inTeam("Production");
        flow = LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'says':'one'}"));
    }

    private Answer release() {
        return admin.api()
                .post(
                        "/v1/project-releases",
                        Json.object()
                                .put("type", "PROJECT")
                                .put("name", "Week 12")
                                .put("projectId", target.projectId())
                                .put("targetProjectId", source.projectId()));
    }

    private Answer replace() {
        var document = Json.object().put("schemaVersion", 1).put("sourceActivepiecesVersion", "0.96.2");
        for (var list : new String[] {"tables", "folders", "connections", "requiredPieces"}) {
            document.putArray(list);
        }
        var version = admin.api().get("/v1/flows/" + flow.id()).body();
        document.putArray("flows").add(version);
        return admin.api().post("/v1/projects/" + target.projectId() + "/replace", document);
    }

    private Answer apply() {
        return admin.api()
                .post(
                        "/v1/projects/" + target.projectId() + "/definition/apply?allowDeletion=true",
                        definition(source));
    }

    private static ObjectNode definition(SignedIn project) {
        var read = admin.api().get("/v1/projects/" + project.projectId() + "/definition");
        return (ObjectNode) read.body().path("definition");
    }

    private long landed() {
        return proxied.server().count("select count(*) from flow where project_id = $1", target.projectId());
    }

    private static long idleTransactions() {
        return proxied.server()
                .count("select count(*) from pg_stat_activity where datname = current_database()"
                        + " and state like 'idle in transaction%'");
    }

    @Test
    void commitsARelease_whileAllWorkersAreOccupied() {
        landsWhileAllWorkersAreOccupied(this::release);
        assertThat(proxied.server().count("select count(*) from project_release"))
                .isEqualTo(1);
    }

    @Test
    void commitsAReplacement_whileAllWorkersAreOccupied() {
        landsWhileAllWorkersAreOccupied(this::replace);
    }

    @Test
    void commitsADefinition_whileAllWorkersAreOccupied() {
        landsWhileAllWorkersAreOccupied(this::apply);
    }

    private void landsWhileAllWorkersAreOccupied(Supplier<Answer> request) {
        CompletableFuture<Answer> answer;
        // Given
        try (var lock = TableLock.againstRowLocks(proxied.database(), "project")) {
            answer = CompletableFuture.supplyAsync(request);
            lock.awaitWaiting(HOLD_PROJECT);

            // When
            try (var _ = proxied.server().holdWorkers()) {
                lock.release();

                // Then
                Waiting.until("the change is committed", () -> landed() == 1);
                Waiting.until("no transaction is open", () -> idleTransactions() == 0);
            }
        }
        assertThat(answer.join().status()).as(answer.join().toString()).isEqualTo(200);
    }

    @Test
    void comparesAgain_whenTheProjectChangesAfterTheComparison() {
        // Given
        release();
        var there = admin.api().get("/v1/flows?projectId=" + target.projectId()).text("/data/0/id");
        var other = LiveFlow.publish(source, FlowScript.webhook().returnJson("step_1", "{'says':'two'}"));
        CompletableFuture<Answer> answer;

        // When
        try (var lock = TableLock.againstRowLocks(proxied.database(), "project")) {
            answer = CompletableFuture.supplyAsync(this::release);
            lock.awaitWaiting(HOLD_PROJECT);
            proxied.server()
                    .execute("update flow_version set display_name = 'Changed meanwhile' where flow_id = $1", there);
        }

        // Then
        assertThat(answer.join().status()).as(answer.join().toString()).isEqualTo(200);
        assertThat(other.id()).isNotEmpty();
        assertThat(landed()).isEqualTo(2);
        assertThat(admin.api().get("/v1/flows/" + there).text("/version/displayName"))
                .isNotEqualTo("Changed meanwhile");
    }
}
