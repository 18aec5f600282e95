package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LogDictionariesTest {
    @Test
    void areAsManyAsTheHeapHasRoomFor_withinBounds() {
        assertThat(LogDictionaries.versionsMax(256L << 20)).isEqualTo(1_000);
        assertThat(LogDictionaries.versionsMax(4L << 30)).isEqualTo(10_485);
        assertThat(LogDictionaries.versionsMax(64L << 30)).isEqualTo(40_000);
    }
}
