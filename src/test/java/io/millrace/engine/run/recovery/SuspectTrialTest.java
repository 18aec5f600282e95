package io.millrace.engine.run.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.recovery.SuspectTrial.History;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Periods of trials, and the runs that they set aside in simulated storms. */
class SuspectTrialTest {
    private static final int RECOVERIES_MAX = 6;
    private static final int SUSPECTED_FROM = 2;
    private static final int ENDS_IN_A_STORM_MAX = 18;
    private static final long REMEMBERED_MS = Duration.ofMinutes(15).toMillis();

    @ParameterizedTest
    @CsvSource({"0, 1000", "1, 2000", "2, 4000", "3, 8000", "4, 16000", "1000, 16000"})
    void doublesBothPeriods_withEachLateEnd(int late, long windowMs) {
        var shortest = SuspectTrial.of(new History(late, 1), 0);
        var longest = SuspectTrial.of(new History(late, 1), 1);

        assertThat(shortest).isEqualTo(trial(6 * windowMs, windowMs));
        assertThat(longest).isEqualTo(trial(14 * windowMs, windowMs));
    }

    private static SuspectTrial trial(long controlMs, long windowMs) {
        return new SuspectTrial(Duration.ofMillis(controlMs), Duration.ofMillis(windowMs));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 12, 50, 500})
    void takesAllButOneOfSeveralUp_withinAMinute(int suspects) {
        var trial = SuspectTrial.of(new History(20, suspects), 1);

        assertThat(trial.control().plus(trial.window().multipliedBy(suspects - 1)))
                .isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(trial.control().toMillis())
                .isGreaterThanOrEqualTo(14 * trial.window().toMillis());
    }

    @ParameterizedTest
    @CsvSource({"0, 7, 100", "900, 7, 110", "1500, 8, 200", "3000, 9, 400", "7000, 10, 800"})
    void findsARunThatEndsEachNode_inAsManyEndsAsItsDelayNeeds(long delayMs, int endsMax, long secondsMax) {
        for (var seed = 0; seed < 200; seed++) {
            var storm = new Storm(new Random(seed), List.of(new Suspect(delayMs)));

            storm.liveUntilSetAside(0, endsMax);

            assertThat(storm.nowMs).isLessThanOrEqualTo(1_000 * secondsMax);
        }
    }

    /** It took 1,070 s when each earlier kill made the trials longer. */
    @ParameterizedTest
    @ValueSource(ints = {3, 9, 20})
    void findsARunWithinTwoMinutes_afterKillsOfOtherCauses(int kills) {
        for (var seed = 0; seed < 200; seed++) {
            var suspects = new ArrayList<>(suspects(2));
            var storm = new Storm(new Random(seed), suspects);
            for (var kill = 0; kill < kills; kill++) {
                storm.life(3_000);
            }
            var culprit = new Suspect(100);
            suspects.add(culprit);
            var beganMs = storm.nowMs;

            storm.liveUntilSetAside(2, kills + ENDS_IN_A_STORM_MAX);

            assertThat(storm.nowMs - beganMs).isLessThanOrEqualTo(120_000);
            assertThat(suspects.subList(0, 2)).noneMatch(suspect -> suspect.setAside);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 12})
    void setsHardlyAnyInnocentRunAside_thatNeverGetsOn_inTwentyKillsAtAnyMoment(int innocents) {
        var condemned = 0L;
        for (var seed = 0; seed < 1_000; seed++) {
            var random = new Random(seed);
            var storm = new Storm(random, suspects(innocents));
            for (var kill = 0; kill < 20; kill++) {
                storm.life(random.nextLong(2_000, 200_000));
            }
            condemned += storm.setAside();
        }

        assertThat(condemned).as("of %s", 1_000 * innocents).isLessThanOrEqualTo(innocents * 1_000 / 500);
    }

    /** With the worst period, 37 of 1,000 were set aside before a survived trial reduced the crashes. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 12})
    void setsHardlyAnyInnocentRunAside_whenKillsFollowAPeriod(int innocents) {
        for (var periodMs = 5_000; periodMs <= 60_000; periodMs += 500) {
            var condemned = 0L;
            for (var seed = 0; seed < 300; seed++) {
                var storm = new Storm(new Random(seed), suspects(innocents));
                for (var kill = 0; kill < 20; kill++) {
                    storm.life(periodMs);
                }
                condemned += storm.setAside();
            }
            assertThat(condemned)
                    .as("of %s with a kill every %s ms", 300 * innocents, periodMs)
                    .isLessThanOrEqualTo(300L * innocents * 5 / 1_000);
        }
    }

    @Test
    void findsTwoCulpritsAmongInnocentRuns_inAStorm_withinTheirLimit() {
        for (var seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var all = new ArrayList<>(suspects(12));
            all.add(new Suspect(100));
            all.add(new Suspect(400));
            var storm = new Storm(random, all);
            for (var kill = 0; kill < 20; kill++) {
                storm.life(random.nextLong(5_000, 60_000));
            }
            while (!all.get(12).setAside || !all.get(13).setAside) {
                storm.life(Long.MAX_VALUE);
                assertThat(storm.ends).isLessThan(60);
            }

            assertThat(all.get(12).endsCaused).as("ends of the first").isLessThanOrEqualTo(ENDS_IN_A_STORM_MAX);
            assertThat(all.get(13).endsCaused).as("ends of the second").isLessThanOrEqualTo(ENDS_IN_A_STORM_MAX);
            assertThat(all.subList(0, 12)).noneMatch(suspect -> suspect.setAside);
        }
    }

    private static List<Suspect> suspects(int count) {
        var all = new ArrayList<Suspect>();
        for (var number = 0; number < count; number++) {
            all.add(new Suspect(Long.MAX_VALUE));
        }
        return all;
    }

    /** A run without recorded steps. */
    private static final class Suspect {
        private final long delayMs;
        private int crashes;
        private int endsCaused;
        private boolean setAside;

        /** @param delayMs time from its begin to the end of its node; the largest value if it ends none */
        Suspect(long delayMs) {
            this.delayMs = delayMs;
        }
    }

    /** Consecutive nodes, each of which ends. */
    private static final class Storm {
        private final RandomGenerator random;
        private final List<Suspect> suspects;
        private final ArrayDeque<Long> late = new ArrayDeque<>();
        private long nowMs;
        private int ends;

        Storm(RandomGenerator random, List<Suspect> suspects) {
            this.random = random;
            this.suspects = suspects;
        }

        long setAside() {
            return suspects.stream().filter(suspect -> suspect.setAside).count();
        }

        void liveUntilSetAside(int culprit, int endsMax) {
            while (!suspects.get(culprit).setAside) {
                life(Long.MAX_VALUE);
                assertThat(ends).isLessThanOrEqualTo(endsMax);
            }
        }

        /** A node that is killed after a time, or crashed earlier by a run; it keeps running if neither happens. */
        void life(long killedAfterMs) {
            late.removeIf(end -> end < nowMs - REMEMBERED_MS);
            var live = suspects.stream().filter(one -> !one.setAside).toList();
            var waiting = new ArrayList<>(
                    live.stream().filter(one -> one.crashes >= SUSPECTED_FROM).toList());
            Collections.shuffle(waiting, new Random(random.nextLong()));
            var trial = SuspectTrial.of(new History(late.size(), waiting.size()), random.nextDouble());
            var endMs = killedAfterMs;
            Suspect culprit = null;
            for (var one : live) {
                if (one.crashes < SUSPECTED_FROM && one.delayMs < endMs) {
                    endMs = one.delayMs;
                    culprit = one;
                }
            }
            var beginMs = trial.control().toMillis();
            Suspect onTrial = null;
            var survivors = new ArrayList<Suspect>();
            for (var one : waiting) {
                if (beginMs >= endMs) {
                    break;
                }
                if (one.crashes > RECOVERIES_MAX) {
                    one.setAside = true;
                    continue;
                }
                if (one.delayMs < endMs - beginMs) {
                    endMs = beginMs + one.delayMs;
                    culprit = one;
                }
                onTrial = endMs - beginMs < trial.window().toMillis() ? one : null;
                if (onTrial == null) {
                    one.crashes = SUSPECTED_FROM;
                    survivors.add(one);
                }
                beginMs += trial.window().toMillis();
            }
            if (endMs < Long.MAX_VALUE) {
                end(live, onTrial, culprit);
                nowMs += endMs;
                if (onTrial == null && !survivors.isEmpty()) {
                    late.add(nowMs);
                }
            }
        }

        private void end(List<Suspect> live, Suspect onTrial, Suspect culprit) {
            ends++;
            if (culprit != null) {
                culprit.endsCaused++;
            }
            for (var one : live) {
                if (one.setAside) {
                    continue;
                }
                if (one.crashes < SUSPECTED_FROM || one == onTrial) {
                    one.crashes++;
                } else if (onTrial == null && one.crashes > SUSPECTED_FROM) {
                    one.crashes--;
                }
            }
        }
    }
}
