package io.millrace.fault;

import io.millrace.base.core.Json;
import io.millrace.support.FlowScript;
import io.millrace.support.PublishedFlow;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * Run with a step that ends every server that executes it: the called service kills the calling process. The server has
 * to set this run aside, and no other.
 */
final class PoisonRun implements Harm {
    private static final int FIRST_NUMBER = 2_000_000;

    /** More kills than a server should need; after them the step is harmless. */
    private static final int KILLS_MAX = 8;

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final PublishedFlow flow;
    private final Sink sink;
    private final Defects defects;
    private final Set<Integer> numbers = new TreeSet<>();
    private int kills;

    /** @param flow published flow of {@link #script} */
    PoisonRun(PublishedFlow flow, Sink sink, Defects defects) {
        this.flow = flow;
        this.sink = sink;
        this.defects = defects;
    }

    static FlowScript script(Sink sink) {
        return FlowScript.webhook().http("step_1", "POST", sink.url(Sink.POISON, EventKind.NUMBER));
    }

    @Override
    public String title() {
        return "poison run";
    }

    @Override
    public void strike(ServerNode node, RandomGenerator random) throws InterruptedException {
        var number = FIRST_NUMBER + numbers.size();
        numbers.add(number);
        var killsBefore = kills;
        sink.whenPoisoned(() -> isDeadly(node, killsBefore));
        try {
            var isAccepted = false;
            while (!isAccepted || isUnderWay(node)) {
                Thread.sleep(PAUSE);
                node.revive().ifPresent(defects::add);
                isAccepted = isAccepted || deliver(node, number);
            }
        } finally {
            sink.whenPoisoned(() -> false);
        }
    }

    /** Kills the calling server; false after the maximum number of kills. */
    private boolean isDeadly(ServerNode node, int killsBefore) {
        if (kills - killsBefore == KILLS_MAX) {
            defects.add("a run was taken up again after it had ended the server " + KILLS_MAX + " times");
            return false;
        }
        kills++;
        node.strikeDown();
        return true;
    }

    /** The response may be lost with the server, so the event has a key. */
    private boolean deliver(ServerNode node, int number) {
        if (node.base().isEmpty()) {
            return false;
        }
        var body = Json.text(Json.object().put("sequence", number));
        var headers = Map.of("Content-Type", "application/json", "Idempotency-Key", "poison-" + number);
        try {
            return node.api()
                            .send("POST", "/v1/webhooks/" + flow.flowId(), headers, body)
                            .status()
                    == 200;
        } catch (UncheckedIOException ended) {
            return false;
        }
    }

    private boolean isUnderWay(ServerNode node) {
        if (node.base().isEmpty()) {
            return true;
        }
        try {
            return !new Ledger(flow.asked(node.api())).hasNoLiveRun();
        } catch (UncheckedIOException | AssertionError notNow) {
            return true;
        }
    }

    PublishedFlow flow() {
        return flow;
    }

    /** Numbers of the events whose runs have to be set aside. */
    Set<Integer> numbers() {
        return numbers;
    }

    /** Number of times a server was killed. */
    int kills() {
        return kills;
    }
}
