package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelResponse;
import io.millrace.workspace.model.format.ToolCallDialects.Sent;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each quirk in each wire format, and random combinations of quirks: the calls received are the calls sent. */
class QuirkTableTest {
    private static final int SEEDS_OF_A_QUIRK = 40;
    private static final int SEEDS_OF_COMBINATIONS = 3_000;

    /** A wire format and its server. */
    record Spoken(String name, ModelFormat format, BiFunction<QuirkedBlocks, List<Sent>, Buffer> written) {
        @Override
        public String toString() {
            return name;
        }

        private ModelResponse read(Buffer body) throws Exception {
            var stream = format.streamed().orElseThrow();
            return body.getByte(0) == '{'
                    ? format.read(Json.parse(body.getBytes()))
                    : format.read(stream.whole(stream.events(body)));
        }
    }

    static Stream<Spoken> formats() {
        return Stream.of(
                new Spoken(
                        "chat completions",
                        new ChatCompletions("max_tokens", false, new StreamedCompletions(true)),
                        QuirkedBlocks::completions),
                new Spoken("messages", new AnthropicMessages(), QuirkedBlocks::messages),
                new Spoken("contents", new GoogleContents(), QuirkedBlocks::contents),
                new Spoken("converse", new BedrockConverse(), QuirkedBlocks::converse),
                new Spoken("responses", new Responses(), QuirkedBlocks::responses));
    }

    static Stream<Arguments> quirksOfFormats() {
        return Stream.of(Quirk.values()).flatMap(quirk -> formats().map(spoken -> Arguments.of(quirk, spoken)));
    }

    @ParameterizedTest(name = "{0} x {1}")
    @MethodSource("quirksOfFormats")
    void receivesTheCallsThatWereSent_withOneQuirk(Quirk quirk, Spoken spoken) throws Exception {
        for (var seed = 0L; seed < SEEDS_OF_A_QUIRK; seed++) {
            check(spoken, EnumSet.of(quirk), seed);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void receivesTheCallsThatWereSent_withSeveralQuirks(Spoken spoken) throws Exception {
        for (var seed = 0L; seed < SEEDS_OF_COMBINATIONS; seed++) {
            var random = new Random(seed);
            var wanted = new ArrayList<>(List.of(Quirk.values()));
            Collections.shuffle(wanted, random);
            check(spoken, Quirk.consistent(wanted.subList(0, random.nextInt(wanted.size()))), seed);
        }
    }

    private static void check(Spoken spoken, EnumSet<Quirk> quirks, long seed) throws Exception {
        var sent = new ToolCallDialects(seed).calls();
        var body = spoken.written().apply(new QuirkedBlocks(quirks, seed), sent);

        var answer = spoken.read(body);

        assertThat(answer.calls().stream()
                        .map(call -> new Sent(call.name(), call.arguments()))
                        .toList())
                .as("seed %d, %s: %s", seed, quirks, body)
                .isEqualTo(sent);
        assertThat(answer.calls()).as("seed %d, %s", seed, quirks).allMatch(call -> call.problem() == null);
        assertThat(answer.calls().stream().map(call -> call.id()).distinct())
                .as("seed %d, %s", seed, quirks)
                .hasSameSizeAs(sent);
        assertThat(answer.text())
                .as("seed %d, %s", seed, quirks)
                .isEqualTo(quirks.contains(Quirk.TEXT_BEFORE_CALLS) ? QuirkedServer.TEXT : "");
        assertThat(answer.thoughts())
                .as("seed %d, %s", seed, quirks)
                .isEqualTo(quirks.contains(Quirk.THOUGHTS_BEFORE_CALLS) ? QuirkedServer.THOUGHTS : "");
    }
}
