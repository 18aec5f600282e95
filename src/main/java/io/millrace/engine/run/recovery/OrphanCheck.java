package io.millrace.engine.run.recovery;

import io.millrace.base.bus.Notice;
import io.millrace.engine.run.RunRelease;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Finds runs that this node owns and nobody here carries: whoever claimed them never learned that the claim was made,
 * because the database's answer was lost. They are given away, and found by the next sweep.
 *
 * <p>Only what is missing twice in a row is lost: a run may be on its way to its shard.
 */
public final class OrphanCheck {
    private final Predicate<String> isHere;
    private final Consumer<RunRelease> release;
    private Set<RunRelease> missing = Set.of();
    private final Set<RunRelease> missingNow = new HashSet<>();

    /**
     * Live runs of this node and of one shard, as the database knows them: all of them come in several parts.
     *
     * @param runs as they would be given away
     * @param last whether no further part follows
     */
    public record Owned(List<RunRelease> runs, boolean last) implements Notice {}

    /**
     * @param isHere whether the shard has a run with this id
     * @param release gives a run away
     */
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
