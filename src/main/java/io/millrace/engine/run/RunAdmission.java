package io.millrace.engine.run;

import io.millrace.base.bus.Bus;
import io.millrace.workspace.project.Concurrency;
import io.millrace.workspace.project.Projects;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Lets the runs of a shard begin: at once when there is a slot in every share that limits them, later when not. TESTING
 * runs need none. What it knows of limits is kept in memory, so that a run whose project and flow are known never waits
 * for the database here.
 */
final class RunAdmission {
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
    RunAdmission(Bus bus, ConcurrencyLimiter slots, FlowShares flows, boolean limited, int usualLimit) {
        this.bus = bus;
        this.slots = slots;
        this.flows = flows;
        this.limited = limited;
        this.usualLimit = usualLimit;
    }

    /** Hears of changed limits on the current context. */
    void open() {
        flows.open();
        bus.on(Projects.Changed.class, changed -> projects.lookAgain(changed.projectId(), slots::limitChanged));
        bus.on(Projects.Deleted.class, deleted -> projects.forget(deleted.projectId()));
    }

    /** Begins the run now, or has it wait in line. */
    void admit(RunActor run) {
        if (run.header().environment() == Environment.TESTING) {
            run.turn().beginNow();
            return;
        }
        Consumer<Throwable> refused = cause -> run.turn().refuse(cause);
        flows.whenKnown(run.header(), refused, narrow -> {
            if (limited) {
                var projectId = run.header().projectId();
                projects.whenKnown(projectId, refused, wide -> take(run, narrow, wide));
            } else if (narrow.isEmpty()) {
                run.turn().beginNow();
            } else {
                take(run, narrow.subList(0, narrow.size() - 1), narrow.getLast());
            }
        });
    }

    private void take(RunActor run, List<ConcurrencyShare> narrow, ConcurrencyShare wide) {
        var requests = new ArrayList<ConcurrencyLimiter.PermitRequest>(narrow.size() + 1);
        narrow.forEach(share -> requests.add(request(run, share)));
        requests.add(request(run, wide));
        run.turn().take(RunPermits.take(slots, requests, run.turn()::beginLater));
    }

    private static ConcurrencyLimiter.PermitRequest request(RunActor run, ConcurrencyShare share) {
        var first = run.fence() == 0 || run.header().startTime() == null;
        return new ConcurrencyLimiter.PermitRequest(share, run.header().projectId(), run.isAwaited(), first);
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
