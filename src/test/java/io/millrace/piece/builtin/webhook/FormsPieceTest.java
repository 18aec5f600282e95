package io.millrace.piece.builtin.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.TriggerSpec;
import io.millrace.support.MachineSpeed;
import io.millrace.support.piece.FakeStepContext;
import io.millrace.support.piece.FakeTriggerContext;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FormsPieceTest {
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            My First Input "x"  | myFirstInput x
            Name                | name
            E-Mail  Address     | e-mailAddress
            news? 2x            | news?2x
            it's\\ö             | itsö
            """)
    void derivesTheFieldOfAnInput(String displayName, String expected) {
        assertThat(FormTrigger.keyOf(displayName)).isEqualTo(expected);
    }

    @Test
    void derivesTheFieldOfARunOfBlanksInTheTimeOfAScan() {
        var displayName = "a" + " ".repeat(1_000_000) + "!";

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(Duration.ofSeconds(20)),
                () -> assertThat(FormTrigger.keyOf(displayName)).isEqualTo(displayName));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'sure':true,'x':1}  | [{'sure':true,'x':1}]
            {'sure':'False'}     | [{'sure':false}]
            {'x':[1]}            | [{'x':[1]}]
            {'sure':null}        | [{'sure':null}]
            """)
    void startsAFlowWithAForm(String body, String expected) {
        assertThat(sent("form_submission", "{'inputs':[{'displayName':'Sure','type':'toggle'}]}", body)
                        .result())
                .isEqualTo(list(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'sure':'yes'}", "{'sure':2}", "'text'", "[]"})
    void refusesWhatIsNoSuchForm(String body) {
        assertThat(sent("form_submission", "{'inputs':[{'displayName':'Sure','type':'toggle'}]}", body)
                        .cause())
                .isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'sessionId':'s','message':'m'}                                       | {'sessionId':'s','message':'m','files':[]}
            {'chatId':'c','message':'m','file[10]':'k','file[2]':'b','fine':'x'}  | {'sessionId':'c','message':'m','files':['b','k']}
            {'sessionId':'s','message':'m','files[0]':'a','files[1]':'b'}         | {'sessionId':'s','message':'m','files':['a','b']}
            {'sessionId':'s','message':'m','files':['a']}                         | {'sessionId':'s','message':'m','files':['a']}
            {'sessionId':'s','message':'m','files':'a'}                           | {'sessionId':'s','message':'m','files':['a']}
            """)
    void startsAFlowWithAMessage(String body, String expected) {
        assertThat(sent("chat_submission", "{}", body).result()).isEqualTo(list("[" + expected + "]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'message':'m'}", "{'sessionId':'s'}", "{'sessionId':'s','message':null}", "'m'"})
    void refusesWhatIsNoMessage(String body) {
        assertThat(sent("chat_submission", "{}", body).cause()).isInstanceOf(PieceFailure.class);
    }

    @Test
    void answersWithATextAlone_andContinues() {
        var context = FakeStepContext.with("{'markdown':'*hi*'}");

        var output = FormsPiece.create().actions().get("return_response").run(context);

        assertThat(output.result()).isEqualTo(json("{'type':'markdown','value':'*hi*','files':[]}"));
        assertThat(context.respondedWith.body()).isEqualTo(output.result());
        assertThat(context.stoppedWith).isNull();
    }

    @Test
    void waitsForEventsOnly() {
        assertThat(FormsPiece.create().triggers().values())
                .allMatch(trigger -> trigger.spec().strategy() == TriggerSpec.Strategy.WEBHOOK)
                .hasSize(3);
    }

    private static Future<List<JsonNode>> sent(String trigger, String props, String body) {
        var payload = Json.object();
        payload.set("body", json(body));
        return FormsPiece.create().triggers().get(trigger).run(FakeTriggerContext.with(json(props), payload));
    }

    private static List<JsonNode> list(String items) {
        return json(items).valueStream().toList();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
