package io.millrace.engine.run.admission;

import io.millrace.base.bus.Bus;
import io.millrace.engine.run.Environment;
import io.millrace.engine.run.RunWrite;
import io.millrace.workspace.project.Concurrency;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets the runs of a shard begin: at once when there is a slot in every share that limits them, later when not. TESTING
 * runs need none. What it knows of limits is kept in memory, so that a run whose project and flow are known never waits
 * for the database here.
 */
public final class RunAdmission {
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final ConcurrencyLimiter slots;
    private final boolean limited;
    private final int usualLimit;
    private final FlowShares flows;
    private final KnownLimits<ConcurrencyShare> projects = new KnownLimits<>(this::look);

    /**
     * @param limited whether projects have a limit at all (AP_PROJECT_RATE_LIMITER_ENABLED)
     * @param usualLimit limit of a project without its own (AP_DEFAULT_CONCURRENT_JOBS_LIMIT)
     */
    public RunAdmission(Bus bus, ConcurrencyLimiter slots, FlowShares flows, boolean limited, int usualLimit) {
        this.bus = bus;
        this.slots = slots;
        this.flows = flows;
        this.limited = limited;
        this.usualLimit = usualLimit;
    }

    /** Hears of changed limits on the current context. */
    public void open() {
        flows.open();
        bus.on(Projects.Changed.class, changed -> projects.lookAgain(changed.projectId(), slots::limitChanged));
        bus.on(Projects.Deleted.class, deleted -> projects.forget(deleted.projectId()));
    }

    /** A run that asks for its permit. */
    public interface Applicant {
        /** The run needs none. */
        void granted();

        /** The run holds a permit, or a place in line for one. */
        void taken(RunPermit permit);

        /** The run had a place in line, and holds its permit now. Called on any thread. */
        void grantedLater();

        /** Nobody can tell whether there is one. */
        void refused(Throwable cause);
    }

    /**
     * Grants the run its permit now, or gives it a place in line.
     *
     * @param awaited whether an HTTP caller waits for the run's answer
     */
    public void admit(RunWrite.RunHeader run, long fence, boolean awaited, Applicant applicant) {
        if (run.environment() == Environment.TESTING) {
            applicant.granted();
            return;
        }
        var first = fence == 0 || run.startTime() == null;
        flows.whenKnown(run, applicant::refused, narrow -> {
            if (limited) {
                projects.whenKnown(run.projectId(), applicant::refused, wide -> {
                    var shares = new ArrayList<ConcurrencyShare>(narrow.size() + 1);
                    shares.addAll(narrow);
                    shares.add(wide);
                    take(run, awaited, first, shares, applicant);
                });
            } else if (narrow.isEmpty()) {
                applicant.granted();
            } else {
                take(run, awaited, first, narrow, applicant);
            }
        });
    }

    private void take(
            RunWrite.RunHeader run,
            boolean awaited,
            boolean first,
            List<ConcurrencyShare> shares,
            Applicant applicant) {
        var requests = new ArrayList<ConcurrencyLimiter.PermitRequest>(shares.size());
        shares.forEach(
                share -> requests.add(new ConcurrencyLimiter.PermitRequest(share, run.projectId(), awaited, first)));
        applicant.taken(RunPermits.take(slots, requests, applicant::grantedLater));
    }

    private Future<ConcurrencyShare> look(String projectId) {
        return bus.ask(new Projects.ConcurrencyOf(projectId), LOOK_UP_DEADLINE_MS)
                .map(found -> share(projectId, found));
    }

    private ConcurrencyShare share(String projectId, Concurrency found) {
        return new ConcurrencyShare(
                found.poolId().orElse(projectId), found.limit().orElse(usualLimit));
    }
}
