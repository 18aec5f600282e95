package io.millrace.fault.database;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.support.AgentCaller;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.outside.ModelServer;
import io.millrace.support.outside.Outside;
import io.millrace.support.piece.ToolSettings;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Agents during short outages of the database: a tool call that has ended is recorded, and not performed again. A long
 * run takes {@code -Dagent.runs=50 -Dagent.outages=20 -Dagent.outage.ms=5000}.
 */
@Slow(Slow.Reason.FAULT)
class AgentOutageIT {
    private static final int RUNS = Integer.getInteger("agent.runs", 12);
    private static final int CALLS_OF_RUN = 3;
    private static final int OUTAGES = Integer.getInteger("agent.outages", 5);

    /** Longest outage: long enough for pauses between attempts to grow to a second. */
    private static final int OUTAGE_MS_MAX = Integer.getInteger("agent.outage.ms", 1_600);

    private static final int OUTAGE_MS_MIN = 100;

    private static final Duration DEADLINE = Duration.ofMinutes(5);

    /** One of many outages may last longer than a second. */
    private static final int LONG_ONE_OF = 2;

    private static final Pattern PATH = Pattern.compile("<(/[a-z0-9-]+)>");

    private final ModelServer model = ModelServer.start();
    private ProxiedServer proxied;
    private TestServer.SignedIn ada;
    private AgentCaller agents;

    @BeforeEach
    void start() {
        proxied = ProxiedServer.start();
        ada = proxied.server().signUp("ada@example.com", "Ada");
        agents = new AgentCaller(ada);
        model.serve(ada);
        model.otherwise(this::next);
    }

    @AfterEach
    void stop() {
        proxied.close();
        model.close();
    }

    /** Calls an address repeatedly, each time with the number of the call, regardless of the results. */
    private ModelServer.Reply next(JsonNode question) {
        var messages = question.path("messages");
        var results = messages.valueStream()
                .filter(message -> message.path("role").asText().equals("tool"))
                .count();
        var path = PATH.matcher(messages.toString());
        return results < CALLS_OF_RUN && path.find()
                ? ModelServer.calls(
                        question.at("/tools/0/function/name").asText(),
                        "{'url':'"
                                + proxied.outside()
                                        .url((results == 0 ? path.group(1) : "/later" + path.group(1)) + "-" + results)
                                + "'}")
                : ModelServer.text("Done.");
    }

    private ObjectNode order(String path) {
        var order = agents.order("Send to <" + path + ">.");
        order.putArray("tools").add(ToolSettings.call("send", "POST"));
        return order;
    }

    private long ended() {
        return proxied.server().count("select count(*) from agent_run where delivered");
    }

    @Test
    void recordsACallThatEndedDuringAnOutage_andDoesNotRepeatIt() {
        // Given
        var started = agents.start(order("/held"));
        proxied.outside().awaitCalls(1);

        // When
        proxied.way().cut();
        proxied.outside().release();
        proxied.way().mend();
        Waiting.until("the agent has ended", () -> ended() == 1);
        var run = agents.ended(started);

        // Then
        assertThat(run.at("/result/status").asText()).isEqualTo("COMPLETED");
        assertThat(proxied.outside().calls())
                .hasSize(CALLS_OF_RUN)
                .extracting(Outside.Received::path)
                .doesNotHaveDuplicates();
    }

    @Test
    void performsEachCallOnce_duringOutagesOfTheDatabase() throws InterruptedException {
        // Given
        var random = new Random(1);
        var outages = new AtomicInteger();
        startSome(outages.get());

        // When
        try (var harm = Executors.newSingleThreadScheduledExecutor()) {
            harm.execute(() -> harm(harm, random, outages));
            Waiting.until("the outages are over", DEADLINE, () -> outages.get() == OUTAGES);
            assertThat(harm.shutdownNow()).isEmpty();
            assertThat(harm.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        Waiting.until(
                "all agents have ended",
                () -> proxied.server().count("select count(*) from agent_run where not delivered") == 0);

        // Then
        assertThat(proxied.outside().calls())
                .hasSizeGreaterThanOrEqualTo(RUNS)
                .extracting(Outside.Received::path)
                .doesNotHaveDuplicates();
        assertThat(proxied.server().count("select count(*) from agent_run where result::text like '%COMPLETED%'"))
                .isGreaterThanOrEqualTo(RUNS);
    }

    /** Runs of one outage; a start with an unknown outcome is repeated as another run. */
    private void startSome(int outage) {
        for (var run = 0; run < RUNS / OUTAGES + 1; run++) {
            var path = "/run-" + outage + "-" + run + "-";
            var attempts = new AtomicInteger();
            Waiting.until(
                    "a run is accepted",
                    () -> agents.start(order(path + attempts.getAndIncrement())).status() == 200);
        }
    }

    private void harm(ScheduledExecutorService timer, Random random, AtomicInteger outages) {
        proxied.way().cut();
        var _ = timer.schedule(
                () -> {
                    proxied.way().mend();
                    if (outages.incrementAndGet() < OUTAGES) {
                        startSome(outages.get());
                        var _ = timer.schedule(
                                () -> harm(timer, random, outages), random.nextInt(150), TimeUnit.MILLISECONDS);
                    }
                },
                OUTAGE_MS_MIN
                        + random.nextInt(
                                outages.get() % LONG_ONE_OF == 0 ? OUTAGE_MS_MAX - OUTAGE_MS_MIN : 4 * OUTAGE_MS_MIN),
                TimeUnit.MILLISECONDS);
    }
}
