package io.millrace.piece.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects in responses of models that may or may not call the tool for them. */
class StructuredAnswerTest {
    private static final ToolSchema SCHEMA = ToolSchema.of(object("""
            {'type':'object','required':['a b'],'properties':{'a b':{'type':'string'},'n':{'type':'integer','enum':[1,2]},
             'l':{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'object','required':['x'],'properties':{'x':{}}}]}}}}"""));
    private static final ModelRequest REQUEST = ModelRequest.of("", new ModelMessage.UserMessage("Read."), 10)
            .forcing(new ModelTool("take", "Takes.", SCHEMA.schema()));

    private static ObjectNode object(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }

    private static ModelResponse text(String text) {
        return answer(text.replace('\'', '"').replace("N", "\n"), List.of());
    }

    private static ModelResponse call(String arguments, String problem) {
        return answer("", List.of(new ToolRequest("c", "take", object(arguments), problem)));
    }

    private static ModelResponse answer(String text, List<ToolRequest> calls) {
        return new ModelResponse(text, calls, ModelResponse.Ending.WHOLE, 1, 1, List.of(), NullNode.instance);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'a b':'x'}|{'a b':'x'}",
                "{'a_b':'x','n':null}|{'a b':'x','n':null}",
                "Sure! ```jsonN{'a b':'x','n':2.0}N``` Done.|{'a b':'x','n':2.0}",
                "```N{'a b':'{ }}'}N```|{'a b':'{ }}'}",
                "{ not json } then {'a b':'x'} and {'other':1}|{'a b':'x'}",
                "{'a b':'first'} no, {'a b':'second'}|{'a b':'second'}",
                "{'name':'take','arguments':{'a b':'x'}}|{'a b':'x'}",
                "{'result':{'a b':'x'}}|{'a b':'x'}",
                "[{'a b':'x','l':['s',{'x':1}]}]|{'a b':'x','l':['s',{'x':1}]}",
            })
    void findsTheObjectThatFits(String text, String object) {
        assertThat(StructuredAnswer.in(text(text), "take", SCHEMA).value()).hasValue(object(object));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "nothing|it contains no JSON object",
                "{'a b':'x'|it contains no JSON object",
                "{'n':1}|a_b: is missing",
                "{'a b':null}|a_b: expected string, found null",
                "{'a b':'x','n':3}|n: expected one of [1,2]",
                "{'a b':'x','n':1.5}|n: expected integer",
                "{'a b':'x','l':[1]}|l/0: matches none",
                "{'a b':'x','l':{}}|l: expected array, found object",
            })
    void namesTheViolations(String text, String problem) {
        var read = StructuredAnswer.in(text(text), "take", SCHEMA);

        assertThat(read.value()).isEmpty();
        assertThat(read.problem()).contains(problem);
    }

    @Test
    void prefersTheCall_andUsesNoneThatCannotBeRead() {
        assertThat(StructuredAnswer.in(call("{'a_b':'x'}", null), "take", SCHEMA)
                        .value())
                .hasValue(object("{'a b':'x'}"));
        assertThat(StructuredAnswer.in(call("{'a_b':'x'}", "the arguments are no JSON"), "take", SCHEMA)
                        .problem())
                .contains("no JSON");
    }

    @Test
    void asksOnceMore_withWhatIsWrong() {
        var asked = new ArrayList<ModelRequest>();

        var found = StructuredAnswer.ask(REQUEST, "take", SCHEMA, request -> {
            asked.add(request);
            return Future.succeededFuture(asked.size() == 1 ? call("{'n':1}", null) : text("{'a b':'x'}"));
        });

        assertThat(found.result()).isEqualTo(object("{'a b':'x'}"));
        assertThat(asked.getLast().messages()).hasSize(3);
        assertThat(asked.getLast().messages().getLast())
                .isInstanceOfSatisfying(ModelMessage.ToolResultMessage.class, result -> {
                    assertThat(result.failed()).isTrue();
                    assertThat(result.text()).contains("a_b: is missing").contains("\"required\"");
                });
    }

    @Test
    void showsWhatCame_afterTheSecondAnswer() {
        var asked = new ArrayList<ModelRequest>();

        var found = StructuredAnswer.ask(REQUEST, "take", SCHEMA, request -> {
            asked.add(request);
            return Future.succeededFuture(text("I would rather not."));
        });

        assertThat(asked).hasSize(2);
        assertThat(found.cause())
                .isInstanceOf(StructuredAnswer.Misfit.class)
                .hasMessageContaining("I would rather not.")
                .hasMessageContaining("no JSON object");
    }
}
