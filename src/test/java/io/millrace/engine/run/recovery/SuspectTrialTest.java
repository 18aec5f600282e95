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

/** The periods of trials, and which runs they set aside in simulated storms. */
class SuspectTrialTest {
    private static final int RECOVERIES_MAX = 6;
    private static final int SUSPECTED_FROM = 2;
    private static final int ENDS_IN_A_STORM_MAX = 18;
    private static final long REMEMBERED_MS = Duration.ofMinutes(15).toMillis();

    @ParameterizedTest
    @CsvSource({"0, 8000", "2, 8000", "3, 16000", "5, 64000", "6, 128000", "1000, 128000"})
    void doublesTheControlPeriod_withEachEndThatHasNoCulprit(int unexplained, long controlMs) {
        var trial = SuspectTrial.of(new History(unexplained, 1), 0);

        assertThat(trial.control()).hasMillis(controlMs);
        assertThat(trial.window()).hasMillis(controlMs / 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 12, 50, 500})
    void takesAllButOneOfSeveralUp_withinAMinute(int suspects) {
        var trial = SuspectTrial.of(new History(20, suspects), 1);

        assertThat(trial.control().plus(trial.window().multipliedBy(suspects - 1)))
                .isLessThanOrEqualTo(Duration.ofMinutes(1));
        assertThat(trial.control().toMillis())
                .isGreaterThanOrEqualTo(8 * trial.window().toMillis());
    }

    @ParameterizedTest
    @CsvSource({"0, 7", "900, 7", "3000, 11", "7000, 16"})
    void findsARunThatEndsEachNode_inAsManyEndsAsItsDelayNeeds(long delayMs, int endsMax) {
        var storm = new Storm(new Random(1), List.of(new Suspect(delayMs)));

        while (!storm.suspects.getFirst().setAside && storm.ends <= endsMax) {
            storm.life(Long.MAX_VALUE);
        }

        assertThat(storm.suspects.getFirst().setAside).isTrue();
        assertThat(storm.ends).isLessThanOrEqualTo(endsMax);
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

    @ParameterizedTest
    @ValueSource(longs = {5_000, 9_000, 20_000, 33_000, 60_000})
    void setsNoInnocentRunAside_whenKillsFollowAPeriod(long periodMs) {
        var storm = new Storm(new Random(3), suspects(12));

        for (var kill = 0; kill < 20; kill++) {
            storm.life(periodMs);
        }

        assertThat(storm.setAside()).isZero();
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

    /** A run that never records anything. */
    private static final class Suspect {
        private final long delayMs;
        private int crashes;
        private int endsCaused;
        private boolean setAside;

        /** @param delayMs from its begin to the end of its node; the largest value when it ends none */
        Suspect(long delayMs) {
            this.delayMs = delayMs;
        }
    }

    /** Nodes one after the other, each of which ends. */
    private static final class Storm {
        private final RandomGenerator random;
        private final List<Suspect> suspects;
        private final ArrayDeque<Long> unexplained = new ArrayDeque<>();
        private long nowMs;
        private int ends;

        Storm(RandomGenerator random, List<Suspect> suspects) {
            this.random = random;
            this.suspects = suspects;
        }

        long setAside() {
            return suspects.stream().filter(suspect -> suspect.setAside).count();
        }

        /** A node that is killed after a time, or ended before by a run; nothing happens when neither ends it. */
        void life(long killedAfterMs) {
            unexplained.removeIf(end -> end < nowMs - REMEMBERED_MS);
            var live = suspects.stream().filter(one -> !one.setAside).toList();
            var waiting = new ArrayList<>(
                    live.stream().filter(one -> one.crashes >= SUSPECTED_FROM).toList());
            Collections.shuffle(waiting, new Random(random.nextLong()));
            var trial = SuspectTrial.of(new History(unexplained.size(), waiting.size()), random.nextDouble());
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
                beginMs += trial.window().toMillis();
            }
            if (endMs < Long.MAX_VALUE) {
                end(live, onTrial, culprit);
                nowMs += endMs;
                if (onTrial == null) {
                    unexplained.add(nowMs);
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
