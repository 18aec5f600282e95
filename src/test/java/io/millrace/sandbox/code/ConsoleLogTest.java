package io.millrace.sandbox.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ConsoleLogTest {

    @Test
    void partsOutputAndErrors() {
        ConsoleLog.Builder builder = new ConsoleLog.Builder(100);
        builder.add(ConsoleLog.Level.LOG, "one");
        builder.add(ConsoleLog.Level.WARN, "two");
        builder.add(ConsoleLog.Level.INFO, "three");

        ConsoleLog log = builder.build();

        assertThat(log.standardOutput()).isEqualTo("one\nthree");
        assertThat(log.standardError()).isEqualTo("two");
        assertThat(log.truncated()).isFalse();
    }

    @Test
    void cutsAtAWholeCharacter_whenTheBudgetEnds() {
        ConsoleLog.Builder builder = new ConsoleLog.Builder(6);
        builder.add(ConsoleLog.Level.LOG, "aa€€");
        builder.add(ConsoleLog.Level.LOG, "b");

        ConsoleLog log = builder.build();

        assertThat(log.standardOutput()).isEqualTo("aa€");
        assertThat(log.truncated()).isTrue();
    }
}
