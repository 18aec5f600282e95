package io.millrace.piece.builtin.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.support.piece.FakeStepContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorePieceTest {
    /** Results were compared with version 0.6.20 of the package. */
    @ParameterizedTest(name = "{0} of {1}, {2} -> {3}, then {4}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            get              | 5            | {'key':'k'}                            | 5              | 5
            get              | absent       | {'key':'k'}                            | nothing        | absent
            get              | absent       | {'key':'k','defaultValue':'d'}         | 'd'            | absent
            get              | false        | {'key':'k','defaultValue':'d'}         | false          | false
            get              | null         | {'key':'k','defaultValue':'d'}         | 'd'            | null
            put              | 1            | {'key':'k','value':'2'}                | '2'            | '2'
            append           | absent       | {'key':'k','value':'1','separator':','} | '1'           | '1'
            append           | '1'          | {'key':'k','value':'2'}                | '12'           | '12'
            append           | '1'          | {'key':'k','value':'2','separator':'\\\\n,\\\\n'} | '1\\n,\\n2' | '1\\n,\\n2'
            append           | '1'          | {'key':'k','value':''}                 | '1'            | '1'
            append           | ''           | {'key':'k','value':'3','separator':','} | '3'           | '3'
            append           | 5            | {'key':'k','value':'3'}                | failure        | 5
            remove_value     | 1            | {'key':'k'}                            | {'success':true} | absent
            remove_value     | absent       | {'key':'k'}                            | {'success':true} | absent
            add_to_list      | absent       | {'key':'k','value':['a','b']}          | ['a','b']      | ['a','b']
            add_to_list      | ['a']        | {'key':'k','value':'[1]'}              | ['a',1]        | ['a',1]
            add_to_list      | ['a']        | {'key':'k','value':['a']}              | ['a','a']      | ['a','a']
            add_to_list      | ['a']        | {'key':'k','value':['a','c','c'],'ignore_if_exists':true} | ['a','c'] | ['a','c']
            add_to_list      | [{'a':1,'b':[2]}] | {'key':'k','value':[{'b':['2'],'a':1}],'ignore_if_exists':true} | [{'a':1,'b':[2]}] | [{'a':1,'b':[2]}]
            add_to_list      | '[1]'        | {'key':'k','value':[2]}                | [1,2]          | [1,2]
            add_to_list      | {}           | {'key':'k','value':[2]}                | failure        | {}
            add_to_list      | [1]          | {'key':'k','value':'x'}                | failure        | [1]
            remove_from_list | absent       | {'key':'k','value':'a'}                | []             | []
            remove_from_list | [1,'1',2]    | {'key':'k','value':'1'}                | ['1',2]        | ['1',2]
            remove_from_list | ['a']        | {'key':'k','value':'z'}                | ['a']          | ['a']
            remove_from_list | '[1]'        | {'key':'k','value':'1'}                | failure        | '[1]'
            """)
    void answersAndStores(String action, String before, String props, String expected, String after) {
        var context = FakeStepContext.with(props);
        if (!before.equals("absent")) {
            context.store().put("COLLECTION/k", json(before));
        }

        var output = StorePiece.create().actions().get(action).run(context);

        switch (expected) {
            case "failure" -> assertThat(output.cause()).isInstanceOf(PieceFailure.class);
            case "nothing" -> assertThat(output.result()).isNull();
            default -> assertThat(output.result()).isEqualTo(json(expected));
        }
        assertThat(context.store().get("COLLECTION/k")).isEqualTo(after.equals("absent") ? null : json(after));
    }

    @ParameterizedTest
    @CsvSource({"COLLECTION", "FLOW", "RUN"})
    void keepsValuesInTheScopeThatWasChosen(String scope) {
        var context = FakeStepContext.with("{'key':'k','value':'v','store_scope':'" + scope + "'}");

        StorePiece.create().actions().get("put").run(context);

        assertThat(context.store()).containsOnlyKeys(scope + "/k");
    }

    @Test
    void refusesAKeyThatIsTooLongOrEmpty() {
        var piece = StorePiece.create();

        var tooLong = piece.actions().get("get").run(FakeStepContext.with("{'key':'" + "x".repeat(129) + "'}"));
        var empty = piece.actions().get("put").run(FakeStepContext.with("{'key':'','value':'v'}"));

        assertThat(((PieceFailure) tooLong.cause()).details().path("errorName").asText())
                .isEqualTo("StorageInvalidKeyError");
        assertThat(empty.cause()).isInstanceOf(PieceFailure.class);
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
