package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class LogOutputTest {
    @AfterEach
    void reset() {
        LogOutput.level("info");
    }

    @Test
    void logsWhatTheSettingAsksFor() {
        LogOutput.level("debug");
        assertThat(LoggerFactory.getLogger("io.millrace.any").isDebugEnabled()).isTrue();

        LogOutput.level("warn");
        assertThat(LoggerFactory.getLogger("io.millrace.any").isInfoEnabled()).isFalse();
    }
}
