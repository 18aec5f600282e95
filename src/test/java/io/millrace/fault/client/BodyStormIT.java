package io.millrace.fault.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.support.DataDirectory;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import io.millrace.support.RawHttp;
import io.millrace.support.ServerProcess;
import io.millrace.support.Slow;
import io.millrace.support.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Large bodies from many concurrent callers on a machine of 1 GB: each is accepted or refused, other callers are
 * answered meanwhile, and a second storm finds as much free memory as the first.
 */
@Slow(Slow.Reason.FAULT)
final class BodyStormIT {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final int CALLERS = 32;
    private static final int BODY_BYTES = 20 << 20;

    /** JVM options that the start script derives for a machine of 1 GB. */
    private static final List<String> ONE_GIGABYTE =
            List.of("-Xmx358m", "-Xms88m", "-Xmn64m", "-XX:+ExitOnOutOfMemoryError");

    private static final Set<Integer> TAKEN_OR_REFUSED = Set.of(200, 201, 413, 429, 503);

    private static DataDirectory directory;
    private static ServerProcess server;
    private static PublishedFlow flow;
    private static BodyStorm storm;

    @BeforeAll
    static void startServer() {
        directory = DataDirectory.prepared();
        server = ServerProcess.ofClasses(
                "io.millrace.Millrace", ONE_GIGABYTE, List.of(), directory.path(), Map.of("AP_LOG_LEVEL", "warn"));
        flow = PublishedFlow.create(
                server.api(START_DEADLINE),
                FlowScript.webhook()
                        .respondJson("answer", "{'done':true}")
                        .importOperation("Storm")
                        .get("request"));
        storm = new BodyStorm(server.port(START_DEADLINE), CALLERS, BODY_BYTES);
    }

    @AfterAll
    static void stopServer() {
        server.close();
        directory.close();
    }

    @Test
    void takesOrRefusesEachWebhook_andAnswersOthersMeanwhile() {
        survives(storm.json("/v1/webhooks/" + flow.flowId(), ""), false);
    }

    @Test
    void takesOrRefusesEachWebhook_whenItsLengthIsNotKnown() {
        survives(storm.json("/v1/webhooks/" + flow.flowId() + "/sync", ""), true);
    }

    @Test
    void takesOrRefusesEachWebhook_whenItsTreeIsManyTimesItsText() {
        survives(storm.emptyObjects("/v1/webhooks/" + flow.flowId()), false);
    }

    @Test
    void takesOrRefusesEachForm() {
        survives(storm.form("/v1/webhooks/" + flow.flowId()), false);
    }

    @Test
    void takesOrRefusesEachCallOfTheApi() {
        var token = "Authorization: Bearer " + flow.api().token() + "\n";
        survives(storm.json("/v1/flows", token), false);
    }

    @Test
    void refusesUnauthenticatedCallers_withoutReadingTheirBodies() {
        var statuses = storm.blow(storm.json("/v1/flows", ""), false);

        assertThat(statuses).containsOnly(403);
        assertThat(storm.blow(storm.json("/v1/authentication/sign-in", ""), false))
                .containsOnly(413);
    }

    @Test
    void keepsNothingOfAFormThatIsRefused() {
        // given callers whose forms exceed the limit, sent in chunks without a length
        var beyond = new BodyStorm(storm.port(), 16, 60 << 20);

        // when they send until the server closes the connection
        var statuses = beyond.blow(beyond.form("/v1/webhooks/" + flow.flowId()), true);

        // then they are refused, and the server is healthy
        assertThat(statuses).isSubsetOf(Set.of(413, 429));
        assertWell();
    }

    @Test
    void countsPiecesOfOneByte() {
        // given a caller with chunks of one byte each, which cost much more memory
        var chunks = "1\r\nx\r\n".repeat(2 << 20).getBytes(java.nio.charset.StandardCharsets.US_ASCII);

        // when it sends millions of them, as a text and as a form
        for (var type : List.of("text/plain", "multipart/form-data; boundary=edge")) {
            try (var http = RawHttp.connect(storm.port())) {
                http.send("POST /api/v1/webhooks/" + flow.flowId() + " HTTP/1.1\nHost: localhost\nContent-Type: " + type
                                + "\nTransfer-Encoding: chunked\n\n")
                        .sendWhatIsTaken(chunks)
                        .sendWhatIsTaken("0\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                assertThat(http.answer().status()).isIn(200, 400, 413, 429);
            }
        }

        // then the server is healthy
        assertWell();
    }

    private static void survives(BodyStorm.Kind kind, boolean chunked) {
        for (var round = 0; round < 2; round++) {
            var over = new AtomicBoolean();
            var others = new ArrayList<Integer>();
            var caller = Thread.ofPlatform().start(() -> callUntil(over, others));

            var statuses = storm.blow(kind, chunked);
            over.set(true);
            join(caller);

            assertThat(statuses).as(server.output()).isSubsetOf(TAKEN_OR_REFUSED);
            assertThat(others)
                    .as("responses to other callers meanwhile")
                    .isNotEmpty()
                    .containsOnly(200);
            assertWell();
        }
    }

    /** Makes sequential requests that need the database. */
    private static void callUntil(AtomicBoolean over, List<Integer> statuses) {
        do {
            statuses.add(flow.api().get("/v1/flows/" + flow.flowId()).status());
        } while (!over.get());
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", interrupted);
        }
    }

    /** The same process accepts events again. */
    private static void assertWell() {
        Waiting.until(
                "an event is accepted after the storm",
                () -> flow.api()
                                .post("/v1/webhooks/" + flow.flowId(), Json.object())
                                .status()
                        == 200);
        assertThat(server.isAlive()).isTrue();
    }
}
