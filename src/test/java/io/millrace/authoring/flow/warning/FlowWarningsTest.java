package io.millrace.authoring.flow.warning;

import static io.millrace.authoring.flow.warning.CheckedFlows.WEBHOOK;
import static io.millrace.authoring.flow.warning.CheckedFlows.code;
import static io.millrace.authoring.flow.warning.CheckedFlows.flow;
import static io.millrace.authoring.flow.warning.CheckedFlows.piece;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule set as a whole. */
final class FlowWarningsTest {
    @Test
    void isSilentAboutAnOrdinaryFlow() {
        var flow = flow(
                WEBHOOK,
                code("step_1", "{'order':'{{trigger[`output`].body}}'}"),
                piece(
                        "step_2",
                        "@activepieces/piece-webhook",
                        "return_response",
                        "{'responseType':'json','fields':{'status':200,'headers':{},'body':{'ok':'{{step_1[`output`]}}'}}}"));

        assertThat(FlowWarnings.of(flow)).isEmpty();
    }

    @Test
    void collectsWarningsOfSeveralRules() {
        var flow =
                flow(WEBHOOK, code("step_1", "{'a':'{{step_9[`output`]}}','password':'correct horse','b':'{{c(}}'}"));

        assertThat(FlowWarnings.of(flow))
                .extracting(CheckedFlows::shown)
                .satisfiesExactlyInAnyOrder(
                        text -> assertThat(text).contains("no step responds"),
                        text -> assertThat(text).contains("step_9 does not exist"),
                        text -> assertThat(text).contains("{{c(}} cannot be read"),
                        text -> assertThat(text).contains("input/password").doesNotContain("horse"));
    }

    @Test
    void endsAtTheLimit_inAFlowWithMoreWarnings() {
        var steps = IntStream.rangeClosed(1, FlowWarnings.WARNINGS_MAX + 20)
                .mapToObj(number -> code("step_" + number, "{'v':'{{step_9999[`output`]}}'}"))
                .toArray(String[]::new);

        assertThat(FlowWarnings.of(flow(WEBHOOK, steps))).hasSize(FlowWarnings.WARNINGS_MAX);
    }

    /** The paths of the texts together would need 40 GB. */
    @Test
    void readsAFlowWhoseTextsRepeatALongName() {
        var list = "'x',".repeat(200_000) + "'x'";
        var names = ("{'" + "n".repeat(40_000) + "':").repeat(5);
        var flow = flow(WEBHOOK, code("step_1", names + "[" + list + "]" + "}".repeat(5)));

        assertThat(FlowWarnings.of(flow)).hasSize(1);
    }
}
