package io.millrace.engine.run.admission;

import java.util.ArrayList;
import java.util.List;

/**
 * The slots that one run needs, taken one after the other: from the narrowest share, its flow, to the widest, its
 * project. Nobody waits for ever, because all take them in that order; and a slot that is held while the run waits for
 * a wider one keeps hardly anybody from anything, because whoever shares the narrow one waits for the wide one too. A
 * start counts for the pace of a share from the moment at which the run has everything.
 *
 * <p>Slots come on any thread.
 */
final class RunPermits implements RunPermit {
    private final ConcurrencyLimiter slots;
    private final List<ConcurrencyLimiter.PermitRequest> requests;
    private final Runnable whenFree;
    private final List<ConcurrencyLimiter.Permit> taken = new ArrayList<>();
    private boolean heldAtOnce;
    private boolean returned;

    private RunPermits(ConcurrencyLimiter slots, List<ConcurrencyLimiter.PermitRequest> requests, Runnable whenFree) {
        this.slots = slots;
        this.requests = requests;
        this.whenFree = whenFree;
    }

    /**
     * Takes what the run needs, or places in line.
     *
     * @param requests at least one, from the narrowest to the widest
     * @param whenFree called on any thread as soon as everything is the run's, if it is not at once
     */
    static RunPermit take(
            ConcurrencyLimiter slots, List<ConcurrencyLimiter.PermitRequest> requests, Runnable whenFree) {
        if (requests.size() == 1 && requests.getFirst().share().pace().isEmpty()) {
            return slots.take(requests.getFirst(), whenFree);
        }
        var places = new RunPermits(slots, requests, whenFree);
        places.begin();
        return places;
    }

    private void begin() {
        synchronized (this) {
            heldAtOnce = advance();
        }
        if (heldAtOnce) {
            begun();
        }
    }

    /** Takes slots until one has to be waited for; answers whether all are held. */
    private boolean advance() {
        while (taken.size() < requests.size()) {
            var slot = slots.take(requests.get(taken.size()), this::granted);
            taken.add(slot);
            if (!slot.isHeldAtOnce()) {
                return false;
            }
        }
        return true;
    }

    /** Outside of the lock, because it may call others who are granted a slot. */
    private void begun() {
        taken.forEach(ConcurrencyLimiter.Permit::begin);
    }

    private void granted() {
        boolean complete;
        synchronized (this) {
            complete = !returned && advance();
        }
        if (complete) {
            begun();
            whenFree.run();
        }
    }

    @Override
    public boolean isHeldAtOnce() {
        return heldAtOnce;
    }

    /** The widest first: its lane is the one in which most wait. */
    @Override
    public void giveBack() {
        List<ConcurrencyLimiter.Permit> all;
        synchronized (this) {
            returned = true;
            all = List.copyOf(taken);
        }
        all.reversed().forEach(ConcurrencyLimiter.Permit::giveBack);
    }
}
