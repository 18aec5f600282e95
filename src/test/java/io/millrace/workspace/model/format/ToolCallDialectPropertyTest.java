package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.workspace.model.format.ToolCallDialects.Sent;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The received calls are the sent calls, in every wire format and every dialect of it; failures name their seed. */
class ToolCallDialectPropertyTest {
    private static final int SEEDS = 2_000;

    /** A wire format and its dialects. */
    record Spoken(String name, ModelFormat format, BiFunction<ToolCallDialects, List<Sent>, Buffer> written) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Spoken> formats() {
        return Stream.of(
                new Spoken(
                        "chat completions",
                        new ChatCompletions("max_tokens", false, new StreamedCompletions(true)),
                        ToolCallDialects::completions),
                new Spoken("messages", new AnthropicMessages(), ToolCallDialects::messages),
                new Spoken("contents", new GoogleContents(), ToolCallDialects::contents),
                new Spoken("converse", new BedrockConverse(), ToolCallDialects::converse),
                new Spoken("responses", new Responses(), ToolCallDialects::responses));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void receivesTheCallsThatWereSent(Spoken spoken) {
        var stream = spoken.format().streamed().orElseThrow();
        for (var seed = 0L; seed < SEEDS; seed++) {
            var dialects = new ToolCallDialects(seed);
            var sent = dialects.calls();
            var body = spoken.written().apply(dialects, sent);

            var answer = spoken.format().read(stream.whole(stream.events(body)));

            assertThat(answer.calls().stream()
                            .map(call -> new Sent(call.name(), call.arguments()))
                            .toList())
                    .as("seed %d: %s", seed, body)
                    .isEqualTo(sent);
            assertThat(answer.calls()).as("seed %d", seed).allMatch(call -> call.problem() == null);
            assertThat(answer.calls().stream().map(call -> call.id()).distinct())
                    .as("seed %d", seed)
                    .hasSameSizeAs(sent);
        }
    }

    /**
     * A stream truncated anywhere is rejected, or its calls are a beginning of the sent ones; none has other arguments.
     */
    @ParameterizedTest
    @MethodSource("formats")
    void performsNothingThatWasNotSent_whenTheStreamIsCut(Spoken spoken) {
        var stream = spoken.format().streamed().orElseThrow();
        for (var seed = 0L; seed < SEEDS / 10; seed++) {
            var dialects = new ToolCallDialects(seed);
            var sent = dialects.calls();
            var body = spoken.written().apply(dialects, sent);
            for (var length = body.length() - 1; length > 0; length -= 7) {
                var cut = body.getBuffer(0, length);
                List<Sent> calls;
                try {
                    calls = spoken.format().read(stream.whole(stream.events(cut))).calls().stream()
                            .filter(call -> call.problem() == null)
                            .map(call -> new Sent(call.name(), call.arguments()))
                            .toList();
                } catch (IllegalArgumentException refused) {
                    continue;
                }
                assertThat(sent).as("seed %d at %d: %s", seed, length, cut).containsAll(calls);
            }
        }
    }
}
