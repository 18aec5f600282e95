package io.millrace.engine.run.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.machine.PlanStep.ExecutableAction;
import io.millrace.engine.run.machine.PlanTree.Act;
import io.millrace.engine.run.machine.PlanTree.Loop;
import io.millrace.engine.run.machine.PlanTree.Node;
import io.millrace.engine.run.machine.PlanTree.Router;
import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.Begun;
import io.millrace.engine.run.machine.RunEvent.BranchesEvaluated;
import io.millrace.engine.run.machine.RunEvent.Broke;
import io.millrace.engine.run.machine.RunEvent.CancelRequested;
import io.millrace.engine.run.machine.RunEvent.DeadlinePassed;
import io.millrace.engine.run.machine.RunState.Paused;
import io.millrace.engine.run.machine.Transition.Ignored;
import io.millrace.engine.run.machine.World.Ask;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/**
 * Thousands of random plans in random environments; {@link RunScript} checks the invariants after every event. A
 * failure names its seed, which reproduces it.
 */
class RunSimulationTest {
    private static final List<StepReach> REACHES = List.of(StepReach.PURE, StepReach.ISOLATED, StepReach.OUTSIDE);

    private static final int RUNS = 4000;
    private static final int ATTEMPTS_MAX = 4;

    @Test
    void endsExactlyOnceWithinItsAttempts() {
        var seen = EnumSet.noneOf(EndStatus.class);

        forEachSeed(seed -> {
            var setting = new Scenario(seed);
            var run = setting.run().toTheEnd();

            seen.add(run.end().status());
            run.executions()
                    .forEach((path, times) -> assertThat(times)
                            .as("executions of %s", path)
                            .isLessThanOrEqualTo(setting.executionsMax(path)));
        });

        assertThat(seen)
                .as("the simulation must reach these ends")
                .contains(
                        EndStatus.SUCCEEDED,
                        EndStatus.FAILED,
                        EndStatus.LOG_SIZE_EXCEEDED,
                        EndStatus.MEMORY_LIMIT_EXCEEDED);
    }

    @Test
    void endsTheSameAndRepeatsNothingRecorded_whenProcessesCrash() {
        forEachSeed(seed -> {
            var setting = new Scenario(seed);
            var undisturbed = setting.run().toTheEnd();
            var random = new Random(seed * 31L + 7);
            var crashes = random.longs(1 + random.nextInt(3), 1, undisturbed.effectsPerformed() + 2)
                    .sorted()
                    .boxed()
                    .toList();

            var crashing = setting.watched().crashingAt(crashes).toTheEnd();

            assertThat(crashing.end()).isEqualTo(undisturbed.end());
            assertThat(crashing.records()).isEqualTo(undisturbed.records());
        });
    }

    @Test
    void ignoresDuplicateEvents() {
        forEachSeed(seed -> {
            var setting = new Scenario(seed);
            var undisturbed = setting.run().begin();
            var doubled = setting.run();

            doubled.deliver(new Begun(5));
            while (doubled.step()) {
                var event = doubled.delivered().getLast();
                assertThat(doubled.deliver(event)).as("a second %s", event).isInstanceOf(Ignored.class);
            }

            assertThat(doubled.state()).isEqualTo(undisturbed.state());
            assertThat(doubled.trace()).isEqualTo(undisturbed.trace());
        });
    }

    @Test
    void endsAtOnce_whenInterruptedAnywhere() {
        forEachSeed(seed -> {
            var random = new Random(seed * 17L + 3);
            var run = new Scenario(seed).run();
            run.deliver(new Begun(5));
            var stepsBefore = random.nextInt(12);
            for (var step = 0; step < stepsBefore && run.step(); step++) {
                assertThat(run.state()).isNotNull();
            }
            var endedBefore = run.state() instanceof RunState.Ended;
            var paused = run.state() instanceof Paused;

            var interruption = List.<RunEvent>of(new CancelRequested(), new Broke("lost"), new DeadlinePassed())
                    .get(random.nextInt(paused ? 2 : 3));
            var transition = run.deliver(interruption);
            run.drain();

            assertThat(transition instanceof Ignored).isEqualTo(endedBefore);
            assertThat(run.end()).isEqualTo(run.state());
        });
    }

    private static void forEachSeed(IntConsumer check) {
        for (var seed = 0; seed < RUNS; seed++) {
            try {
                check.accept(seed);
            } catch (AssertionError | RuntimeException failure) {
                throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
            }
        }
    }

    /** A plan and an environment generated from a seed. */
    private static final class Scenario {
        private final int seed;
        private final RunPlan plan;
        private final long logBytesMax;
        private final boolean stored;
        private int names;

        Scenario(int seed) {
            this.seed = seed;
            var random = new Random(seed);
            this.plan = PlanTree.plan(sequence(random, 3));
            this.logBytesMax = random.nextInt(5) == 0 ? 300 : 1_000_000;
            this.stored = random.nextBoolean();
        }

        RunScript run() {
            return new RunScript(plan, logBytesMax, stored, this::answer);
        }

        /** A run in whose environment it is an error to execute a step with a durable outcome. */
        RunScript watched() {
            var script = new RunScript[1];
            script[0] = new RunScript(plan, logBytesMax, stored, ask -> {
                var recorded = script[0].records().getOrDefault(ask.text(), "nothing");
                if (plan.step(ask.path().step()) instanceof ExecutableAction) {
                    assertThat(recorded).as("record of %s", ask.text()).isIn("nothing", "StepPaused");
                }
                return answer(ask);
            });
            return script[0];
        }

        /** One outcome for each path, attempt and resumption, however often it is executed. */
        private Answer answer(Ask ask) {
            var random = new Random(Objects.hash(seed, ask.text(), ask.attempt(), ask.resumed()));
            return switch (plan.step(ask.path().step())) {
                case ExecutableAction _ when isDoomed(ask) -> ask.fails(random.nextInt(50));
                case ExecutableAction _ -> outcome(ask, random);
                case PlanStep.ExecutableLoop _ ->
                    random.nextInt(25) == 0 ? ask.fails() : ask.hasItems(random.nextInt(4), random.nextInt(20));
                case PlanStep.ExecutableRouter router -> {
                    var evaluation = new ArrayList<Boolean>();
                    router.branches().forEach(_ -> evaluation.add(random.nextBoolean()));
                    yield random.nextInt(25) == 0
                            ? ask.fails()
                            : new BranchesEvaluated(ask.path(), evaluation, random.nextInt(20));
                }
            };
        }

        /** Fails in every attempt: single failures alone would almost never use up all four. */
        private boolean isDoomed(Ask ask) {
            return Math.floorMod(Objects.hash(ask.text(), seed), 10) == 0;
        }

        private static Answer outcome(Ask ask, Random random) {
            var logBytes = random.nextInt(50);
            var dice = random.nextInt(100);
            if (dice < 75) {
                return ask.succeeds(logBytes);
            }
            if (dice < 90) {
                return ask.fails(logBytes);
            }
            if (dice < 97) {
                return ask.resumed() ? ask.succeeds(logBytes) : ask.pauses(logBytes);
            }
            return dice < 99 ? ask.stops(logBytes) : ask.runsOutOfMemory();
        }

        /** Attempts of one walk, and of the walk after the step's own pause. */
        int executionsMax(String path) {
            var name = path.substring(path.lastIndexOf('.') + 1);
            var step = plan.steps().stream()
                    .filter(candidate -> candidate.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            return step instanceof ExecutableAction act && act.policy().retryOnFailure() ? 2 * ATTEMPTS_MAX : 2;
        }

        private List<Node> sequence(Random random, int depth) {
            var nodes = new ArrayList<Node>();
            var length = random.nextInt(Math.max(0, depth) + 2);
            for (var position = 0; position < length; position++) {
                nodes.add(node(random, depth));
            }
            return nodes;
        }

        private Node node(Random random, int depth) {
            var name = "step_" + names++;
            var dice = random.nextInt(10);
            if (depth > 0 && dice < 2) {
                return new Loop(name, random.nextInt(10) == 0, sequence(random, depth - 1));
            }
            if (depth > 0 && dice < 4) {
                var branches = new ArrayList<List<Node>>();
                var count = 1 + random.nextInt(3);
                for (var branch = 0; branch < count; branch++) {
                    branches.add(sequence(random, depth - 1));
                }
                return new Router(name, random.nextBoolean(), branches);
            }
            return new Act(
                    name,
                    random.nextInt(10) == 0,
                    REACHES.get(random.nextInt(REACHES.size())),
                    false,
                    random.nextInt(3) == 0,
                    random.nextInt(3) > 0,
                    depth > 0 ? sequence(random, depth - 2) : List.of(),
                    depth > 0 ? sequence(random, depth - 2) : List.of());
        }
    }
}
