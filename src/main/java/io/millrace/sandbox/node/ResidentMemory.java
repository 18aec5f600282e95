package io.millrace.sandbox.node;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory that a process holds: what a heap limit counts, and buffers, which it does not (contract pieces 10.2). */
final class ResidentMemory {
    private static final int PAGE_BYTES = 4096;

    private ResidentMemory() {}

    /** What the process holds now; nothing when it has ended. Reads the kernel's table; blocks. */
    static long bytes(long pid) {
        try {
            var pages = Files.readString(Path.of("/proc", Long.toString(pid), "statm"))
                    .split(" ", -1);
            return Long.parseLong(pages[1]) * PAGE_BYTES;
        } catch (IOException ended) {
            return 0;
        }
    }
}
