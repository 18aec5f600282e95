package io.millrace.engine.run.admission;

import io.millrace.engine.run.RunEnvironment;
import io.millrace.engine.run.RunWrite;
import java.util.ArrayList;
import java.util.List;

/**
 * Admits the runs of a shard: at once with a permit of every share that limits them, later without. TESTING runs need
 * none. The shares are determined by {@link RunShares}.
 */
public final class RunAdmission {
    private final ConcurrencyLimiter slots;
    private final RunShares shares;

    public RunAdmission(ConcurrencyLimiter slots, RunShares shares) {
        this.slots = slots;
        this.shares = shares;
    }

    /** Subscribes to changed limits on the current context. */
    public void open() {
        shares.open();
    }

    public interface Applicant {
        /** The run needs no permit. */
        void granted();

        /** The run holds a permit, or is queued for one. */
        void taken(RunPermit permit);

        /** The queued run holds its permit now. Called on any thread. */
        void grantedLater();

        /** The permit could not be determined. */
        void refused(Throwable cause);
    }

    /** Returns whether the limits of the run are known, so that {@link #admit} decides before it returns. */
    public boolean isDecidedAtOnce(RunWrite.RunHeader run) {
        return run.environment() == RunEnvironment.TESTING || shares.areKnown(run);
    }

    /**
     * Grants the run its permit now, or queues it.
     *
     * @param awaited whether a caller waits for the run, such as an HTTP caller for its answer
     */
    public void admit(RunWrite.RunHeader run, long fence, boolean awaited, Applicant applicant) {
        if (run.environment() == RunEnvironment.TESTING) {
            applicant.granted();
            return;
        }
        var first = fence == 0 || run.startTime() == null;
        shares.whenKnown(run, applicant::refused, found -> {
            if (found.isEmpty()) {
                applicant.granted();
                return;
            }
            var requests = new ArrayList<ConcurrencyLimiter.PermitRequest>(found.size());
            found.forEach(share ->
                    requests.add(new ConcurrencyLimiter.PermitRequest(share, run.projectId(), awaited, first)));
            applicant.taken(take(slots, requests, applicant::grantedLater));
        });
    }

    /**
     * Takes all permits of a run, or queues it.
     *
     * @param requests at least one, from the narrowest to the widest
     * @param whenFree called on any thread as soon as the run has all permits, if they are not granted at once
     */
    static RunPermit take(
            ConcurrencyLimiter slots, List<ConcurrencyLimiter.PermitRequest> requests, Runnable whenFree) {
        if (requests.size() == 1 && requests.getFirst().share().pace().isEmpty()) {
            return slots.take(requests.getFirst(), whenFree);
        }
        var permits = new HeldPermits(slots, requests, whenFree);
        permits.begin();
        return permits;
    }

    /**
     * Permits of one run, taken one after the other: from the narrowest share, its flow, to the widest, its project.
     * All runs take them in that order, which prevents deadlocks; a permit that is held while the run waits for a wider
     * one delays few others, because runs of the narrow share wait for the wide one too. A start counts for the pace of
     * a share from the moment at which the run has all permits.
     *
     * <p>Permits arrive on any thread.
     */
    private static final class HeldPermits implements RunPermit {
        private final ConcurrencyLimiter slots;
        private final List<ConcurrencyLimiter.PermitRequest> requests;
        private final Runnable whenFree;
        private final List<ConcurrencyLimiter.Permit> taken = new ArrayList<>();
        private boolean heldAtOnce;
        private boolean returned;

        private HeldPermits(
                ConcurrencyLimiter slots, List<ConcurrencyLimiter.PermitRequest> requests, Runnable whenFree) {
            this.slots = slots;
            this.requests = requests;
            this.whenFree = whenFree;
        }

        private void begin() {
            synchronized (this) {
                heldAtOnce = advance();
            }
            if (heldAtOnce) {
                begun();
            }
        }

        /** Takes permits until one is not free; returns whether all are held. */
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

        /** Outside of the lock, because it may call other granted runs. */
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

        /** Releases the widest first, because its queue is the longest. */
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
}
