package io.millrace.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.Configurator.ExecutionStatus;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class StandardLogTest {
    private final LoggerContext loggers = new LoggerContext();

    @AfterEach
    void stop() {
        loggers.stop();
    }

    @Test
    void isWhatTheLibraryFinds() {
        assertThat(ServiceLoader.load(Configurator.class)).hasExactlyElementsOfTypes(StandardLog.class);
    }

    @Test
    void writesWhatIsWorthIt_throughOneAppender() {
        StandardLog.configureOutput(loggers);

        var root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        assertThat(root.getLevel()).isEqualTo(Level.INFO);
        assertThat(root.getAppender(BatchAppender.NAME)).isInstanceOf(BatchAppender.class);
        assertThat(root.getAppender(BatchAppender.NAME).isStarted()).isTrue();
        assertThat(loggers.getLogger("io.netty.channel").getEffectiveLevel()).isEqualTo(Level.WARN);
        assertThat(loggers.getLogger("io.millrace.Millrace").getEffectiveLevel())
                .isEqualTo(Level.INFO);
    }

    /** In this JVM, the configuration of the tests. */
    @Test
    void leavesAllToAFile_whereThereIsOne() {
        assertThat(new StandardLog().configure(loggers)).isEqualTo(ExecutionStatus.INVOKE_NEXT_IF_ANY);
        assertThat(loggers.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(BatchAppender.NAME))
                .isNull();
    }
}
