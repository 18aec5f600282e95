package io.millrace.engine.trigger;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Flow versions whose trigger was not found when their source was due. A flow is disabled only after its trigger has been
 * missing for {@link #MISSING_FOR} and {@link #LOOKS_MIN} looks of this node: one negative lookup may be caused by an
 * unreachable registry or a reinstallation in progress. The counts are in memory, so a restart resets them.
 */
final class MissingTriggers {
    static final Duration MISSING_FOR = Duration.ofHours(1);
    static final int LOOKS_MIN = 3;

    static final Duration LOOK_EVERY = Duration.ofMinutes(5);

    /** Time without a look after which a count is reset. */
    private static final Duration KEPT_FOR = Duration.ofHours(25);

    private static final int VERSIONS_MAX = 10_000;

    private final InstantSource clock;
    private final Cache<String, LookupFailures> missed;

    private record LookupFailures(Instant first, int looks) {
        LookupFailures next() {
            return new LookupFailures(first, looks + 1);
        }
    }

    MissingTriggers(InstantSource clock) {
        this.clock = clock;
        this.missed = Caches.living("trigger.missing-pieces", VERSIONS_MAX, KEPT_FOR, clock)
                .build();
    }

    /** Counts a look that found no trigger; true when the flow may be disabled. */
    boolean isGone(String flowVersionId) {
        var now = clock.instant();
        var look = missed.asMap()
                .compute(flowVersionId, (_, before) -> before == null ? new LookupFailures(now, 1) : before.next());
        return look.looks() >= LOOKS_MIN && !now.isBefore(look.first().plus(MISSING_FOR));
    }

    /** The trigger was found: an earlier count does not apply to a later absence. */
    void found(String flowVersionId) {
        missed.invalidate(flowVersionId);
    }

    Instant nextLook(Instant nextDue) {
        var earliest = clock.instant().plus(LOOK_EVERY);
        return nextDue == null || nextDue.isBefore(earliest) ? earliest : nextDue;
    }
}
