package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class BackgroundThreadTest {
    /** Index of the nice value in the state of a thread, after its name (proc(5)). */
    private static final int NICE_AT = 16;

    @Test
    void lowersThePriorityOfTheCallingThreadAlone() throws Exception {
        var lowered = new CompletableFuture<Integer>();
        var before = nice();

        Thread.ofPlatform().start(() -> {
            try {
                assertThat(BackgroundThread.lowerOwn()).isTrue();
                lowered.complete(nice());
            } catch (Exception | AssertionError failed) {
                lowered.completeExceptionally(failed);
            }
        });

        assertThat(lowered.join()).isEqualTo(Math.max(5, before));
        assertThat(nice()).isEqualTo(before);
    }

    private static int nice() throws Exception {
        var state = Files.readString(Path.of("/proc/thread-self/stat"));
        return Integer.parseInt(state.substring(state.lastIndexOf(')') + 2).split(" ", -1)[NICE_AT]);
    }
}
