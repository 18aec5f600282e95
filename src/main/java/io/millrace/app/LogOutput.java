package io.millrace.app;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import io.millrace.base.log.BatchAppender;
import io.millrace.base.log.LogFormat;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of the process as a whole. A dedicated thread writes the lines, so that event loops do not wait for a slow terminal;
 * the last lines must be flushed when the process ends.
 */
public final class LogOutput {
    private LogOutput() {}

    public static void level(String name) {
        context().getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(name));
    }

    public static void format(String name) {
        if (context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender(BatchAppender.NAME)
                instanceof BatchAppender output) {
            output.format(LogFormat.valueOf(name.toUpperCase(Locale.ROOT)));
        }
    }

    static void add(Appender<ILoggingEvent> appender) {
        appender.setContext(context());
        appender.start();
        context().getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    static void remove(Appender<ILoggingEvent> appender) {
        context().getLogger(Logger.ROOT_LOGGER_NAME).detachAppender(appender);
        appender.stop();
    }

    /** Flushes buffered lines, for one second at most; later lines are lost. */
    public static void close() {
        context().stop();
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }
}
