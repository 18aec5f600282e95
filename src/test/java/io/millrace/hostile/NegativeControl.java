package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Case that falls on purpose: scripts/hostile --negative-control has to end with exit status 1. */
@HostileKind("negative control")
final class NegativeControl {
    @Test
    void falls() {
        assertThat("fallen").as("a case that falls on purpose").isEqualTo("held");
    }
}
