package io.millrace.authoring.flow.version;

import java.util.HashSet;
import java.util.Set;

/** Allocates the smallest unused {@code step_<n>}, each once (contract flows-and-engine 2.11). */
final class StepNameAllocator {
    private final Set<String> taken;
    private int number = 1;

    StepNameAllocator(Set<String> taken) {
        this.taken = new HashSet<>(taken);
    }

    String next() {
        while (!taken.add("step_" + number)) {
            number++;
        }
        return "step_" + number;
    }
}
