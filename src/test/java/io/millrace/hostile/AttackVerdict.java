package io.millrace.hostile;

import java.util.ArrayList;
import java.util.List;

/**
 * State of the server after the load.
 *
 * @param isAlive true if the process that was started still runs
 * @param isAnswering true if a complete round of the calm client succeeded afterwards
 * @param heapBeforeMb live objects before the load
 * @param heapAfterMb smallest measurement of live objects after the load; negative if the process did not answer
 */
record AttackVerdict(
        boolean isAlive,
        boolean isAnswering,
        AnswerCounts attacks,
        AnswerCounts calm,
        long heapBeforeMb,
        long heapAfterMb) {
    /** Allowance for caches that were filled meanwhile. */
    static final long HEAP_GROWTH_MB_MAX = 64;

    /** Failed expectations; empty when the server withstood the attack. */
    List<String> objections() {
        var objections = new ArrayList<String>();
        if (!isAlive) {
            objections.add("the server has ended");
        }
        if (!isAnswering) {
            objections.add("the calm client is not answered at the end");
        }
        if (attacks.broken() + calm.broken() > 0) {
            objections.add("%d calls of attackers and %d calm ones were answered as if the server were broken (5xx)"
                    .formatted(attacks.broken(), calm.broken()));
        }
        if (calm.none() > 0) {
            objections.add("the calm client got no answer " + calm.none() + " times");
        }
        if (isAlive && hasGrown()) {
            objections.add("the heap holds %d MB, it held %d MB before".formatted(heapAfterMb, heapBeforeMb));
        }
        return objections;
    }

    /** True if live memory has grown by more than caches explain. */
    boolean hasGrown() {
        return heapAfterMb > heapBeforeMb + HEAP_GROWTH_MB_MAX;
    }
}
