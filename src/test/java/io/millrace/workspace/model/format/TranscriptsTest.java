package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Responses of providers in files, written after the documentation of the vendors, with their meaning. */
final class TranscriptsTest {
    private static final Path FOLDER =
            Path.of("src", "test", "resources", "io", "millrace", "workspace", "model", "transcripts");

    private static final int CHUNKINGS = 50;

    private static final Map<String, ModelFormat> FORMATS = Map.of(
            "completions", new ChatCompletions("max_tokens", false, new StreamedCompletions(true)),
            "messages", new AnthropicMessages(),
            "contents", new GoogleContents(),
            "converse", new BedrockConverse(),
            "responses", new Responses());

    /**
     * A file: comments, a line with the meaning, and behind a line of dashes the answer.
     *
     * @param meaning format, text, thoughts, calls, tokens and parts of the state that comes back
     */
    record Transcript(String name, String comments, JsonNode meaning, Buffer body) {
        static Transcript read(Path file) {
            try {
                var parts = Files.readString(file).split("\n---\n", 2);
                var lines = parts[0].lines().toList();
                var meaning = Json.trusted(lines.getLast());
                return new Transcript(
                        file.getFileName().toString(),
                        lines.stream().filter(line -> line.startsWith("#")).collect(Collectors.joining("\n")),
                        meaning,
                        body(meaning.path("format").asText(), parts[1]));
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }

        private static Buffer body(String format, String text) {
            if (!format.equals("converse") || text.startsWith("{")) {
                return Buffer.buffer(text);
            }
            var frames = Buffer.buffer();
            text.lines()
                    .map(line -> line.split(" ", 2))
                    .forEach(event -> frames.appendBuffer(EventFrameWriter.event(event[0], event[1])));
            return frames;
        }

        ModelFormat format() {
            return FORMATS.get(meaning.path("format").asText());
        }

        boolean isStream() {
            return body.getByte(0) != '{';
        }

        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Transcript> all() throws IOException {
        try (var files = Files.list(FOLDER)) {
            return files.sorted().map(Transcript::read).toList().stream();
        }
    }

    static Stream<Transcript> streams() throws IOException {
        return all().filter(Transcript::isStream);
    }

    @ParameterizedTest
    @MethodSource("all")
    void isReadAsItIsMeant(Transcript transcript) throws Exception {
        var format = transcript.format();
        var streamed = format.streamed().orElseThrow();

        var answer = transcript.isStream()
                ? format.read(streamed.whole(streamed.events(transcript.body())))
                : format.read(Json.parse(transcript.body().getBytes()));

        check(transcript, answer);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void isReadAlike_howeverItIsCutIntoPackets(Transcript transcript) {
        var streamed = transcript.format().streamed().orElseThrow();
        for (var seed = 0L; seed < CHUNKINGS; seed++) {
            var random = new Random(seed);
            var events = new ArrayList<JsonNode>();
            var reader = streamed.eventReader(events::add);
            var body = transcript.body();
            for (var from = 0; from < body.length(); ) {
                var to = Math.min(body.length(), from + 1 + random.nextInt(40));
                reader.accept(body.getBuffer(from, to));
                from = to;
            }
            assertThat(events).as("seed %d", seed).isEqualTo(streamed.events(body));
        }
    }

    private static void check(Transcript transcript, ModelResponse answer) {
        var meaning = transcript.meaning();
        assertThat(answer.text()).isEqualTo(meaning.path("text").asText(""));
        assertThat(answer.thoughts()).isEqualTo(meaning.path("thoughts").asText(""));
        assertThat(answer.calls()).allMatch(call -> call.problem() == null);
        var calls = Json.array();
        answer.calls()
                .forEach(call -> calls.addObject().put("name", call.name()).set("arguments", call.arguments()));
        assertThat(calls).isEqualTo(meaning.path("calls"));
        assertThat(answer.calls().stream().map(call -> call.id()).distinct()).hasSize(calls.size());
        assertThat(answer.consumption().inputTokens())
                .isEqualTo(meaning.path("inputTokens").asLong());
        assertThat(answer.consumption().outputTokens())
                .isEqualTo(meaning.path("outputTokens").asLong());
        assertThat(answer.ending()).isEqualTo(ModelResponse.Ending.WHOLE);
        meaning.path("raw").properties().forEach(part -> {
            var kept = answer.raw().findValue(part.getKey());
            assertThat(kept).as("%s in %s", part.getKey(), answer.raw()).isNotNull();
            // The beginning of a list: the remaining parts are in other fields of the meaning.
            if (kept.isArray()) {
                part.getValue().forEach(element -> assertThat(kept).contains(element));
            } else {
                assertThat(kept).isEqualTo(part.getValue());
            }
        });
    }

    /** The next request contains the state that the provider expects back, next to the results of the calls. */
    @ParameterizedTest
    @MethodSource("streams")
    void stateIsSentBackWithItsTurn(Transcript transcript) {
        var format = transcript.format();
        var streamed = format.streamed().orElseThrow();
        var answer = format.read(streamed.whole(streamed.events(transcript.body())));
        var messages = new ArrayList<ModelMessage>();
        messages.add(new ModelMessage.UserMessage("Weather?"));
        messages.add(new ModelMessage.AssistantMessage(answer.text(), answer.calls(), answer.raw()));
        answer.calls().forEach(call -> messages.add(new ModelMessage.ToolResultMessage(call, "Sunny.", false)));

        var body = format.write(
                "m-1", ModelRequest.of("", messages.getFirst(), 100).saying(messages));

        transcript.meaning().path("raw").properties().forEach(part -> {
            var sent = body.findValue(part.getKey());
            assertThat(sent).as("%s in %s", part.getKey(), body).isEqualTo(part.getValue());
        });
        assertThat(body.toString()).contains(answer.calls().isEmpty() ? answer.text() : "Sunny.");
    }

    @Test
    void coverEachFormat_streamedAndWhole() throws IOException {
        assertThat(all().map(each -> each.meaning().path("format").asText() + each.isStream())
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(FORMATS.keySet().stream()
                        .flatMap(format -> Stream.of(format + true, format + false))
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("all")
    void saysThatItWasConstructed_andAfterWhichDocument(Transcript transcript) {
        assertThat(transcript.comments()).contains("Constructed after https://", "not recorded", "invented");
    }
}
