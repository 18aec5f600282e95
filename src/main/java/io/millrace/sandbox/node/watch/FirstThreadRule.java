package io.millrace.sandbox.node.watch;

import java.util.Optional;

/**
 * Detects that the first thread of a process has ended before its other threads: the kernel reports no memory of such a process.
 * A process that is ending may look like it once, not twice in a row.
 */
final class FirstThreadRule {
    private static final int LOOKS_MAX = 1;

    /** Looks in a row at which only other threads than the first one went on. */
    private int looks;

    boolean isBroken(Optional<KernelUse> use) {
        looks = use.filter(KernelUse::hasOnlyOtherThreads).isPresent() ? looks + 1 : 0;
        return looks > LOOKS_MAX;
    }
}
