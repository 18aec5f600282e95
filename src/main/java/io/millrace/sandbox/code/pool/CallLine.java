package io.millrace.sandbox.code.pool;

import io.millrace.sandbox.backoff.Backoff;
import io.millrace.sandbox.code.CodeResult;
import io.millrace.sandbox.code.CodeSettings;
import io.millrace.sandbox.code.process.PendingCall;
import io.millrace.sandbox.share.ProcessShares;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls that no worker has taken yet: queued ones, and ones held back because their program has repeatedly hit its limits (decision
 * 0057). Guarded by its pool's lock, except {@link #ends}.
 */
final class CallLine {
    private static final Logger LOG = LoggerFactory.getLogger(CallLine.class);
    private static final Duration LONG_CALL_REMEMBERED = Duration.ofSeconds(30);

    private final CodeSettings settings;
    private final BiConsumer<PendingCall, Duration> later;
    private final FairQueue<PendingCall> queue;
    private final Set<PendingCall> held = new LinkedHashSet<>();
    private final Backoff<PendingCall.Program> backoff;
    private final LongCallers longCallers = new LongCallers(LONG_CALL_REMEMBERED.toNanos());

    /**
     * @param later schedules {@link #release} of a held call after a delay
     * @param mayTake true if a key with this number of workers may have another one
     */
    CallLine(CodeSettings settings, BiConsumer<PendingCall, Duration> later, IntPredicate mayTake) {
        this.settings = settings;
        this.later = later;
        queue = new FairQueue<>(
                settings.waitingMax(),
                settings.waitingPerKeyMax(),
                settings.workers().perKeyMax(),
                mayTake);
        backoff = new Backoff<>(settings.backoff());
    }

    /** Takes a new call; false if too many wait. */
    boolean offer(PendingCall call) {
        return enter(call, backoff.ofNew(call.program(), System.nanoTime()));
    }

    /** Queues a held call after its wait. The call fails if the queue is full. */
    void release(PendingCall call) {
        if (!held.remove(call)) {
            return;
        }
        call.released();
        if (!enter(call, backoff.ofWaiting(call.program(), System.nanoTime()))) {
            call.fail(WorkerPool.tooMany());
        }
    }

    private boolean enter(PendingCall call, Duration wait) {
        return wait.isPositive() ? hold(call, wait) : queue.offer(call.key(), call);
    }

    private boolean hold(PendingCall call, Duration wait) {
        var ofKey =
                held.stream().filter(other -> other.key().equals(call.key())).count();
        if (ofKey >= settings.waitingPerKeyMax()
                || !ProcessShares.mayWait((int) ofKey, held.size(), settings.waitingMax())) {
            return false;
        }
        held.add(call);
        later.accept(call, wait);
        return true;
    }

    /**
     * Takes calls of the next key in turn. Calls whose program must wait by now are held instead.
     *
     * @param max limit of calls
     */
    List<PendingCall> next(int max) {
        var nowNanos = System.nanoTime();
        List<PendingCall> taken = taken(max, nowNanos);
        while (!taken.isEmpty()) {
            List<PendingCall> next = new ArrayList<>(taken);
            next.removeIf(call -> isHeldAgain(call, nowNanos));
            if (!next.isEmpty()) {
                return next;
            }
            queue.done(taken.getFirst().key());
            taken = taken(max, nowNanos);
        }
        return taken;
    }

    private List<PendingCall> taken(int max, long nowNanos) {
        return queue.next(max, call -> call.isAgain() || longCallers.contains(call.key(), nowNanos));
    }

    private boolean isHeldAgain(PendingCall call, long nowNanos) {
        var wait = backoff.ofWaiting(call.program(), nowNanos);
        if (wait.isPositive() && !hold(call, wait)) {
            call.fail(WorkerPool.tooMany());
        }
        return wait.isPositive();
    }

    /** Records the end of the calls that were taken together last. */
    void done(String key) {
        queue.done(key);
    }

    void giveBack(List<PendingCall> calls) {
        queue.giveBack(calls.getFirst().key(), calls);
    }

    boolean remove(PendingCall call) {
        return queue.remove(call.key(), call) || held.remove(call);
    }

    List<PendingCall> drain() {
        List<PendingCall> drained = new ArrayList<>(queue.drain());
        drained.addAll(held);
        held.clear();
        return drained;
    }

    boolean hasNext() {
        return queue.hasNext();
    }

    boolean hasNext(Predicate<PendingCall> wanted) {
        return queue.hasNext(wanted);
    }

    int waiting() {
        return queue.size();
    }

    int held() {
        return held.size();
    }

    void noteLong(String key) {
        longCallers.add(key, System.nanoTime());
    }

    boolean isLongCaller(String key) {
        return longCallers.contains(key, System.nanoTime());
    }

    /** Records the result of a call before its caller receives it. */
    void ends(PendingCall call, CodeResult result) {
        if (result.isAtLimit()) {
            var pause = backoff.overran(call.program(), System.nanoTime());
            if (pause.isPositive()) {
                LOG.info(
                        "code of project {} waits {} ms before its next call: it reached a limit",
                        call.key(),
                        pause.toMillis());
            }
        }
    }
}
