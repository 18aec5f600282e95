package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tool calls in dialects of chat completions. */
class ToolCallDialectTest {
    private static final ChatCompletions COMPLETIONS =
            new ChatCompletions("max_tokens", false, new StreamedCompletions(true));

    private static ModelResponse read(ModelFormat format, String events) {
        var stream = format.streamed().orElseThrow();
        return format.read(stream.whole(stream.events(Buffer.buffer(events))));
    }

    /** Chunks of chat completions around these deltas. */
    private static ModelResponse deltas(String... deltas) {
        return read(
                COMPLETIONS,
                List.of(deltas).stream()
                                .map(delta -> "data: {\"choices\":[{\"delta\":" + delta.replace('\'', '"') + "}]}\n\n")
                                .collect(Collectors.joining())
                        + "data: [DONE]\n\n");
    }

    private static String said(ModelResponse answer) {
        return answer.calls().stream()
                .map(call -> call.problem() == null ? call.name() + Json.text(call.arguments()) : "unreadable")
                .collect(Collectors.joining(" "))
                .replace('"', '\'');
    }

    /** Deltas of chat completions separated by semicolons, and the calls that they represent. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                // The same index, other ids
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c\\':1}'}}]};"
                        + "{'tool_calls':[{'index':0,'id':'b','function':{'name':'w','arguments':'{\\'c\\':2}'}}]}"
                        + "|w{'c':1} w{'c':2}",
                // The same index, no ids
                "{'tool_calls':[{'index':0,'function':{'name':'w','arguments':'{\\'c\\':1}'}}]};"
                        + "{'tool_calls':[{'index':0,'function':{'name':'w','arguments':'{\\'c\\':2}'}}]}"
                        + "|w{'c':1} w{'c':2}",
                // No index, no ids, pieces
                "{'tool_calls':[{'function':{'name':'w','arguments':'{\\'c'}}]};"
                        + "{'tool_calls':[{'function':{'arguments':'\\':1}'}}]};"
                        + "{'tool_calls':[{'function':{'name':'w','arguments':'{\\'c\\':2}'}}]}"
                        + "|w{'c':1} w{'c':2}",
                // No index, ids in the first piece only
                "{'tool_calls':[{'id':'a','function':{'name':'w','arguments':''}}]};"
                        + "{'tool_calls':[{'function':{'arguments':'{\\'c\\':1}'}}]};"
                        + "{'tool_calls':[{'id':'b','function':{'name':'w','arguments':''}}]};"
                        + "{'tool_calls':[{'function':{'arguments':'{\\'c\\':2}'}}]}"
                        + "|w{'c':1} w{'c':2}",
                // Index as text, from 1
                "{'tool_calls':[{'index':'1','id':'a','function':{'name':'w','arguments':''}}]};"
                        + "{'tool_calls':[{'index':'2','id':'b','function':{'name':'v','arguments':'{}'}}]};"
                        + "{'tool_calls':[{'index':'1','function':{'arguments':'{\\'c\\':1}'}}]}"
                        + "|w{'c':1} v{}",
                // Several calls in one chunk, without index
                "{'tool_calls':[{'function':{'name':'w','arguments':'{\\'c\\':1'}},{'function':{'name':'v','arguments':''}}]};"
                        + "{'tool_calls':[{'function':{'arguments':'}'}},{'function':{'arguments':'{}'}}]}"
                        + "|w{'c':1} v{}",
                // Several calls in one chunk under one index
                "{'tool_calls':[{'index':0,'function':{'name':'w','arguments':''}},{'index':0,'function':{'name':'v','arguments':'{}'}}]}"
                        + "|w{} v{}",
                // Name and id in every piece
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c'}}]};"
                        + "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'\\':1}'}}]};"
                        + "{'tool_calls':[{'index':1,'id':'b','function':{'name':'w','arguments':'{}'}}]}"
                        + "|w{'c':1} w{}",
                // Name in every piece, no index, no id
                "{'tool_calls':[{'function':{'name':'w','arguments':'{\\'c'}}]};"
                        + "{'tool_calls':[{'function':{'name':'w','arguments':'\\':1}'}}]}"
                        + "|w{'c':1}",
                // A new id for each piece
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':''}}]};"
                        + "{'tool_calls':[{'index':0,'id':'b','function':{'arguments':'{\\'c\\':1}'}}]}"
                        + "|w{'c':1}",
                // One id for all calls
                "{'tool_calls':[{'index':0,'id':'x','function':{'name':'w','arguments':'{\\'c\\':1}'}}]};"
                        + "{'tool_calls':[{'index':1,'id':'x','function':{'name':'w','arguments':'{\\'c\\':2}'}}]}"
                        + "|w{'c':1} w{'c':2}",
                // An id that is empty in later pieces
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{'}}]};"
                        + "{'tool_calls':[{'index':0,'id':'','function':{'name':'','arguments':'}'}}]}"
                        + "|w{}",
                // Arguments as an object
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':{'c':1}}}]}|w{'c':1}",
                // Arguments encoded twice
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'\\'{\\\\\\'c\\\\\\':1}\\''}}]}|w{'c':1}",
                // An empty object, then the arguments
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{}'}}]};"
                        + "{'tool_calls':[{'index':0,'function':{'arguments':'{\\'c\\':1}'}}]}|w{'c':1}",
                // The whole arguments again at the end
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c\\':1}'}}]};"
                        + "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c\\':1}'}}]}|w{'c':1}",
                // Null arguments, a single call that is no list, and the field of older servers
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':null}}]}|w{}",
                "{'tool_calls':{'id':'a','function':{'name':'w','arguments':'{}'}}}|w{}",
                "{'function_call':{'name':'w','arguments':'{\\'c'}};{'function_call':{'arguments':'\\':1}'}}|w{'c':1}",
                // Name and arguments at the level of the id
                "{'tool_calls':[{'id':'a','name':'w','arguments':{'c':1}}]}|w{'c':1}",
                // Noise
                "{'tool_calls':null};{'tool_calls':[]};{'tool_calls':[{}]};{'tool_calls':[null,{'index':0,'function':{'name':'w'}}]}|w{}",
                // A call that cannot be read is not performed
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c\\':'}}]}|unreadable",
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'{\\'c\\':1}{'}}]}|unreadable",
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':'[1]'}}]}|unreadable",
                "{'tool_calls':[{'index':0,'id':'a','function':{'name':'w','arguments':7}}]}|unreadable",
            })
    void readsTheCalls_howeverTheyAreSent(String deltas, String calls) {
        // The quotation marks within arguments are escaped in the stream.
        var answer = deltas(
                deltas.replace("\\\\\\'", "\\\\\\\"").replace("\\'", "\\\"").split(";"));

        assertThat(said(answer)).isEqualTo(calls);
        assertThat(answer.calls().stream().map(call -> call.id()).distinct()).hasSameSizeAs(answer.calls());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stop", "tool_calls", "function_call", "STOP", "eos", "weird"})
    void readsCalls_withAnyFinishReason(String reason) {
        var answer = read(COMPLETIONS, """
                data: {"choices":[{"message":{"tool_calls":[{"function":{"name":"w","arguments":{"c":1}}}]}}]}

                data: {"choices":[{"delta":{},"finish_reason":"REASON"}],"usage":null}

                """.replace("REASON", reason));

        assertThat(said(answer)).isEqualTo("w{'c':1}");
        assertThat(answer.ending()).isEqualTo(ModelResponse.Ending.WHOLE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", "\r"})
    void readsLinesOfEveryKind_withCommentsAndEventsOfSeveralLines(String end) {
        var events = """
                \ufeffdata: {"choices":[{"delta":{"role":"assistant"}}]}
                : OPENROUTER PROCESSING

                event: chunk
                id: 1
                data: {"choices":[],"usage":null}

                data: {"choices":[{"delta":
                data: {"content":"Pa"}}]}

                : keep-alive
                data:{"choices":[{"delta":{"content":"ris"}}]}
                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"w"}}]}}]}

                data: ping
                data: data: {"choices":[{"message":{"content":""},"finish_reason":""}],"usage":{"prompt_tokens":3}}

                data: [DONE]
                """.replace("\n", end);
        var received = new StringBuilder();
        var live = new StreamedCompletions(true)
                .eventReader(event -> received.append(new StreamedCompletions(true).text(event)));

        var answer = read(COMPLETIONS, events);
        for (var one : Buffer.buffer(events).getBytes()) {
            live.accept(Buffer.buffer(new byte[] {one}));
        }

        assertThat(answer.text()).isEqualTo("Paris");
        assertThat(said(answer)).isEqualTo("w{}");
        assertThat(answer.consumption().inputTokens()).isEqualTo(3);
        assertThat(received).hasToString("Paris");
    }

    /** A lost piece may leave arguments that are JSON and not what the model wrote. */
    @Test
    void refusesAStreamWithAnEventThatCannotBeRead() {
        var events = """
                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"w","arguments":"{"}}]}}]}

                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"a\\":1,

                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\\"b\\":2}"}}]},"finish_reason":"stop"}]}

                data: [DONE]

                """;

        assertThatThrownBy(() -> read(COMPLETIONS, events))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not JSON");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'error':{'message':'No credit'}}",
                "{'error':'No credit'}",
                "{'choices':[{'error':{'message':'No credit'}}]}"
            })
    void reportsAnErrorInTheStream(String event) {
        assertThatThrownBy(() -> read(COMPLETIONS, "data: " + event.replace('\'', '"') + "\n\ndata: [DONE]\n\n"))
                .hasMessage("No credit");
    }

    @Test
    void takesTheTextOnce_whenAWholeMessageFollowsThePieces() {
        var answer = read(COMPLETIONS, """
                data: {"choices":[{"delta":{"content":"ha"}}]}

                data: {"choices":[{"delta":{"content":"ha"}}]}

                data: {"choices":[{"message":{"content":"haha"},"finish_reason":"stop"}]}

                """);

        assertThat(answer.text()).isEqualTo("haha");
    }

    @Test
    void readsAWholeMessageLikeAStream() {
        var answer = COMPLETIONS.read(Json.trusted("""
                {"choices":[{"finish_reason":"stop","message":{"content":null,"tool_calls":[
                  {"function":{"name":"w","arguments":{"c":1}}},
                  {"id":"a","function":{"name":"w","arguments":""}},
                  {"id":"a","function":{"name":"v","arguments":"{"}}]}}]}
                """));

        assertThat(said(answer)).isEqualTo("w{'c':1} w{} unreadable");
        assertThat(answer.calls().stream().map(call -> call.id()).distinct()).hasSize(3);
    }

    /** Earlier calls of tools that do not exist, or without a name, must not make every later request fail. */
    @Test
    void sendsBackOnlyNamesThatAreAccepted() {
        var answer = deltas("{'tool_calls':[{'id':'a','function':{'name':'functions.get weather','arguments':'{'}},"
                + "{'id':'b','function':{'arguments':'{}'}}]}");

        var body = COMPLETIONS.write(
                "m", ModelRequest.of("", new ModelMessage.AssistantMessage("", answer.calls(), answer.raw()), 10));

        assertThat(body.at("/messages/0/tool_calls")
                        .valueStream()
                        .map(call -> call.at("/function/name").asText()))
                .containsExactly("functions_get_weather", "unknown");
        assertThat(body.at("/messages/0/tool_calls/0/function/arguments").asText())
                .isEqualTo("{}");
    }
}
