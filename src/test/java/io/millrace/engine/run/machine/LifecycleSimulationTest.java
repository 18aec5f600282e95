package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.LifecycleEffect.Departure;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Thousands of runs in actors that crash, freeze and lose writes at every effect; {@link LifecycleWorld} checks the
 * guarantees at every effect. A failure names its seed, which reproduces it.
 */
class LifecycleSimulationTest {
    private static final int RUNS = 6_000;

    @Test
    void keepsItsPromises_whenNodesCrashAndFreezeAndWritesAreLost() {
        var departures = EnumSet.noneOf(Departure.class);
        var ends = EnumSet.noneOf(EndStatus.class);
        Set<String> disturbed = new TreeSet<>();

        for (var seed = 0; seed < RUNS; seed++) {
            try {
                var world = new LifecycleWorld(new Random(seed), 4);
                world.toTheEnd();
                world.keptItsPromises();
                departures.addAll(world.departures());
                world.end().ifPresent(ends::add);
                disturbed.addAll(world.disturbed());
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }

        assertThat(departures)
                .as("the simulation must reach these departures")
                .contains(Departure.PAUSED, Departure.ENDED, Departure.LOST, Departure.YIELDED);
        assertThat(ends).contains(EndStatus.SUCCEEDED, EndStatus.CANCELED, EndStatus.INTERNAL_ERROR);
        assertThat(disturbed)
                .as("effects with a fault")
                .contains("Execute", "Insert", "Append", "AppendAs", "Show", "WritePause", "WriteEnd", "TellCaller")
                .contains("Begin", "RequestPermit", "ReleaseResources", "Report", "StartDeadline");
    }

    @Test
    void executesEveryStepOnceAndWritesOnce_whenNothingGoesWrong() {
        for (var seed = 0; seed < RUNS; seed++) {
            var world = new LifecycleWorld(new Random(seed), 0);
            world.toTheEnd();
            world.keptItsPromises();

            assertThat(world.executionsMax()).as("seed %s", seed).isLessThanOrEqualTo(1 + world.pauses());
        }
    }

    /** Negative control: without the check of the lease, the invariant checked at each execution fails. */
    @Test
    void findsOut_whenTheLeaseIsNotLookedAt() {
        var found = 0;
        for (var seed = 0; seed < RUNS; seed++) {
            var world = new LifecycleWorld(new Random(seed), 4).withoutLookingAtTheLease();
            try {
                world.toTheEnd();
            } catch (AssertionError expected) {
                found++;
            }
        }
        assertThat(found).isPositive();
    }
}
