package io.millrace.engine.run.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CompiledFlowsTest {
    @Test
    void takeAShareOfTheHeap_andHaveRoomInASmallOne() {
        assertThat(CompiledFlows.bytesMax(64L << 20)).isEqualTo(16L << 20);
        assertThat(CompiledFlows.bytesMax(256L << 20)).isEqualTo(16L << 20);
        assertThat(CompiledFlows.bytesMax(8L << 30)).isEqualTo(512L << 20);
    }
}
