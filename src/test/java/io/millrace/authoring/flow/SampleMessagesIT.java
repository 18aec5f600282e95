package io.millrace.authoring.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.authoring.flow.editor.FlowOperation.SampleDataType;
import io.millrace.authoring.flow.editor.FlowSamples;
import io.millrace.authoring.flow.sample.SampleData;
import io.millrace.authoring.flow.version.VersionState;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sample requests from other modules: the run module stores the result of a step test and reads earlier results. */
class SampleMessagesIT {
    private final FlowBench room = new FlowBench();

    private Flows.FlowWithVersion flow;

    @BeforeEach
    void makeFlow() {
        flow = room.createFlow();
        apply("ADD_ACTION", "{'parentStep':'trigger','action':" + FlowSamples.code("step_1") + "}");
        apply("ADD_ACTION", "{'parentStep':'step_1','action':" + FlowSamples.code("step_2") + "}");
    }

    @AfterEach
    void stop() {
        room.close();
    }

    private <R> R ask(BusRequest<R> request) {
        return room.ask(request);
    }

    private void apply(String type, String request) {
        flow = room.apply(flow, type, request);
    }

    private String keep(String stepName, SampleDataType type, JsonNode payload) {
        return ask(new SampleData.Keep(flow.version().id(), stepName, type, payload));
    }

    @Test
    void answersTheLastOutputsOfAVersion() {
        // given
        var first = keep("step_1", SampleDataType.OUTPUT, TextNode.valueOf("old"));
        var second = keep("step_1", SampleDataType.OUTPUT, FlowSamples.json("{'a':1}"));
        keep("step_2", SampleDataType.INPUT, FlowSamples.json("{'b':1}"));
        keep("step_2", SampleDataType.OUTPUT, TextNode.valueOf("done"));

        // when
        var outputs = ask(new SampleData.FindOutputs(flow.version().id()));

        // then
        assertThat(second).isEqualTo(first);
        assertThat(outputs)
                .isEqualTo(Map.of("step_1", FlowSamples.json("{'a':1}"), "step_2", TextNode.valueOf("done")));
    }

    @Test
    void recordsATestOfALockedVersion_withoutANewDraft() {
        // given
        apply("LOCK_FLOW", "{}");

        // when
        var fileId = keep("step_1", SampleDataType.OUTPUT, MissingNode.getInstance());

        // then
        var now = ask(new Flows.Get(flow.flow().id(), Optional.empty())).version();
        assertThat(now.id()).isEqualTo(flow.version().id());
        assertThat(now.state()).isEqualTo(VersionState.LOCKED);
        assertThat(now.updated()).isEqualTo(flow.version().updated());
        assertThat(FlowSamples.settings(now, "step_1")
                        .at("/sampleData/sampleDataFileId")
                        .asText())
                .isEqualTo(fileId);
        assertThat(ask(new SampleData.FindOutputs(now.id())))
                .isEqualTo(Map.of("step_1", TextNode.valueOf("undefined")));
    }

    @Test
    void refusesStepsAndVersionsThatAreNotThere() {
        refused(new SampleData.FindOutputs(Ids.next()));
        refused(new SampleData.Keep(Ids.next(), "step_1", SampleDataType.OUTPUT, TextNode.valueOf("x")));
        refused(new SampleData.Keep(flow.version().id(), "nobody", SampleDataType.OUTPUT, TextNode.valueOf("x")));
        assertThat(ask(new SampleData.FindOutputs(flow.version().id()))).isEmpty();
    }

    private void refused(BusRequest<?> request) {
        assertThatThrownBy(() -> ask(request))
                .isInstanceOfSatisfying(
                        ApiException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.ENTITY_NOT_FOUND));
    }
}
