package io.millrace.engine.run.waitpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.memory.CompressedText;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Search for the waiting step at every position in a log. */
final class PausedPromptTest {
    private static byte[] bytes(String text) {
        return text.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void findsThePausedStep_insideALoopToo() {
        var log =
                bytes("{'trigger':{'status':'SUCCEEDED'},'step_1':{'type':'LOOP_ON_ITEMS','status':'RUNNING','output':"
                        + "{'iterations':[{'step_2':{'status':'SUCCEEDED','input':{}}},"
                        + "{'step_2':{'status':'PAUSED','input':{'message':'Second?'}}}]}}}");

        assertThat(PausedPrompt.in(log)).hasValueSatisfying(question -> {
            assertThat(question.stepName()).isEqualTo("step_2");
            assertThat(question.input().path("message").asText()).isEqualTo("Second?");
        });
    }

    @Test
    void findsThePausedStep_inACompressedLog() {
        var text = "{'step_1':{'status':'PAUSED','input':{'message':'" + "x".repeat(4000) + "'}}}";

        assertThat(PausedPrompt.in(CompressedText.of(bytes(text)))).isPresent();
    }

    @Test
    void findsNothing_whenNoStepIsPausedOrTheLogIsLong() {
        var padding = "x".repeat(PausedPrompt.LOG_BYTES_MAX);

        assertThat(PausedPrompt.in(bytes("{'step_1':{'status':'RUNNING'}}"))).isEmpty();
        assertThat(PausedPrompt.in(bytes("{'step_1':{'status':'PAUSED','input':{'a':'" + padding + "'}}}")))
                .isEmpty();
    }
}
