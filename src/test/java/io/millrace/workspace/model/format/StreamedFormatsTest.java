package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelResponse.Ending;
import io.millrace.piece.model.ToolRequest;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every streaming format, tested with events from the vendors' documentation. */
class StreamedFormatsTest {
    private static final String VENDORS = "io.millrace.workspace.model.format.StreamingVendor#all";

    @ParameterizedTest
    @MethodSource(VENDORS)
    void addsUpAStream_toTheSameAnswer(StreamingVendor vendor) {
        // when
        var answer = vendor.format().read(vendor.whole());

        // then
        assertThat(answer.text()).isEqualTo("Let me add.");
        assertThat(answer.ending()).isEqualTo(Ending.WHOLE);
        assertThat(answer.calls())
                .extracting(call -> call.arguments().path("n").asInt())
                .containsExactly(1, 0);
        assertThat(answer.calls()).extracting(ToolRequest::id).containsExactly("c1", "c2");
        assertThat(answer.consumption().inputTokens()).isEqualTo(10);
        assertThat(answer.consumption().outputTokens()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void hearsTheTextAsItComes_whereverTheBytesAreCut(StreamingVendor vendor) {
        // given
        var received = new StringBuilder();
        var reader = vendor.stream()
                .eventReader(event -> received.append(vendor.stream().text(event)));

        // when
        for (var one : vendor.body().getBytes()) {
            reader.accept(Buffer.buffer(new byte[] {one}));
        }

        // then
        assertThat(received).hasToString("Let me add.");
    }

    @ParameterizedTest
    @MethodSource(VENDORS)
    void refusesATruncatedStream_andOneThatReportsAFailure(StreamingVendor vendor) {
        // given
        var all = vendor.read();

        // then the truncation is noticed
        for (var kept = 0; kept < all.size() - 2; kept++) {
            var cut = all.subList(0, kept);
            assertThatThrownBy(() -> vendor.stream().whole(cut))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("ended before");
        }
        var failed = new ArrayList<>(all.subList(0, 2));
        failed.add(vendor.failure());
        assertThatThrownBy(() -> vendor.stream().whole(failed)).hasMessage("Overloaded");
    }

    @Test
    void keepsWhatGeminiSigns_asItCame() {
        var gemini = StreamingVendor.all()
                .filter(vendor -> vendor.provider().equals("google"))
                .findFirst()
                .orElseThrow();

        var parts = gemini.whole().at("/candidates/0/content/parts");

        assertThat(parts.path(0).path("thought").asBoolean()).isTrue();
        assertThat(parts.path(1).path("text").asText()).isEqualTo("Let me add.");
        assertThat(parts.path(2).path("thoughtSignature").asText()).isEqualTo("c2lnbmVk");
    }

    @Test
    void keepsWhatAModelOfBedrockThought_asItWasSigned() {
        // given
        var events = EventFrames.of(EventFrameWriter.event(
                        "contentBlockDelta",
                        "{\"contentBlockIndex\":0,\"delta\":{\"reasoningContent\":{\"text\":\"Sums \"}}}")
                .appendBuffer(EventFrameWriter.event(
                        "contentBlockDelta",
                        "{\"contentBlockIndex\":0,\"delta\":{\"reasoningContent\":{\"text\":\"again.\"}}}"))
                .appendBuffer(EventFrameWriter.event(
                        "contentBlockDelta",
                        "{\"contentBlockIndex\":0,\"delta\":{\"reasoningContent\":{\"signature\":\"c2ln\"}}}"))
                .appendBuffer(EventFrameWriter.event(
                        "contentBlockDelta", "{\"contentBlockIndex\":1,\"delta\":{\"toolUse\":{\"input\":\"{n: 1\"}}}"))
                .appendBuffer(EventFrameWriter.event("messageStop", "{\"stopReason\":\"max_tokens\"}")));

        // when
        var answer = new BedrockConverse().read(new StreamedConverse().whole(events));

        // then
        assertThat(answer.raw().at("/0/reasoningContent/reasoningText"))
                .isEqualTo(Json.trusted("{\"text\":\"Sums again.\",\"signature\":\"c2ln\"}"));
        assertThat(answer.calls().getFirst().problem()).contains("not JSON");
        assertThat(answer.ending()).isEqualTo(Ending.CUT_OFF);
    }

    @Test
    void reportsTheReason_whenGeminiBlocksTheRequest() {
        var blocked = ModelEvents.of(Buffer.buffer("data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"));

        var answer = new GoogleContents().read(new StreamedContents().whole(blocked));

        assertThat(answer.ending()).isEqualTo(Ending.REFUSED);
        assertThat(answer.text()).contains("SAFETY");
    }

    @Test
    void reportsAFailedResponse_orOneTruncatedByItsLimit() {
        var stream = new StreamedResponses();
        var failed = ModelEvents.of(Buffer.buffer(
                "data: {\"type\":\"response.failed\",\"response\":{\"error\":{\"message\":\"No capacity\"}}}"));
        var cut = ModelEvents.of(Buffer.buffer("data: {\"type\":\"response.incomplete\",\"response\":{\"output\":[],"
                + "\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}}"));

        assertThatThrownBy(() -> stream.whole(failed)).hasMessage("No capacity");
        assertThat(new Responses().read(stream.whole(cut)).ending()).isEqualTo(Ending.CUT_OFF);
    }
}
