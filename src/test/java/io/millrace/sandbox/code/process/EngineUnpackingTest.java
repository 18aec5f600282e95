package io.millrace.sandbox.code.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.RecordedLog;
import io.millrace.support.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class EngineUnpackingTest {
    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final Path DIRECTORY = Path.of("code");

    @Test
    void unpacksOnce_onAThreadOfItsOwn() {
        var calls = new AtomicInteger();
        var thread = new AtomicReference<Thread>();
        var engine = new EngineUnpacking(DIRECTORY, _ -> {
            calls.incrementAndGet();
            thread.set(Thread.currentThread());
            return Optional.empty();
        });

        engine.begin();
        engine.begin();

        Waiting.until("the thread has ended", DEADLINE, () -> engine.close().isComplete());
        assertThat(calls).hasValue(1);
        assertThat(thread.get()).isNotSameAs(Thread.currentThread());
        assertThat(thread.get().isDaemon()).isTrue();
    }

    @Test
    void close_interruptsTheThread_andWaitsForItsEnd() throws InterruptedException {
        var begun = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        var engine = new EngineUnpacking(DIRECTORY, _ -> {
            begun.countDown();
            awaitInterruption();
            await(mayEnd);
            throw new InterruptedIOException("interrupted");
        });
        engine.begin();
        begun.await();

        var closed = engine.close();

        assertThat(closed.isComplete()).isFalse();
        mayEnd.countDown();
        Waiting.until("the thread has ended", DEADLINE, closed::isComplete);
    }

    @Test
    void beginsNothing_afterItIsClosed() {
        var calls = new AtomicInteger();
        var engine = new EngineUnpacking(DIRECTORY, _ -> {
            calls.incrementAndGet();
            return Optional.empty();
        });

        assertThat(engine.close().isComplete()).isTrue();
        engine.begin();

        assertThat(engine.close().isComplete()).isTrue();
        assertThat(calls).hasValue(0);
    }

    @Test
    void logsAFailure_withItsCure() {
        try (var log = RecordedLog.of(EngineUnpacking.class.getName())) {
            var engine = new EngineUnpacking(DIRECTORY, _ -> {
                throw new IOException("No space left on device");
            });

            engine.begin();

            Waiting.until("the thread has ended", DEADLINE, () -> engine.close().isComplete());
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains("cannot be unpacked to code: java.io.IOException: No space left on device")
                    .contains("make the directory writable with 100 MB of free space")
                    .contains("the first call of code tries again");
        }
    }

    private static void awaitInterruption() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            // The test's subject: the thread continues to its end.
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
