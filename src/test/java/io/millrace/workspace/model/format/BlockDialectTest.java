package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelResponse;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tool calls in the dialects of servers of the messages, contents, Converse and responses formats. */
class BlockDialectTest {
    private static ModelResponse read(ModelFormat format, String events) {
        var stream = format.streamed().orElseThrow();
        return format.read(stream.whole(stream.events(Buffer.buffer(events))));
    }

    private static String said(ModelResponse answer) {
        return answer.calls().stream()
                .map(call -> call.problem() == null ? call.name() + Json.text(call.arguments()) : "unreadable")
                .collect(Collectors.joining(" "))
                .replace('"', '\'');
    }

    /** Blocks of messages under one index, without an index, with the whole input at once, and without the last event. */
    @ParameterizedTest
    @ValueSource(strings = {"\"index\":0,", "\"index\":\"1\",", ""})
    void readsBlocksOfMessages_howeverTheyAreNumbered(String index) {
        var answer = read(new AnthropicMessages(), """
                data: {"type":"content_block_start",INDEX"content_block":{"type":"thinking","thinking":""}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"thinking_delta","thinking":"Hm."}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"signature_delta","signature":"c2ln"}}
                data: {"type":"content_block_start",INDEX"content_block":{"type":"text","text":""}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"text_delta","text":"Well."}}
                data: {"type":"content_block_start",INDEX"content_block":{"type":"tool_use","id":"a","name":"w","input":{}}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"input_json_delta","partial_json":"{\\"c\\""}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"input_json_delta","partial_json":":1}"}}
                data: {"type":"content_block_start",INDEX"content_block":{"type":"tool_use","id":"b","name":"w","input":{"c":2}}}
                data: {"type":"content_block_start",INDEX"content_block":{"type":"tool_use","id":"b","name":"w","input":null}}
                data: {"type":"content_block_delta",INDEX"delta":{"type":"input_json_delta","partial_json":{"c":3}}}
                data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}
                """.replace("INDEX", index));

        assertThat(answer.text()).isEqualTo("Well.");
        assertThat(answer.thoughts()).isEqualTo("Hm.");
        assertThat(said(answer)).isEqualTo("w{'c':1} w{'c':2} w{'c':3}");
        assertThat(answer.raw().path(0))
                .isEqualTo(Json.trusted("{\"type\":\"thinking\",\"thinking\":\"Hm.\",\"signature\":\"c2ln\"}"));
        assertThat(answer.calls().stream().map(call -> call.id()).distinct()).hasSize(3);
    }

    @Test
    void keepsACallOfMessages_whoseBeginIsLost() {
        var answer = read(new AnthropicMessages(), """
                data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"c\\":1}"}}
                data: {"type":"message_stop"}
                """);

        assertThat(said(answer)).isEqualTo("{'c':1}");
    }

    @Test
    void readsArgumentsOfGemini_asTextAndWithoutAny() {
        var answer = read(new GoogleContents(), """
                data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"w","args":"{\\"c\\":1}"}}]}}]}

                data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"w","args":null}},{"functionCall":{"name":"w"}}]}}]}

                data: [DONE]

                """);

        assertThat(said(answer)).isEqualTo("w{'c':1} w{} w{}");
        assertThat(answer.raw().at("/1/functionCall/args").isObject()).isTrue();
    }

    @Test
    void readsBlocksOfConverse_underOneIndex() {
        var stream = new StreamedConverse();
        var events = Buffer.buffer();
        for (var event : List.of(
                "contentBlockDelta {'contentBlockIndex':0,'delta':{'reasoningContent':{'text':'Hm.'}}}",
                "contentBlockDelta {'contentBlockIndex':0,'delta':{'text':'Well.'}}",
                "contentBlockStart {'contentBlockIndex':0,'start':{'toolUse':{'toolUseId':'a','name':'w'}}}",
                "contentBlockDelta {'contentBlockIndex':0,'delta':{'toolUse':{'input':'{}'}}}",
                "contentBlockStart {'contentBlockIndex':0,'start':{'toolUse':{'toolUseId':'b','name':'w'}}}",
                "contentBlockDelta {'contentBlockIndex':0,'delta':{'toolUse':{'input':{'c':2}}}}",
                "contentBlockStart {'start':{'toolUse':{'toolUseId':'c','name':'w','input':{'c':3}}}}",
                "messageStop {'stopReason':'end_turn'}")) {
            var space = event.indexOf(' ');
            events.appendBuffer(EventFrameWriter.event(
                    event.substring(0, space), event.substring(space + 1).replace('\'', '"')));
        }

        var answer = new BedrockConverse().read(stream.whole(stream.events(events)));

        assertThat(answer.text()).isEqualTo("Well.");
        assertThat(answer.thoughts()).isEqualTo("Hm.");
        assertThat(said(answer)).isEqualTo("w{} w{'c':2} w{'c':3}");
    }

    /** The last event has no output, or no arguments, or is missing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"response.completed\",\"response\":{\"output\":[]}}",
                "{\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"function_call\",\"id\":\"i1\","
                        + "\"call_id\":\"a\",\"name\":\"w\",\"arguments\":\"\"},{\"type\":\"function_call\",\"id\":\"i2\","
                        + "\"name\":\"w\",\"arguments\":{\"c\":2}}]}}",
                "[DONE]"
            })
    void readsItemsOfResponses_fromTheEventsBefore(String last) {
        var answer = read(new Responses(), """
                data: {"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"i1","call_id":"a","name":"w","arguments":""}}
                data: {"type":"response.function_call_arguments.delta","item_id":"i1","delta":"{\\"c\\":"}
                data: {"type":"response.function_call_arguments.delta","item_id":"i1","delta":"1}"}
                data: {"type":"response.output_item.done","item":{"type":"function_call","id":"i1","call_id":"a","name":"w"}}
                data: {"type":"response.output_item.done","item":{"type":"function_call","id":"i2","name":"w","arguments":{"c":2}}}
                data: LAST
                """.replace("LAST", last));

        assertThat(said(answer)).isEqualTo("w{'c':1} w{'c':2}");
    }
}
