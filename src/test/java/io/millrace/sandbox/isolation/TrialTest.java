package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A temporary shortage during the probe must not count as a missing kernel feature: code would run without isolation. */
final class TrialTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cannot run program \"launch\": posix_spawn failed, error: 11 (Resource temporarily unavailable)",
                "Cannot run program \"launch\": error=12, Cannot allocate memory",
                "Cannot run program \"launch\": error=24, Too many open files"
            })
    void isOfShortage(String said) {
        assertThat(Trial.isOfShortage(new IOException(said))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cannot run program \"launch\": error=13, Permission denied",
                "Cannot run program \"launch\": error=1, Operation not permitted",
                "it did not end before its deadline"
            })
    void isNotOfShortage_whenTheKernelRefuses(String said) {
        assertThat(Trial.isOfShortage(new IOException(said))).isFalse();
    }
}
