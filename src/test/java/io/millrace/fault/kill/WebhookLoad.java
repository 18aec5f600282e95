package io.millrace.fault.kill;

import io.millrace.base.core.Json;
import io.millrace.support.PublishedFlow;
import io.millrace.support.Waiting;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Callers of an asynchronous webhook, each sending its next call after the response to the last one. Every call carries
 * a unique number; the server must not lose numbers that were answered with a 2xx. A caller stops at the first call
 * without a response, and waits longer after each consecutive refusal, so that an interruption of any length takes few
 * calls.
 */
final class WebhookLoad {
    private static final int CALLERS = 16;

    /** Enough calls to be interrupted; reading all runs back must stay quick. */
    private static final int CALLS_MAX = 2000;

    private static final long FIRST_PAUSE_MS = 50;
    private static final int DOUBLINGS_MAX = 6;

    private final PublishedFlow flow;
    private final AtomicInteger next = new AtomicInteger();
    private final Set<Integer> accepted = new ConcurrentSkipListSet<>();
    private final CountDownLatch working = new CountDownLatch(CALLERS);

    private WebhookLoad(PublishedFlow flow) {
        this.flow = flow;
    }

    static WebhookLoad start(PublishedFlow flow) {
        var load = new WebhookLoad(flow);
        for (var caller = 0; caller < CALLERS; caller++) {
            load.callAgain(0);
        }
        return load;
    }

    /** Waits until this number of calls has been accepted. */
    void awaitAccepted(int count) {
        Waiting.until(count + " webhooks are accepted", () -> accepted.size() >= count || working.getCount() == 0);
        if (accepted.size() < count) {
            throw new AssertionError("expected " + count + " webhooks to be accepted, found " + accepted.size());
        }
    }

    /** Waits until every caller has stopped or all calls are made; returns the accepted numbers. */
    Set<Integer> acceptedInTheEnd() {
        Waiting.until("all callers have given up", () -> working.getCount() == 0);
        return new TreeSet<>(accepted);
    }

    /** @param refusals consecutive refusals of this caller */
    private void callAgain(int refusals) {
        var number = next.getAndIncrement();
        if (number >= CALLS_MAX) {
            working.countDown();
            return;
        }
        var body = Json.object().put("sequence", number);
        var _ = flow.api().postAsync("/v1/webhooks/" + flow.flowId(), body).whenComplete((answer, failure) -> {
            if (failure != null) {
                working.countDown();
            } else if (answer.status() / 100 == 2) {
                accepted.add(number);
                callAgain(0);
            } else {
                var pauseMs = FIRST_PAUSE_MS << Math.min(refusals, DOUBLINGS_MAX);
                CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS)
                        .execute(() -> callAgain(refusals + 1));
            }
        });
    }
}
