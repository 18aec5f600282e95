package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapRoomTest {
    /** The build gives its tests the collector that the server has. */
    @Test
    void isTheHeapWithoutItsYoungGeneration() {
        assertThat(HeapRoom.bytesMax())
                .isLessThan(Runtime.getRuntime().maxMemory())
                .isGreaterThan(Runtime.getRuntime().maxMemory() / 2);
    }
}
