package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.Fence;
import io.millrace.support.Waiting;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Time limits of git operations do not include the wait for a thread behind other projects. */
class GitWorkTest {
    private static final int THREADS = 4;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Vertx vertx = Vertx.vertx();
    private final Context loop = vertx.getOrCreateContext();

    @AfterEach
    void close() {
        Waiting.await(vertx.close());
    }

    @Test
    void doesNotCountTheWaitForAThread_asTimeOfTheRemote() {
        // given unresponsive remotes that occupy all threads
        var work = new GitWork(vertx, TIMEOUT, MINUTE, () -> Fence.OPEN);
        var release = new CountDownLatch(1);
        var fifth = Promise.<String>promise();
        loop.runOnContext(_ -> {
            for (var project = 1; project <= THREADS; project++) {
                var _ = work.run("project" + project, _ -> held(release));
            }

            // when another operation is requested, and waits for longer than its time limit
            work.run("another", attempt -> "over: " + attempt.isOver()).onComplete(fifth);
            vertx.setTimer(TIMEOUT.toMillis() + 1, _ -> release.countDown());
        });

        // then it has its whole time
        assertThat(Waiting.await(fifth.future())).isEqualTo("over: false");
    }

    private static String held(CountDownLatch release) throws InterruptedException {
        release.await();
        return "";
    }

    @Test
    void refusesWhatHasWaitedForTooLong_andDoesNotBeginIt() {
        // given
        var work = new GitWork(vertx, MINUTE, Duration.ZERO, () -> Fence.OPEN);
        var begun = new AtomicBoolean();
        var done = Promise.<Boolean>promise();

        // when
        loop.runOnContext(
                _ -> work.run("project", _ -> begun.compareAndSet(false, true)).onComplete(done));

        // then
        var outcome = Waiting.await(done.future().transform(it -> Future.succeededFuture(it.cause())));
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.TOO_MANY_REQUESTS));
        assertThat(begun).isFalse();
    }
}
