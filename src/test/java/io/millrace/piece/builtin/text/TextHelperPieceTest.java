package io.millrace.piece.builtin.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.sandbox.expression.value.ExpressionFailure;
import io.millrace.support.piece.FakeStepContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TextHelperPieceTest {
    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = ';', quoteCharacter = '`', textBlock = """
            concat       ; {'texts':['a','b']}                                    ; 'ab'
            concat       ; {'texts':['a',5,null,true],'separator':', '}           ; 'a, 5, , true'
            concat       ; {'texts':[]}                                           ; ''
            split        ; {'text':'a.b.c','delimiter':'.'}                       ; ['a','b','c']
            split        ; {'text':'abc','delimiter':''}                          ; ['a','b','c']
            split        ; {'text':',a,','delimiter':','}                         ; ['','a','']
            split        ; {'text':'','delimiter':','}                            ; ['']
            replace      ; {'text':'a1b22','searchValue':'[0-9]+','replaceValue':'#'} ; 'a#b#'
            replace      ; {'text':'a1b22','searchValue':'[0-9]+','replaceValue':'#','replaceOnlyFirst':true} ; 'a#b22'
            replace      ; {'text':'a-b','searchValue':'-'}                       ; 'ab'
            replace      ; {'text':'John Smith','searchValue':'(\\\\w+) (\\\\w+)','replaceValue':'$2, $1 $& $$ $3'} ; 'Smith, John John Smith $ $3'
            replace      ; {'text':'ab','searchValue':'(?<x>b)','replaceValue':'<$<x>>'} ; 'a<b>'
            replace      ; {'text':'ab','searchValue':'b','replaceValue':'$<x>'}  ; 'a$<x>'
            replace      ; {'text':'abc','searchValue':'b','replaceValue':'[$`|$\\u0027]'} ; 'a[a|c]c'
            replace      ; {'text':'Hi {name}','searchValue':'{name}','replaceValue':'Bo'} ; 'Hi Bo'
            replace      ; {'text':'ab','searchValue':'x*','replaceValue':'-'}    ; '-a-b-'
            replace      ; {'text':'a\\u00a0b','searchValue':'\\\\s','replaceValue':'_'} ; 'a_b'
            replace      ; {'text':'a&&b[c','searchValue':'[&[]','replaceValue':''} ; 'abc'
            replace      ; {'text':'ab\\n','searchValue':'b$','replaceValue':'x'} ; 'ab\\n'
            replace      ; {'text':'Qa','searchValue':'\\\\Qa','replaceValue':'x'} ; 'x'
            find         ; {'text':'order 17 of 20','expression':'(\\\\d+) of (\\\\d+)'} ; ['17 of 20','17','20']
            find         ; {'text':'ab','expression':'(x)?b'}                     ; ['b',null]
            find         ; {'text':'ab','expression':'x'}                         ; null
            find         ; {'text':'AB','expression':'ab'}                        ; null
            find         ; {'text':'AB','expression':'ab','ignoreCase':true}      ; ['AB']
            find_all     ; {'text':'a1 b22 A3','expression':'[a-z](\\\\d+)'}   ; ['a1','b22']
            find_all     ; {'text':'a1 b22 A3','expression':'[a-z]\\\\d','ignoreCase':true} ; ['a1','b2','A3']
            find_all     ; {'text':'ab','expression':'x'}                         ; []
            slugify      ; {'text':' Äpfel & Straße: 50%, (ok)! '}               ; 'Apfel-and-Strasse:-50percent-(ok)!'
            json_to_ascii_table ; {'data':[]}                                    ; ''
            json_to_ascii_table ; {'data':[{'a':1,'bc':'x'},{'a':'long','d':null}]} ; '+------+----+---+\\n| a    | bc | d |\\n+------+----+---+\\n| 1    | x  |   |\\n| long |    |   |\\n+------+----+---+'
            defaultValue ; {'defaultString':'d'}                                  ; 'd'
            defaultValue ; {'value':'','defaultString':'d'}                       ; 'd'
            defaultValue ; {'value':'v','defaultString':'d'}                      ; 'v'
            """)
    void computes(String action, String props, String expected) {
        var context = FakeStepContext.with(props);

        var output = TextHelperPiece.create().actions().get(action).run(context);

        assertThat(output.result()).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"(", "[a", "a++", "(?i)a", "a{2,1}", "\\k<x>(?<y>a)"})
    void refusesAnInvalidExpression(String expression) {
        var props = Json.object().put("text", "aaa").put("expression", expression);

        var output = TextHelperPiece.create().actions().get("find").run(FakeStepContext.with(Json.text(props)));

        assertThat(output.cause()).isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "(a+)+b",
                "(a|aa)+b",
                "(a|b)*c",
                "(?:(?:){999999999}){999999999}",
                "(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)(?:|)[]"
            })
    void endsInBoundedTime_whenAnExpressionWouldTryForEver(String expression) {
        var props = Json.object().put("text", "a".repeat(50_000)).put("expression", expression);

        var output = TextHelperPiece.create().actions().get("find").run(FakeStepContext.with(Json.text(props)));

        assertThat(output.cause())
                .isInstanceOfSatisfying(
                        ExpressionFailure.class,
                        failure -> assertThat(failure.errorName()).isEqualTo(ExpressionFailure.LIMIT_EXCEEDED));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            <p>Hi <b>Bo</b>b</p><p>a &lt; b &amp;&nbsp;c &#233; &bogus; 1 < 2</p>         | Hi Bob a < b & c é &bogus; 1 < 2
            <style>p{}</style>x<!-- <b> --><br title=">">y<script>if(a</b){}</script> z   | x y z
            a <b                                                                          | a
            """)
    void leavesTheTextOfAPage(String html, String expected) {
        var props = Json.text(Json.object().put("html", html));

        var output = TextHelperPiece.create().actions().get("stripHtml").run(FakeStepContext.with(props));

        assertThat(output.result().asText()).isEqualTo(expected);
    }

    @Test
    void refusesAResultBeyondAllMeasure() {
        var many = Json.object().put("text", "a".repeat(1_000_001)).put("delimiter", "");
        var wide = Json.object().put("separator", "-".repeat(1_000_000));
        var texts = wide.putArray("texts");
        for (var i = 0; i < 20; i++) {
            texts.add("");
        }

        var split = TextHelperPiece.create().actions().get("split").run(FakeStepContext.with(Json.text(many)));
        var joined = TextHelperPiece.create().actions().get("concat").run(FakeStepContext.with(Json.text(wide)));

        assertThat(split.cause()).isInstanceOf(PieceFailure.class);
        assertThat(joined.cause()).isInstanceOf(PieceFailure.class);
    }

    @Test
    void declaresItsActionsPure() {
        assertThat(TextHelperPiece.create().actions().values())
                .allMatch(action -> action.spec().pure());
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
