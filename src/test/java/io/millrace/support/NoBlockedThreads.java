package io.millrace.support;

import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class that has blocked an event loop. Registered for all classes; tests enable the checker of Vert.x. */
public final class NoBlockedThreads implements BeforeAllCallback, AfterAllCallback {
    private static final String CHECKER = "io.vertx.core.impl.BlockedThreadChecker";

    /** Appender of logback-test.xml that keeps the warnings. */
    static BlockedThreads warnings() {
        var logger = (Logger) LoggerFactory.getLogger(CHECKER);
        if (logger.getAppender("BLOCKED") instanceof BlockedThreads kept) {
            return kept;
        }
        throw new IllegalStateException("logback-test.xml does not keep the warnings of " + CHECKER);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        warnings().take();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        var blocked = warnings().take();
        if (!blocked.isEmpty()) {
            throw new AssertionError("expected no blocked thread, found " + String.join("\n", blocked));
        }
    }
}
