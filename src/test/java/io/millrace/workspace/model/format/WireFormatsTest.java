package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelFile;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelResponse;
import io.millrace.piece.model.ModelResponse.Ending;
import io.millrace.piece.model.ModelTool;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every wire format with responses from its vendor's documentation, all with the same content. */
class WireFormatsTest {
    /**
     * A format, and how its vendor says the same things in it.
     *
     * @param malformed a call whose arguments are no JSON; null where the format cannot say it
     * @param results location of the results of two calls in the second request
     */
    record Dialect(
            String name,
            ModelFormat format,
            String text,
            String calls,
            String malformed,
            String refusal,
            String cutOff,
            List<String> results) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Dialect> dialects() {
        return Stream.of(
                new Dialect(
                        "chat completions",
                        new ChatCompletions("max_tokens", false, new StreamedCompletions(true)),
                        """
                        {'id':'1','object':'chat.completion','choices':[{'index':0,'finish_reason':'stop','message':
                         {'role':'assistant','content':'Paris.','refusal':null}}],
                         'usage':{'prompt_tokens':10,'completion_tokens':5,'total_tokens':15}}
                        """,
                        """
                        {'choices':[{'finish_reason':'tool_calls','message':{'role':'assistant','content':null,'tool_calls':[
                         {'id':'c1','type':'function','function':{'name':'add','arguments':'{\\"n\\":1}'}},
                         {'id':'c2','type':'function','function':{'name':'add','arguments':'{\\"n\\":2}'}}]}}]}
                        """,
                        """
                        {'choices':[{'finish_reason':'tool_calls','message':{'role':'assistant','content':null,'tool_calls':[
                         {'id':'c1','type':'function','function':{'name':'add','arguments':'{n: 1'}}]}}]}
                        """,
                        """
                        {'choices':[{'finish_reason':'stop','message':
                         {'role':'assistant','content':null,'refusal':'I will not.'}}]}
                        """,
                        "{'choices':[{'finish_reason':'length','message':{'role':'assistant','content':'One, '}}]}",
                        List.of("/messages/2/content", "/messages/3/content")),
                new Dialect(
                        "responses",
                        new Responses(),
                        """
                        {'status':'completed','output':[{'type':'message','role':'assistant','content':
                         [{'type':'output_text','text':'Paris.','annotations':[]}]}],
                         'usage':{'input_tokens':10,'output_tokens':5}}
                        """,
                        """
                        {'output':[{'type':'function_call','call_id':'c1','name':'add','arguments':'{\\"n\\":1}'},
                         {'type':'function_call','call_id':'c2','name':'add','arguments':'{\\"n\\":2}'}]}
                        """,
                        "{'output':[{'type':'function_call','call_id':'c1','name':'add','arguments':'{n: 1'}]}",
                        """
                        {'output':[{'type':'message','role':'assistant','content':
                         [{'type':'refusal','refusal':'I will not.'}]}]}
                        """,
                        """
                        {'status':'incomplete','incomplete_details':{'reason':'max_output_tokens'},'output':[{'type':'message',
                         'role':'assistant','content':[{'type':'output_text','text':'One, '}]}]}
                        """,
                        List.of("/input/3/output", "/input/4/output")),
                new Dialect(
                        "messages",
                        new AnthropicMessages(),
                        """
                        {'type':'message','role':'assistant','stop_reason':'end_turn','content':
                         [{'type':'text','text':'Paris.'}],'usage':{'input_tokens':10,'output_tokens':5}}
                        """,
                        """
                        {'stop_reason':'tool_use','content':[{'type':'tool_use','id':'c1','name':'add','input':{'n':1}},
                         {'type':'tool_use','id':'c2','name':'add','input':{'n':2}}]}
                        """,
                        "{'stop_reason':'tool_use','content':[{'type':'tool_use','id':'c1','name':'add','input':'{n: 1'}]}",
                        "{'stop_reason':'refusal','content':[{'type':'text','text':'I will not.'}]}",
                        "{'stop_reason':'max_tokens','content':[{'type':'text','text':'One, '}]}",
                        List.of("/messages/2/content/0/content", "/messages/2/content/1/content")),
                new Dialect(
                        "contents",
                        new GoogleContents(),
                        """
                        {'candidates':[{'finishReason':'STOP','content':{'role':'model','parts':[{'text':'Paris.'}]}}],
                         'usageMetadata':{'promptTokenCount':10,'candidatesTokenCount':5}}
                        """,
                        """
                        {'candidates':[{'finishReason':'STOP','content':{'role':'model','parts':[
                         {'functionCall':{'id':'c1','name':'add','args':{'n':1}}},
                         {'functionCall':{'id':'c2','name':'add','args':{'n':2}}}]}}]}
                        """,
                        """
                        {'candidates':[{'finishReason':'STOP','content':{'role':'model','parts':[
                         {'functionCall':{'id':'c1','name':'add','args':'{n: 1'}}]}}]}
                        """,
                        """
                        {'candidates':[{'finishReason':'SAFETY','content':{'role':'model','parts':[{'text':'I will not.'}]}}]}
                        """,
                        """
                        {'candidates':[{'finishReason':'MAX_TOKENS','content':{'role':'model','parts':[{'text':'One, '}]}}]}
                        """,
                        List.of(
                                "/contents/2/parts/0/functionResponse/response/result",
                                "/contents/2/parts/1/functionResponse/response/result")));
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static ObjectNode schema() {
        return (ObjectNode) json("{'type':'object','properties':{'n':{'type':'number'}},'required':['n']}");
    }

    private static ModelRequest question(List<ModelMessage> messages, ModelRequest.ToolUse use) {
        return new ModelRequest(
                "You add.",
                messages,
                List.of(new ModelTool("add", "Adds.", schema())),
                use,
                OptionalInt.of(100),
                OptionalDouble.of(0.5),
                Optional.empty());
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void readsATextAndWhatItCost(Dialect dialect) {
        var answer = dialect.format().read(json(dialect.text()));

        assertThat(answer.text()).isEqualTo("Paris.");
        assertThat(answer.ending()).isEqualTo(Ending.WHOLE);
        assertThat(answer.consumption().inputTokens()).isEqualTo(10);
        assertThat(answer.consumption().outputTokens()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void readsCallsMadeAtOnce_andSendsTheirResultsBackInTheirOrder(Dialect dialect) {
        // Given
        var answer = dialect.format().read(json(dialect.calls()));

        // Then
        assertThat(answer.calls())
                .extracting(call -> call.arguments().path("n").asInt())
                .containsExactly(1, 2);

        // When
        var messages = new ArrayList<ModelMessage>();
        messages.add(new ModelMessage.UserMessage("Add them."));
        messages.add(new ModelMessage.AssistantMessage(answer.text(), answer.calls(), answer.raw()));
        messages.add(new ModelMessage.ToolResultMessage(answer.calls().get(0), "first", false));
        messages.add(new ModelMessage.ToolResultMessage(answer.calls().get(1), "second", false));
        var body = dialect.format().write("m", question(messages, new ModelRequest.ToolUse.Free()));

        // Then
        assertThat(dialect.results().stream()
                        .map(place -> withoutSystem(body).at(place).asText()))
                .as(body.toString())
                .containsExactly("first", "second");
    }

    /** Chat completions have the system prompt among the messages. */
    private static JsonNode withoutSystem(ObjectNode body) {
        var plain = body.deepCopy();
        if (plain.at("/messages/0/role").asText().equals("system")) {
            ((com.fasterxml.jackson.databind.node.ArrayNode) plain.get("messages")).remove(0);
        }
        return plain;
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void saysWhatIsWrongWithArguments_andSendsNothingBackThatWouldBeRefused(Dialect dialect) {
        // When
        var answer = dialect.format().read(json(dialect.malformed()));

        // Then
        assertThat(answer.calls()).hasSize(1);
        assertThat(answer.calls().getFirst().problem()).contains("not JSON");
        assertThat(answer.calls().getFirst().arguments()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void knowsARefusalAndACutAnswer(Dialect dialect) {
        var refused = dialect.format().read(json(dialect.refusal()));
        var cut = dialect.format().read(json(dialect.cutOff()));

        assertThat(refused.ending()).isEqualTo(Ending.REFUSED);
        assertThat(refused.text()).isEqualTo("I will not.");
        assertThat(cut.ending()).isEqualTo(Ending.CUT_OFF);
        assertThat(cut.text()).isEqualTo("One, ");
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void refusesABodyThatIsNoAnswer(Dialect dialect) {
        for (var body : List.of("{}", "{'choices':1,'output':1,'content':1,'candidates':1}")) {
            assertThatThrownBy(() -> dialect.format().read(json(body)))
                    .as(body)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void sendsPicturesAndDocuments(Dialect dialect) {
        // Given
        var files = List.of(
                new ModelFile("image/png", Buffer.buffer("picture")),
                new ModelFile("application/pdf", Buffer.buffer("document")));

        // When
        var body = dialect.format()
                .write("m", ModelRequest.of("", new ModelMessage.UserMessage("What is it?", files), 10))
                .toString();

        // Then
        assertThat(body).contains("cGljdHVyZQ==").contains("ZG9jdW1lbnQ=").contains("What is it?");
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void forcesOneTool_andBarsAll(Dialect dialect) {
        var messages = List.<ModelMessage>of(new ModelMessage.UserMessage("Add."));
        var forced = dialect.format()
                .write("m", question(messages, new ModelRequest.ToolUse.Forced("add")))
                .toString();
        var barred = dialect.format()
                .write("m", question(messages, new ModelRequest.ToolUse.Barred()))
                .toString();

        assertThat(forced).isNotEqualTo(barred).contains("add");
        assertThat(barred).containsIgnoringCase("none");
    }

    @ParameterizedTest
    @MethodSource("dialects")
    void readsBackWhatItWrites_asTheProviderWroteIt(Dialect dialect) {
        // Given
        ModelResponse answer = dialect.format().read(json(dialect.text()));
        var messages = List.<ModelMessage>of(
                new ModelMessage.UserMessage("Capital of France?"),
                new ModelMessage.AssistantMessage(answer.text(), answer.calls(), answer.raw()),
                new ModelMessage.UserMessage("Sure?"));

        // When
        var body = dialect.format().write("m", question(messages, new ModelRequest.ToolUse.Free()));

        // Then
        assertThat(body.toString())
                .contains("Capital of France?")
                .contains("Paris.")
                .contains("Sure?");
    }
}
