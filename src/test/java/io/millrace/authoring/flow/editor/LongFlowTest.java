package io.millrace.authoring.flow.editor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.authoring.flow.step.ActionStep;
import io.millrace.authoring.flow.step.StepBase;
import io.millrace.authoring.flow.step.StepType;
import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.authoring.flow.version.StepReader;
import io.millrace.authoring.flow.version.StepTree;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import java.util.ArrayList;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Flows of thousands of steps: no recursion may be as deep as a flow is long. */
class LongFlowTest {
    private static final int LENGTH = 5_000;

    private static FlowVersion chain(int length) {
        var actions = new ArrayList<ActionStep>();
        for (var number = 1; number <= length; number++) {
            var settings = Json.object();
            settings.putObject("sourceCode").put("code", "x").put("packageJson", "{}");
            settings.putObject("input").put("before", "{{step_" + (number + 1) + "}}");
            var base = new StepBase("step_" + number, "Step", true, null, FlowSamples.NOW_TEXT);
            actions.add(StepReader.action(StepType.ActionType.CODE, base, settings));
        }
        var empty = FlowSamples.empty();
        return empty.with(new StepTree(empty.steps().trigger(), actions));
    }

    @Test
    void writesAndReadsALongFlow() throws JsonProcessingException {
        // given
        var version = chain(LENGTH);

        // when
        var read = StepTree.stored(DeepJson.parse(DeepJson.bytes(version.steps().toJson())));

        // then
        assertThat(read).isEqualTo(version.steps());
    }

    @Test
    void editsALongFlow() {
        // given
        var version = chain(LENGTH);

        // when
        var edited = FlowSamples.apply(version, "DELETE_ACTION", "{'names':['step_1','step_4999']}");
        edited = FlowSamples.apply(edited, "DUPLICATE_ACTION", "{'stepName':'step_5000'}");
        edited = FlowSamples.apply(edited, "MOVE_ACTION", "{'name':'step_5000','newParentStep':'trigger'}");

        // then
        assertThat(edited.steps().steps()).hasSize(LENGTH);
        assertThat(edited.steps().actions().getFirst().name()).isEqualTo("step_5000");
        assertThat(edited.steps().actions().getLast().name()).isEqualTo("step_1");
    }

    @Test
    void importsALongFlowOfTheOldestSchema() {
        // given
        var request = Json.object().put("displayName", "long");
        request.set("trigger", chain(LENGTH).steps().toJson());

        // when
        var operation =
                FlowOperation.parse(Json.object().put("type", "IMPORT_FLOW").set("request", request));
        var version = FlowEditor.apply(FlowSamples.empty(), (FlowOperation.VersionEdit) operation, FlowSamples.CONTEXT);

        // then
        assertThat(version.steps().actions()).hasSize(LENGTH);
        assertThat(version.steps().actions().getFirst().input().path("before").asText())
                .isEqualTo("{{step_2['output']}}");
    }

    @Test
    void refusesMoreStepsThanTheBound() {
        var version = chain(StepTree.STEPS_MAX);
        assertThatThrownBy(() -> FlowSamples.add(version, "trigger", "", FlowSamples.code("one_more")))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.FLOW_OPERATION_INVALID));
    }

    @Test
    void namesAllStepsOnce() {
        assertThat(chain(3).steps().names()).isEqualTo(Set.of("trigger", "step_1", "step_2", "step_3"));
    }
}
