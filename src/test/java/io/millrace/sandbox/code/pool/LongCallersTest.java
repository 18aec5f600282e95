package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LongCallersTest {
    private static final long REMEMBERED = 30;

    private final LongCallers callers = new LongCallers(REMEMBERED);

    @Test
    void remembersACaller_andNoOther() {
        // When
        callers.add("long", 100);

        // Then
        assertThat(callers.contains("long", 100 + REMEMBERED)).isTrue();
        assertThat(callers.contains("short", 100)).isFalse();
    }

    @Test
    void forgetsACaller_whenItsTimeIsOver() {
        // Given
        callers.add("long", 100);

        // Then
        assertThat(callers.contains("long", 101 + REMEMBERED)).isFalse();
        assertThat(callers.contains("long", 100)).isFalse();
    }

    @Test
    void countsFromTheLastLongCall() {
        // Given
        callers.add("long", 100);
        callers.add("long", 120);

        // Then
        assertThat(callers.contains("long", 120 + REMEMBERED)).isTrue();
    }

    /** The clock of the virtual machine may overflow. */
    @Test
    void measuresAcrossTheEndOfTheClock() {
        // Given
        callers.add("long", Long.MAX_VALUE - 1);

        // Then
        assertThat(callers.contains("long", Long.MIN_VALUE + 1)).isTrue();
        assertThat(callers.contains("long", Long.MIN_VALUE + REMEMBERED)).isFalse();
    }
}
