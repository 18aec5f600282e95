package io.millrace.run;

import io.millrace.bus.Bus;
import io.millrace.project.Concurrency;
import io.millrace.project.Projects;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Lets the runs of a shard begin: at once when there is a slot, later when not. TESTING runs need none. What it knows
 * of a project's limit is kept in memory, so that a run whose project is known never waits for the database here.
 */
final class RunAdmission {
    private static final int SHARES_KEPT_MAX = 10_000;
    private static final long LOOK_UP_DEADLINE_MS = 10_000;

    private final Bus bus;
    private final RunSlots slots;
    private final boolean limited;
    private final int usualLimit;
    private final Map<String, Future<ConcurrencyShare>> shares = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Future<ConcurrencyShare>> eldest) {
            return size() > SHARES_KEPT_MAX;
        }
    };

    /**
     * @param limited whether there is a limit at all (AP_PROJECT_RATE_LIMITER_ENABLED)
     * @param usualLimit limit of a project without its own (AP_DEFAULT_CONCURRENT_JOBS_LIMIT)
     */
    RunAdmission(Bus bus, RunSlots slots, boolean limited, int usualLimit) {
        this.bus = bus;
        this.slots = slots;
        this.limited = limited;
        this.usualLimit = usualLimit;
    }

    /** Hears of changed limits on the current context. */
    void open() {
        bus.on(Projects.Changed.class, changed -> changed(changed.projectId()));
        bus.on(Projects.Deleted.class, deleted -> shares.remove(deleted.projectId()));
    }

    /** Begins the run now, or has it wait in line. */
    void admit(RunActor run) {
        if (!limited || run.birth().environment() == Environment.TESTING) {
            run.turn().beginNow();
            return;
        }
        whenKnown(run.birth().projectId(), share -> {
            var wish = new RunSlots.Wish(share, run.birth().projectId(), run.isAwaited());
            run.turn().take(slots.take(wish, run.turn()::beginLater));
        });
    }

    private void whenKnown(String projectId, Consumer<ConcurrencyShare> action) {
        var share = shares.get(projectId);
        if (share == null || share.failed()) {
            share = look(projectId);
            shares.put(projectId, share);
        }
        if (share.succeeded()) {
            action.accept(share.result());
        } else {
            share.otherwise(new ConcurrencyShare(projectId, usualLimit)).onSuccess(action::accept);
        }
    }

    private Future<ConcurrencyShare> look(String projectId) {
        return bus.ask(new Projects.ConcurrencyOf(projectId), LOOK_UP_DEADLINE_MS)
                .map(found -> share(projectId, found));
    }

    private ConcurrencyShare share(String projectId, Concurrency found) {
        return new ConcurrencyShare(
                found.poolId().orElse(projectId), found.limit().orElse(usualLimit));
    }

    /** A new limit takes effect at once, for those who wait already too. */
    private void changed(String projectId) {
        if (shares.containsKey(projectId)) {
            var share = look(projectId);
            shares.put(projectId, share);
            share.onSuccess(slots::limitChanged);
        }
    }
}
