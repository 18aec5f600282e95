package io.millrace.base.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import java.util.Map;

/**
 * Default configuration of the log, without a file of the operator: one line per event on standard output. In code, because a
 * file of three loggers would cost a start 40 ms and 300 classes (decision 0063). Found by its entry in
 * {@code META-INF/services}.
 */
public final class StandardLog extends ContextAwareBase implements Configurator {
    /** Files that the library itself looks for; where one of them exists, it is used. */
    private static final List<String> FILES = List.of("logback-test.xml", "logback.xml");

    private static final String NAMED_FILE = "logback.configurationFile";

    /** Levels of libraries. Vert.x registers a gauge again for each event loop; all of them count into the first one. */
    private static final Map<String, Level> LEVELS = Map.of(
            "io.netty", Level.WARN,
            "io.vertx", Level.WARN,
            // It warns of each message that waits for a subscription when the subscription ends.
            "io.vertx.core.eventbus.impl.MessageConsumerImpl", Level.ERROR,
            "io.micrometer.core.instrument.MeterRegistry", Level.ERROR,
            // It warns at each start: the event loops exist before the server that counts, and have counted nothing by
            // then.
            "io.micrometer.core.instrument.composite.CompositeMeterRegistry", Level.ERROR,
            "org.flywaydb", Level.WARN,
            "org.apache.sshd", Level.ERROR);

    @Override
    public ExecutionStatus configure(LoggerContext loggers) {
        if (hasFile()) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        configureOutput(loggers);
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    static void configureOutput(LoggerContext loggers) {
        LEVELS.forEach((name, level) -> loggers.getLogger(name).setLevel(level));
        var root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
        // AP_LOG_LEVEL takes over as soon as the settings are read.
        root.setLevel(Level.INFO);
        root.addAppender(output(loggers));
    }

    private static boolean hasFile() {
        var loader = StandardLog.class.getClassLoader();
        return System.getProperty(NAMED_FILE) != null
                || FILES.stream().anyMatch(file -> loader.getResource(file) != null);
    }

    private static BatchAppender output(LoggerContext loggers) {
        var appender = new BatchAppender();
        appender.setName(BatchAppender.NAME);
        appender.setContext(loggers);
        appender.start();
        return appender;
    }
}
