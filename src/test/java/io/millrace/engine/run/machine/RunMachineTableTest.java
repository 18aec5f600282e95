package io.millrace.engine.run.machine;

import static io.millrace.engine.run.machine.RunMachineRows.attemptOf;
import static io.millrace.engine.run.machine.RunMachineRows.eventsFor;
import static io.millrace.engine.run.machine.RunMachineRows.nameOf;
import static io.millrace.engine.run.machine.RunMachineRows.pathOf;
import static io.millrace.engine.run.machine.RunMachineRows.rows;
import static io.millrace.engine.run.machine.RunMachineRows.sampleStates;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;

import io.millrace.engine.run.machine.RunEvent.Answer;
import io.millrace.engine.run.machine.RunEvent.Stored;
import io.millrace.engine.run.machine.RunMachineRows.Row;
import io.millrace.engine.run.machine.RunState.Ended;
import io.millrace.engine.run.machine.RunState.Running;
import io.millrace.engine.run.machine.Transition.Ignored;
import io.millrace.engine.run.machine.Transition.Moved;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Visits every pair of state and event, and compares the result with {@code src/site/markdown/run-machine.md}. On
 * failure, the message contains the expected table: read the difference, then correct the code or the document.
 */
class RunMachineTableTest {
    private static final Path DOCUMENT = Path.of("src/site/markdown/run-machine.md");
    private static final List<String> STATES =
            List.of("Queued", "Executing", "WaitingToRetry", "ResolvingItems", "EvaluatingBranches", "Paused", "Ended");

    @Test
    void knowsEveryEvent() {
        var events = Stream.concat(
                        Arrays.stream(RunEvent.class.getPermittedSubclasses()),
                        Arrays.stream(Answer.class.getPermittedSubclasses()))
                .filter(type -> type != Answer.class)
                .map(Class::getSimpleName);

        assertThat(eventsFor(StepPath.TRIGGER, 1))
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactlyInAnyOrderElementsOf(events.toList());
    }

    @Test
    void ignoresEveryEventThatHasNoRow() {
        for (var state : sampleStates()) {
            for (var event : eventsFor(pathOf(state.state()), attemptOf(state.state()))) {
                var isListed = rows().stream()
                        .anyMatch(row -> row.stateName().equals(nameOf(state.state()))
                                && row.eventName().equals(event.getClass().getSimpleName()));
                var transition = RunMachine.on(state.plan(), state.state(), event);
                assertThat(transition instanceof Moved)
                        .as("%s moves in %s", event, nameOf(state.state()))
                        .isEqualTo(isListed);
            }
        }
    }

    @Test
    void ignoresEveryAnswerAboutAnotherStepOrAttempt() {
        for (var sample : sampleStates()) {
            var path = pathOf(sample.state());
            var attempt = attemptOf(sample.state());
            var elsewhere = StepPath.of(path.step(), 9);

            var aboutAnotherStep = eventsFor(elsewhere, attempt).stream().filter(Answer.class::isInstance);
            var aboutAnotherAttempt = eventsFor(path, attempt + 1).stream()
                    .filter(event -> event instanceof Answer answer && answer.attempt() == attempt + 1);

            assertThat(Stream.concat(aboutAnotherStep, aboutAnotherAttempt))
                    .hasSizeGreaterThan(10)
                    .extracting(event -> RunMachine.on(sample.plan(), sample.state(), event))
                    .hasOnlyElementsOfType(Ignored.class);
        }
    }

    @Test
    void isTheTableOfTheDocument() throws IOException {
        var document = Files.readString(DOCUMENT);

        assertSoftly(softly -> {
            softly.assertThat(tableOf(document, "| Event |")).isEqualTo(matrix());
            softly.assertThat(tableOf(document, "| State |")).isEqualTo(moves());
        });
    }

    /** The lines of the document from the table's head to the next empty line. */
    static String tableOf(String document, String head) {
        return document.lines()
                .dropWhile(line -> !line.startsWith(head))
                .takeWhile(line -> !line.isBlank())
                .collect(joining("\n", "", "\n"));
    }

    private static String matrix() {
        var text = new StringBuilder("| Event | " + String.join(" | ", STATES) + " |\n");
        text.append("|---".repeat(STATES.size() + 1)).append("|\n");
        for (var event : eventsFor(StepPath.TRIGGER, 1)) {
            var name = event.getClass().getSimpleName();
            text.append("| ").append(name);
            STATES.forEach(state -> text.append(" | ").append(cell(state, name)));
            text.append(" |\n");
        }
        return text.toString();
    }

    private static String cell(String state, String event) {
        var next = new LinkedHashSet<String>();
        for (var row : rows()) {
            if (row.stateName().equals(state) && row.eventName().equals(event)) {
                var after = row.moved().state();
                next.add(shortName(row, after));
            }
        }
        return next.isEmpty() ? "–" : String.join(", ", next);
    }

    /**
     * Abbreviates the state after a step: it depends on the kind of the next step, and the table only says that the
     * walk continues.
     */
    private static String shortName(Row row, RunState after) {
        if (after instanceof Ended ended) {
            return ended.status().name();
        }
        if (row.event() instanceof Stored) {
            return "stays";
        }
        return after instanceof Running && !nameOf(after).equals("WaitingToRetry") ? "walk" : nameOf(after);
    }

    private static String moves() {
        return "| State | Event | When | Next | Effects, in order |\n|---|---|---|---|---|\n"
                + rows().stream().map(Row::text).collect(joining("\n", "", "\n"));
    }
}
