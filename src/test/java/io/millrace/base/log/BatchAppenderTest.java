package io.millrace.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import io.millrace.support.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BatchAppenderTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("io.millrace.any.Mill");

    private BatchAppender appender(OutputStream out) {
        var appender = new BatchAppender(new PrintStream(out, false, StandardCharsets.UTF_8));
        context.setMDCAdapter(new LogbackMDCAdapter());
        appender.setContext(context);
        appender.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
        return appender;
    }

    @AfterEach
    void stop() {
        context.stop();
    }

    private synchronized String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void writesEveryLineInItsOrder_soonAndAtTheEnd() {
        // given
        var appender = appender(written);

        // when
        logger.info("first {}", 1);

        // then
        Waiting.until(
                "the line is written without another",
                () -> text().endsWith(" INFO  Mill [" + Thread.currentThread().getName() + "] first 1\n"));

        // when
        IntStream.range(0, 5_000).forEach(number -> logger.info("line {}", number));
        appender.stop();

        // then
        assertThat(text().lines().skip(1).map(line -> line.replaceAll(".*line ", "")))
                .containsExactlyElementsOf(
                        IntStream.range(0, 5_000).mapToObj(Integer::toString).toList());
    }

    @Test
    void dropsLinesThatArriveTooFast_andReportsTheirNumber() {
        // given an output that blocks
        var open = new CountDownLatch(1);
        var reached = new CountDownLatch(1);
        var appender = appender(new OutputStream() {
            @Override
            public void write(int single) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                reached.countDown();
                awaited(open);
                written.write(bytes, from, length);
            }
        });
        logger.info("begins");
        awaited(reached);

        // when
        var lines = BatchAppender.WAITING_MAX + 100;
        IntStream.range(0, lines).forEach(number -> logger.info("line {}", number));
        open.countDown();
        appender.stop();

        // then no caller was blocked, and the log reports the dropped lines
        assertThat(text()).contains("100 log lines were dropped");
        assertThat(text().lines().filter(line -> line.contains(" line "))).hasSize(BatchAppender.WAITING_MAX);
    }

    @Test
    void continues_whenAValueCannotBeWritten() {
        var appender = appender(written);

        logger.atInfo()
                .addKeyValue("flow.id", new Object() {
                    @Override
                    public String toString() {
                        throw new IllegalStateException("no text");
                    }
                })
                .log("broken");
        logger.atInfo().addKeyValue("flow.id", "f1").log("whole");
        appender.stop();

        assertThat(text())
                .contains("cannot be written: java.lang.IllegalStateException: no text")
                .contains("whole flow.id=f1");
    }

    private static void awaited(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
