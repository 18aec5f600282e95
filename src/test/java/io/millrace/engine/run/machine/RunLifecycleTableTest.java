package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.RunLives.PLAN;
import static io.millrace.engine.run.machine.RunLives.events;
import static io.millrace.engine.run.machine.RunLives.samples;
import static io.millrace.engine.run.machine.RunLives.stageOf;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import io.millrace.engine.run.machine.LifecycleEffect.Write;
import io.millrace.engine.run.machine.LifecycleTransition.Deferred;
import io.millrace.engine.run.machine.LifecycleTransition.Ignored;
import io.millrace.engine.run.machine.LifecycleTransition.Moved;
import io.millrace.engine.run.machine.RunLife.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Sends every event to a run in every stage, and compares the result with the tables of stages in {@code
 * src/site/markdown/run-machine.md}. On failure, the message contains the expected table.
 */
class RunLifecycleTableTest {
    private static final Path DOCUMENT = Path.of("src/site/markdown/run-machine.md");

    @Test
    void knowsEveryStageAndEvent() {
        assertThat(samples().stream().map(RunLives.Sample::stage)).containsAll(stages());
        assertThat(events().stream().map(RunLifecycleTableTest::nameOf))
                .containsAll(leaves(LifecycleEvent.Surrounding.class)
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void performsEveryEffectSomewhere() {
        var performed = samples().stream()
                .flatMap(sample -> events().stream().map(event -> RunLifecycle.on(PLAN, sample.life(), event)))
                .flatMap(transition -> transition instanceof Moved moved ? moved.effects().stream() : Stream.empty())
                .map(effect -> effect.getClass().getSimpleName());

        assertThat(performed)
                .containsAll(leaves(LifecycleEffect.Surrounding.class)
                        .map(Class::getSimpleName)
                        .toList());
    }

    @Test
    void writesLastAndHoldsEverythingMeanwhile() {
        for (var sample : samples()) {
            for (var event : events()) {
                if (RunLifecycle.on(PLAN, sample.life(), event) instanceof Moved(var life, var effects, var _)) {
                    var writes =
                            effects.stream().filter(Write.class::isInstance).count();
                    var isWriting = life.isSaving() || life.stage() instanceof Stage.Completing;
                    assertThat(writes).as("%s, %s", sample, event).isLessThanOrEqualTo(1);
                    if (writes == 1) {
                        assertThat(effects.getLast()).isInstanceOf(Write.class);
                        assertThat(isWriting).as("%s, %s", sample, event).isTrue();
                    } else if (isWriting) {
                        assertThat(stageOf(life)).as("%s, %s", sample, event).isEqualTo(sample.stage());
                    }
                }
            }
        }
    }

    /** A request may be answered synchronously, so it is the last effect of its transition. */
    @Test
    void asksLast() {
        for (var sample : samples()) {
            for (var event : events()) {
                if (RunLifecycle.on(PLAN, sample.life(), event) instanceof Moved(var _, var effects, var _)) {
                    effects.stream()
                            .filter(RunLifecycleTableTest::isAsking)
                            .forEach(effect -> assertThat(effect)
                                    .as("%s, %s", sample, event)
                                    .isSameAs(effects.getLast()));
                }
            }
        }
    }

    private static boolean isAsking(LifecycleEffect effect) {
        return effect instanceof LifecycleEffect.RequestPermit
                || effect instanceof LifecycleEffect.Begin
                || effect instanceof RunEffect.Execute
                || effect instanceof RunEffect.ResolveItems
                || effect instanceof RunEffect.EvaluateBranches;
    }

    @Test
    void isTheTableOfTheDocument() throws IOException {
        var document = Files.readString(DOCUMENT);

        assertSoftly(softly -> {
            softly.assertThat(RunMachineTableTest.tableOf(document, "| Surrounding event |"))
                    .isEqualTo(matrix());
            softly.assertThat(RunMachineTableTest.tableOf(document, "| Stage | When |"))
                    .isEqualTo(moves());
        });
    }

    private static Stream<Class<?>> leaves(Class<?> type) {
        return type.isSealed()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(RunLifecycleTableTest::leaves)
                : Stream.of(type);
    }

    private static List<String> stages() {
        return Arrays.stream(Stage.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .toList();
    }

    private static String nameOf(LifecycleEvent event) {
        return event.getClass().getSimpleName();
    }

    private static String matrix() {
        var text = new StringBuilder("| Surrounding event | " + String.join(" | ", stages()) + " |\n");
        text.append("|---".repeat(stages().size() + 1)).append("|\n");
        var names = new LinkedHashSet<String>();
        events().forEach(event -> names.add(nameOf(event)));
        for (var name : names) {
            text.append("| ").append(name);
            stages().forEach(stage -> text.append(" | ").append(cell(stage, name)));
            text.append(" |\n");
        }
        return text.toString();
    }

    private static String cell(String stage, String event) {
        var outcomes = new LinkedHashSet<String>();
        for (var sample : samples()) {
            for (var each : events()) {
                if (sample.stage().equals(stage) && nameOf(each).equals(event)) {
                    outcomes.add(
                            switch (RunLifecycle.on(PLAN, sample.life(), each)) {
                                case Moved moved -> next(stage, moved.life());
                                case Deferred _ -> "waits";
                                case Ignored _ -> "–";
                            });
                }
            }
        }
        return String.join(", ", outcomes);
    }

    private static String next(String stage, RunLife after) {
        if (stageOf(after).equals(stage)) {
            return "stays";
        }
        return after.stage() instanceof Stage.Exited(var departure) ? departure.name() : stageOf(after);
    }

    private static String moves() {
        var text = new StringBuilder("| Stage | When | Event | Next | Effects, in order |\n|---|---|---|---|---|\n");
        for (var sample : samples()) {
            for (var event : events()) {
                if (RunLifecycle.on(PLAN, sample.life(), event) instanceof Moved moved) {
                    text.append("| %s | %s | %s | %s | %s |%n"
                            .formatted(
                                    sample.stage(),
                                    sample.when(),
                                    textOf(event),
                                    next("", moved.life()),
                                    moved.effects().stream()
                                            .map(RunLifecycleTableTest::textOf)
                                            .collect(joining(", "))));
                }
            }
        }
        return text.toString();
    }

    private static String textOf(LifecycleEvent event) {
        return event instanceof LifecycleEvent.SliceOver(var failureNext) && failureNext
                ? "SliceOver, a failure is next"
                : nameOf(event);
    }

    /** The table contains every status that is written or published. */
    private static String textOf(LifecycleEffect effect) {
        var name = effect.getClass().getSimpleName();
        return switch (effect) {
            case LifecycleEffect.Insert(var status) -> name + " " + status;
            case LifecycleEffect.AppendAs(var status) -> name + " " + status;
            case LifecycleEffect.Show(var status) -> name + " " + status;
            case LifecycleEffect.WritePause(var status, var _) -> name + " " + status;
            case LifecycleEffect.WriteEnd(var end, var _) -> name + " " + end.status();
            case LifecycleEffect.Begin(var status) -> name + " " + status;
            case LifecycleEffect.Report(var status) -> name + " " + status;
            case LifecycleEffect.Leave(var departure, var _, var _) -> name + " " + departure;
            default -> name;
        };
    }
}
