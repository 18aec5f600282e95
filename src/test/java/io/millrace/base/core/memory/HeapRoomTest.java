package io.millrace.base.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeapRoomTest {
    /** The build runs the tests with the garbage collector of the server. */
    @Test
    void isTheHeapWithoutItsYoungGeneration() {
        assertThat(HeapRoom.bytesMax())
                .isLessThan(Runtime.getRuntime().maxMemory())
                .isGreaterThan(Runtime.getRuntime().maxMemory() / 2);
    }
}
