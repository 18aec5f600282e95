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
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Agents whose database is away for moments: a tool call that has ended is recorded, and not performed again. */
@Slow(Slow.Reason.FAULT)
class AgentOutageIT {
    private static final int RUNS = 30;
    private static final int CALLS_OF_RUN = 3;
    private static final int OUTAGES = 20;

    /** One outage of so many lasts until pauses between attempts have grown to a second. */
    private static final int LONG_ONE_OF = 5;

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

    /** Calls an address after the other, each with the number of the call, whether or not a call went well. */
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
    void performsEachCallOnce_whileTheDatabaseComesAndGoes() throws InterruptedException {
        // Given
        var random = new Random(1);
        IntStream.range(0, RUNS)
                .forEach(run ->
                        assertThat(agents.start(order("/run-" + run)).status()).isEqualTo(200));
        var outages = new AtomicInteger();

        // When
        try (var harm = Executors.newSingleThreadScheduledExecutor()) {
            harm.execute(() -> harm(harm, random, outages));
            Waiting.until("the outages are over", () -> outages.get() == OUTAGES);
            assertThat(harm.shutdownNow()).isEmpty();
            assertThat(harm.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        }
        Waiting.until("all agents have ended", () -> ended() == RUNS);

        // Then
        assertThat(proxied.outside().calls()).extracting(Outside.Received::path).doesNotHaveDuplicates();
        assertThat(proxied.server().count("select count(*) from agent_run where result::text like '%COMPLETED%'"))
                .isPositive();
    }

    private void harm(ScheduledExecutorService timer, Random random, AtomicInteger outages) {
        proxied.way().cut();
        var _ = timer.schedule(
                () -> {
                    proxied.way().mend();
                    if (outages.incrementAndGet() < OUTAGES) {
                        var _ = timer.schedule(
                                () -> harm(timer, random, outages), 50 + random.nextInt(150), TimeUnit.MILLISECONDS);
                    }
                },
                outages.get() % LONG_ONE_OF == 0 ? 1_000 + random.nextInt(600) : 100 + random.nextInt(300),
                TimeUnit.MILLISECONDS);
    }
}
