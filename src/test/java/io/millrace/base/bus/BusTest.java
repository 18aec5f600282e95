package io.millrace.base.bus;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BusTest {
    private static final long LONG_MS = 30_000;

    private final Vertx vertx = Vertx.vertx();
    private final Bus bus = new Bus(vertx);

    private record Doubled(int value) implements BusRequest<Integer> {}

    private record Where() implements BusRequest<Thread> {}

    private record Rang(int times) implements Notice {}

    @AfterEach
    void close() {
        vertx.close().await();
    }

    private String deploy(Runnable start) {
        return vertx.deployVerticle(new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        start.run();
                        return Future.succeededFuture();
                    }
                })
                .await();
    }

    private Throwable failureOf(Future<?> asked) {
        return asked.transform(done -> Future.succeededFuture(done.cause())).await();
    }

    @Test
    void answersOnTheContextOfTheAsker() {
        deploy(() -> bus.serve(Doubled.class, ask -> Future.succeededFuture(2 * ask.value())));
        var context = vertx.getOrCreateContext();
        var answeredOn = Promise.<Context>promise();

        context.runOnContext(_ -> bus.ask(new Doubled(21), LONG_MS)
                .onSuccess(value -> answeredOn.complete(value == 42 ? Vertx.currentContext() : null)));

        assertThat(answeredOn.future().await()).isSameAs(context);
    }

    @Test
    void answersEveryQuestionOfMany() {
        deploy(() -> bus.serve(Doubled.class, ask -> Future.succeededFuture(2 * ask.value())));

        var answers = Future.all(IntStream.range(0, 1_000)
                        .mapToObj(value -> bus.ask(new Doubled(value), 1 + LONG_MS + value % 200))
                        .toList())
                .await();

        assertThat(answers.<Integer>list())
                .containsExactlyElementsOf(
                        IntStream.range(0, 1_000).mapToObj(value -> 2 * value).toList());
    }

    @Test
    void passesFailuresAsTheyAre() {
        var refusal = ApiException.of(ErrorCode.VALIDATION, "no");
        deploy(() -> bus.serve(Doubled.class, _ -> Future.failedFuture(refusal)));

        assertThat(failureOf(bus.ask(new Doubled(1), LONG_MS))).isSameAs(refusal);
    }

    @Test
    void passesWhatAHandlerThrows() {
        var defect = new IllegalStateException("broken");
        deploy(() -> bus.<Integer, Doubled>serve(Doubled.class, _ -> {
            throw defect;
        }));

        assertThat(failureOf(bus.ask(new Doubled(1), LONG_MS))).isSameAs(defect);
    }

    @Test
    void failsUnavailable_withoutAHandler() {
        assertUnanswered(bus.ask(new Doubled(1), LONG_MS), ErrorCode.UNAVAILABLE);
    }

    @Test
    void failsOutcomeUnknown_whenTheDeadlinePasses() {
        var held = new ArrayList<Promise<Integer>>();
        deploy(() -> bus.serve(Doubled.class, _ -> {
            var promise = Promise.<Integer>promise();
            held.add(promise);
            return promise.future();
        }));
        var longer = bus.ask(new Doubled(1), LONG_MS);
        var first = bus.ask(new Doubled(2), 20);
        var second = bus.ask(new Doubled(3), 20);

        assertUnanswered(first, ErrorCode.OUTCOME_UNKNOWN);
        assertUnanswered(second, ErrorCode.OUTCOME_UNKNOWN);
        assertThat(longer.isComplete()).isFalse();
        held.forEach(promise -> promise.complete(7));
        assertThat(longer.await()).isEqualTo(7);
    }

    private void assertUnanswered(Future<?> asked, ErrorCode code) {
        assertThat(failureOf(asked))
                .matches(failure -> Bus.isUnanswered(failure, Doubled.class))
                .extracting("code")
                .isEqualTo(code);
    }

    @Test
    void prefersTheEndpointOnTheThreadOfTheAsker() {
        var askers = new ArrayList<Context>();
        for (var endpoint = 0; endpoint < 2; endpoint++) {
            deploy(() -> {
                askers.add(Vertx.currentContext());
                bus.serve(Where.class, _ -> Future.succeededFuture(Thread.currentThread()));
            });
        }

        for (var asker : askers) {
            var same = Promise.<Boolean>promise();
            asker.runOnContext(_ -> bus.ask(new Where(), LONG_MS)
                    .map(thread -> thread.equals(Thread.currentThread()))
                    .onComplete(same));
            assertThat(same.future().await()).isTrue();
        }
    }

    @Test
    void closesEndpointsWithTheirVerticle() {
        var verticle = deploy(() -> bus.serve(Doubled.class, ask -> Future.succeededFuture(ask.value())));
        assertThat(bus.ask(new Doubled(1), LONG_MS).await()).isEqualTo(1);

        vertx.undeploy(verticle).await();

        assertUnanswered(bus.ask(new Doubled(1), LONG_MS), ErrorCode.UNAVAILABLE);
    }

    @Test
    void notifiesEveryListenerUntilItIsClosed() throws InterruptedException {
        var received = new LinkedBlockingQueue<Integer>();
        var opened = new ArrayList<Bus.OpenEndpoint>();
        deploy(() -> opened.add(bus.on(Rang.class, rang -> received.add(rang.times()))));
        deploy(() -> opened.add(bus.on(Rang.class, rang -> received.add(10 * rang.times()))));

        bus.publish(new Rang(1));
        assertThat(List.of(received.poll(10, TimeUnit.SECONDS), received.poll(10, TimeUnit.SECONDS)))
                .containsExactlyInAnyOrder(1, 10);

        opened.getFirst().close();
        bus.publish(new Rang(2));
        assertThat(received.poll(10, TimeUnit.SECONDS)).isEqualTo(20);
        assertThat(received).isEmpty();
    }
}
