package io.millrace.engine.trigger;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.trigger;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.FaultyProxy;
import io.millrace.support.HeldCommit;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestPostgres;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Registrations at a provider during an outage of the database: each is recorded after it, and not repeated. */
final class TriggerOutageIT {
    private static final int RECOVERY_HASTE = 20;
    private static final FeedPiece FEED = new FeedPiece();

    private static DatabaseSettings databaseSettings;
    private static FaultyProxy way;
    private static TestServer server;
    private static TestServer.SignedIn ada;

    private LiveFlow flow;

    @BeforeAll
    static void start() {
        databaseSettings = TestPostgres.freshDatabase();
        way = FaultyProxy.to(databaseSettings.port());
        server = TestServer.startBehind(
                way,
                ServerSettings.openSignUpAndLocalCalls().values(),
                databaseSettings,
                RECOVERY_HASTE,
                List.of(FEED));
        ada = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        way.mend();
        server.close();
        way.close();
    }

    @BeforeEach
    void makeFlow() {
        FEED.atProvider = () -> {};
        flow = LiveFlow.draft(
                ada, trigger(FeedPiece.NAME, FeedPiece.VERSION, "on_call", "{}").map("step_1", "{}"));
        FEED.hooks.clear();
    }

    /** Cuts the database once the provider has handled the request, and restores it after some attempts. */
    private static Answer duringAnOutage(Supplier<Answer> request) {
        FEED.atProvider = () -> {
            FEED.atProvider = () -> {};
            way.interrupt();
        };
        var answer = CompletableFuture.supplyAsync(request);
        way.awaitLost(10);
        way.mend();
        return answer.join();
    }

    private Answer publish() {
        return flow.operate(json("{'type':'LOCK_AND_PUBLISH','request':{}}"));
    }

    private Answer disable() {
        return flow.operate(json("{'type':'CHANGE_STATUS','request':{'status':'DISABLED'}}"));
    }

    private Answer simulate() {
        var version = ada.api().get("/v1/flows/" + flow.id()).text("/version/id");
        return ada.api()
                .post(
                        "/v1/test-trigger",
                        Json.object()
                                .put("projectId", ada.projectId())
                                .put("flowId", flow.id())
                                .put("flowVersionId", version)
                                .put("testStrategy", "SIMULATION"));
    }

    private String status() {
        return ada.api().get("/v1/flows/" + flow.id()).text("/status");
    }

    private long sources(boolean simulated) {
        return server.count(
                "select count(*) from trigger_source where flow_id = $1 and simulate = $2 and deleted is null",
                flow.id(),
                simulated);
    }

    @Test
    void enablesAFlow_thatWasRegisteredDuringAnOutage() {
        var answer = duringAnOutage(this::publish);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(status()).isEqualTo("ENABLED");
        assertThat(sources(false)).isEqualTo(1);
        assertThat(FEED.hooks).hasSize(1).allMatch(hook -> hook.startsWith("register "));
        assertThat(server.count("select count(*) from flow where id = $1 and operation_status = 'NONE'", flow.id()))
                .isEqualTo(1);
    }

    @Test
    void enablesAFlowOnce_whenTheAnswerToTheCommitIsLost() {
        // given a commit held by the test
        CompletableFuture<Answer> answer;
        try (var lock = HeldCommit.of(
                databaseSettings,
                "flow",
                "update",
                "old.operation_status = 'ENABLING' and new.operation_status = 'NONE'")) {
            answer = CompletableFuture.supplyAsync(this::publish);
            lock.awaitWaiting();

            // when
            way.interrupt();
        }
        Waiting.until("the commit is done", () -> sources(false) == 1);
        way.mend();

        // then
        assertThat(answer.join().status()).as(answer.join().toString()).isEqualTo(200);
        assertThat(status()).isEqualTo("ENABLED");
        assertThat(server.count("select count(*) from trigger_source where flow_id = $1", flow.id()))
                .isEqualTo(1);
        assertThat(FEED.hooks).hasSize(1);
    }

    @Test
    void disablesAFlow_thatWasUnregisteredDuringAnOutage() {
        publish();
        FEED.hooks.clear();

        var answer = duringAnOutage(this::disable);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(status()).isEqualTo("DISABLED");
        assertThat(sources(false)).isZero();
        assertThat(FEED.hooks).containsExactly("unregister");
    }

    @Test
    void listensInATest_thatWasRegisteredDuringAnOutage() {
        var answer = duringAnOutage(this::simulate);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(sources(true)).isEqualTo(1);
        assertThat(FEED.hooks).hasSize(1).allMatch(hook -> hook.startsWith("register "));
    }
}
