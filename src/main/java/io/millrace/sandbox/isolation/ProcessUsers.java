package io.millrace.sandbox.isolation;

import java.util.BitSet;
import java.util.OptionalInt;

/**
 * Numbers of the users that processes run as, a different one for each process that runs: the kernel then refuses signals,
 * priorities and looks into /proc between them (decision 0100).
 */
final class ProcessUsers {
    private final int first;
    private final int count;
    private final BitSet taken = new BitSet();

    /** @param count number of users; 0 for none */
    ProcessUsers(int first, int count) {
        this.first = first;
        this.count = count;
    }

    OptionalInt last() {
        return count == 0 ? OptionalInt.empty() : OptionalInt.of(first + count - 1);
    }

    synchronized OptionalInt take() {
        var free = taken.nextClearBit(0);
        if (free >= count) {
            return OptionalInt.empty();
        }
        taken.set(free);
        return OptionalInt.of(first + free);
    }

    synchronized void giveBack(int number) {
        taken.clear(number - first);
    }
}
