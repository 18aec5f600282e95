package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Notice;
import io.millrace.engine.run.RunRelease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds runs that this node owns and no shard executes: a lost answer of the database hid the claim from its claimant.
 * They are released, and found by the next sweep.
 *
 * <p>A run must be missing twice in a row: it may be on its way to its shard.
 */
public final class OrphanCheck {
    private final Predicate<String> isHere;
    private final Consumer<RunRelease> release;
    private Set<RunRelease> missing = Set.of();
    private final Set<RunRelease> missingNow = new HashSet<>();

    /**
     * Live runs of this node and of one shard according to the database: all of them arrive in several parts.
     *
     * @param runs releases for these runs
     * @param last whether no further part follows
     */
    public record Owned(List<RunRelease> runs, boolean last) implements Notice {}

    public OrphanCheck(Predicate<String> isHere, Consumer<RunRelease> release) {
        this.isHere = isHere;
        this.release = release;
    }

    public void look(Owned owned) {
        for (var run : owned.runs()) {
            if (!isHere.test(run.runId()) && !missing.contains(run)) {
                missingNow.add(run);
            } else if (!isHere.test(run.runId())) {
                release.accept(run);
            }
        }
        if (owned.last()) {
            missing = Set.copyOf(missingNow);
            missingNow.clear();
        }
    }
}
