package io.millrace.support;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Log lines of one logger during a test; sets its level to info until closed. */
public final class RecordedLog implements AutoCloseable {
    private final Logger logger;
    private final Level levelBefore;
    private final Lines lines = new Lines();

    private RecordedLog(Logger logger) {
        this.logger = logger;
        this.levelBefore = logger.getLevel();
    }

    public static RecordedLog of(String name) {
        var log = new RecordedLog((Logger) LoggerFactory.getLogger(name));
        log.lines.start();
        log.logger.setLevel(Level.INFO);
        log.logger.addAppender(log.lines);
        return log;
    }

    /** Lines so far, each with its level first and its fields last. */
    public List<String> lines() {
        return List.copyOf(lines.texts);
    }

    @Override
    public void close() {
        logger.detachAppender(lines);
        logger.setLevel(levelBefore);
        lines.stop();
    }

    /** Keeps lines in memory. */
    private static final class Lines extends AppenderBase<ILoggingEvent> {
        private final List<String> texts = new CopyOnWriteArrayList<>();

        @Override
        protected void append(ILoggingEvent event) {
            var text = new StringBuilder(event.getLevel() + " " + event.getFormattedMessage());
            if (event.getKeyValuePairs() != null) {
                event.getKeyValuePairs()
                        .forEach(pair ->
                                text.append(' ').append(pair.key).append('=').append(pair.value));
            }
            texts.add(text.toString());
        }
    }
}
