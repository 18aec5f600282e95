package io.millrace.sandbox.code.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The process to be replaced continues its calls even if the start of its successor fails. */
final class WorkerSuccessorTest {
    @Test
    void hasFailed_whenThereIsNoThreadToStartItOn() {
        // given a host that cannot start a thread
        var successor = new WorkerSuccessor(
                () -> {
                    throw new IOException("nobody starts it");
                },
                _ -> {
                    throw new OutOfMemoryError("unable to create native thread");
                });

        // then it is not ready, and the caller gets the reason
        assertThat(successor.ifReady()).isEmpty();
        assertThatThrownBy(successor::get)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unable to create native thread");
        successor.close();
    }
}
