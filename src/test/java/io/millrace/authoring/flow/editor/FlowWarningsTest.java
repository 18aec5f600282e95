package io.millrace.authoring.flow.editor;

import static io.millrace.authoring.flow.editor.FlowSamples.add;
import static io.millrace.authoring.flow.editor.FlowSamples.apply;
import static io.millrace.authoring.flow.editor.FlowSamples.empty;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.authoring.flow.version.FlowVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an author is told although the flow can be published. */
final class FlowWarningsTest {
    private static FlowVersion triggeredBy(String piece) {
        return apply(
                empty(),
                "UPDATE_TRIGGER",
                "{'name':'trigger','displayName':'T','type':'PIECE_TRIGGER','valid':true,'settings':{'pieceName':'"
                        + piece
                        + "','pieceVersion':'0.1.0','triggerName':'catch_webhook','input':{},'propertySettings':{}}}");
    }

    private static String step(String action) {
        return "{'name':'step_1','displayName':'S','type':'PIECE','valid':true,'settings':{'pieceName':"
                + "'@activepieces/piece-webhook','pieceVersion':'0.1.0','actionName':'" + action
                + "','input':{},'propertySettings':{}}}";
    }

    @ParameterizedTest
    @CsvSource({"return_response,0", "return_response_and_wait_for_next_webhook,0", "other,1"})
    void warnsOfAWebhook_onlyWhenNoStepAnswers(String action, int warnings) {
        var version = add(triggeredBy("@activepieces/piece-webhook"), "trigger", "", step(action));

        assertThat(FlowWarnings.of(version.steps())).hasSize(warnings);
    }

    @Test
    void warnsOfAWebhook_whoseAnswerIsSkipped() {
        var version = add(triggeredBy("@activepieces/piece-webhook"), "trigger", "", step("return_response"));
        var skipped = apply(version, "SET_SKIP_ACTION", "{'names':['step_1'],'skip':true}");

        assertThat(FlowWarnings.of(skipped.steps())).hasSize(1);
    }

    @Test
    void saysNothingOfOtherTriggers() {
        assertThat(FlowWarnings.of(empty().steps())).isEmpty();
        assertThat(FlowWarnings.of(triggeredBy("@activepieces/piece-schedule").steps()))
                .isEmpty();
    }
}
