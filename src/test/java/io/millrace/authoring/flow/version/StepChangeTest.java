package io.millrace.authoring.flow.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.authoring.flow.version.StepChange.Kind;
import io.millrace.base.core.JsonDifference;
import io.millrace.support.FlowScript;
import org.junit.jupiter.api.Test;

/** Differences between two trees of steps. */
final class StepChangeTest {
    private static StepTree tree(FlowScript script) {
        return StepTree.stored(script.tree());
    }

    @Test
    void nothing_betweenEqualTrees() {
        var script = FlowScript.webhook()
                .loop("step_1", "{{[1]}}", FlowScript.steps().delay("step_2", 1));

        assertThat(StepChange.between(tree(script), tree(script))).isEmpty();
    }

    @Test
    void tellsStepsThatGoComeMoveAndChange_withTheirPlaces() {
        // Given
        var before = FlowScript.webhook()
                .delay("step_1", 1)
                .delay("step_2", 2)
                .loop("step_3", "{{[1]}}", FlowScript.steps().delay("step_4", 4));
        var after = FlowScript.webhook()
                .delay("step_2", 3)
                .loop("step_3", "{{[1]}}", FlowScript.steps().delay("step_5", 5).delay("step_4", 4));

        // When
        var changes = StepChange.between(tree(before), tree(after));

        // Then
        assertThat(changes)
                .extracting(StepChange::step, StepChange::kind, StepChange::place)
                .containsExactly(
                        tuple("step_1", Kind.REMOVE, "after trigger"),
                        tuple("step_2", Kind.MOVE, "after trigger"),
                        tuple("step_5", Kind.ADD, "first in step_3/0"),
                        tuple("step_4", Kind.MOVE, "after step_5"));
        assertThat(changes.get(1).fields())
                .extracting(JsonDifference::path, field -> field.after().asText())
                .containsExactly(tuple("/settings/input/delayFor", "3"));
    }
}
