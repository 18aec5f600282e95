package io.millrace.piece.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.ComputedAction;
import io.millrace.support.piece.FakeStepContext;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Crypto, CSV, JSON and XML. */
class DataPiecesTest {
    private static final Map<String, Piece> PIECES = Builtins.all(InstantSource.system(), new Random(1)).stream()
            .collect(Collectors.toMap(
                    piece -> piece.spec().name().replace("@activepieces/piece-", ""), Function.identity()));

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            crypto | hash-text | {'method':'md5','text':'ä'} | '8419b71c87a225a2c70b50486fbee545'
            crypto | hash-text | {'method':'sha256','text':''} | 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
            crypto | hash-text | {'method':'sha3-512','text':''} | 'a69f73cca23a9ac5c8b567dc185a756e97c982164fe25859e0d1dcc1475c80a615b2123af1f5f94c11e3e9402c3ac558f500199d95b6d3e301758586281dcd26'
            crypto | hmac-signature | {'secretKey':'key','secretKeyEncoding':'utf-8','method':'sha256','text':'The quick brown fox jumps over the lazy dog'} | 'f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8'
            crypto | hmac-signature | {'secretKey':'6b6579','secretKeyEncoding':'hex','method':'md5','text':'The quick brown fox jumps over the lazy dog','outputEncoding':'base64'} | 'gAcHE0Y+d0m5DC3CSRHidQ=='
            crypto | base64-encode | {'text':'häh'} | 'aMOkaA=='
            crypto | base64-decode | {'text':'aMOkaA'} | 'häh'
            csv | convert_csv_to_json | {'csv_text':'a,b\\n1,\\u0022x, \\u0022\\u0022y\\u0022\\u0022\\u0022\\n\\n2,','delimiter_type':','} | [['a','b'],['1','x, \\u0022y\\u0022'],['2','']]
            csv | convert_csv_to_json | {'csv_text':'\\uFEFFa\\tb\\r\\n1\\t2\\r\\n3','has_headers':true,'delimiter_type':'\\t'} | [{'a':'1','b':'2'},{'a':'3'}]
            csv | convert_csv_to_json | {'csv_text':'','has_headers':true} | []
            csv | convert_csv_to_json | {'csv_text':'a,b','has_headers':true,'delimiter_type':'comma'} | []
            csv | convert_csv_to_json | {'csv_text':'Name,Name,Name_2,Name\\n1,2,3,4','has_headers':true} | [{'Name':'1','Name_3':'2','Name_2':'3','Name_4':'4'}]
            csv | convert_csv_to_json | {'csv_text':'Name,Name,Name\\n1,2','has_headers':true} | [{'Name':'1','Name_2':'2'}]
            csv | convert_csv_to_json | {'csv_text':'Name;Name;\\n1;2;3','has_headers':true,'delimiter_type':'auto'} | [{'Name':'1','Name_2':'2','':'3'}]
            csv | convert_csv_to_json | {'csv_text':',\\n1,2','has_headers':true} | [{'':'1','_2':'2'}]
            csv | convert_csv_to_json | {'csv_text':'sep=;\\r\\nName;name;Name\\r\\n1;2;3','has_headers':true,'delimiter_type':'auto'} | [{'Name':'1','name':'2','Name_2':'3'}]
            csv | convert_csv_to_json | {'csv_text':'Last, first;City\\nBerg, A;Ulm','has_headers':true,'delimiter_type':'auto'} | [{'Last, first':'Berg, A','City':'Ulm'}]
            csv | convert_csv_to_json | {'csv_text':'Last, first, title;City\\nBerg, A, Dr.;Ulm','delimiter_type':'auto'} | [['Last, first, title','City'],['Berg, A, Dr.','Ulm']]
            csv | convert_csv_to_json | {'csv_text':'a, b\\n1, 2','delimiter_type':'auto'} | [['a',' b'],['1',' 2']]
            csv | convert_json_to_csv | {'json_array':[]} | ''
            csv | convert_json_to_csv | {'json_array':[{'a.b':1,'a':{'b':2}},{'a':{'b':3}}]} | 'a.b,a.b_2\\n1,2\\n,3\\n'
            csv | convert_json_to_csv | {'json_array':[{'a':[1],'a.0':2}]} | 'a.0,a.0_2\\n1,2\\n'
            csv | convert_json_to_csv | {'json_array':[{'':1,'a':2}]} | ',a\\n1,2\\n'
            csv | convert_json_to_csv | {'json_array':[{'a':''},{'a':'x'}]} | 'a\\n\\u0022\\u0022\\nx\\n'
            csv | convert_json_to_csv | {'json_array':[{'a':null,'b':[]}]} | 'a,b\\n\\u0022\\u0022,\\n'
            csv | convert_json_to_csv | {'json_array':[{'sep=;':1,'b':2}]} | '\\u0022sep=;\\u0022,b\\n1,2\\n'
            csv | convert_json_to_csv | {'json_array':[{'__proto__':1,'id':8202522731445525542}]} | '__proto__,id\\n1,8202522731445525542\\n'
            csv | convert_csv_to_json | {'csv_text':'__proto__,a\\n1,2','has_headers':true} | [{'__proto__':'1','a':'2'}]
            csv | convert_csv_to_json | {'csv_text':'a,b\\r1,2\\r','has_headers':true} | [{'a':'1','b':'2'}]
            csv | convert_csv_to_json | {'csv_text':'a,b\\n\\u0022x\\r\\ny\\u0022, z ','has_headers':true} | [{'a':'x\\r\\ny','b':' z '}]
            csv | convert_csv_to_json | {'csv_text':'id\\n0123\\n1e5\\n8202522731445525542','has_headers':true} | [{'id':'0123'},{'id':'1e5'},{'id':'8202522731445525542'}]
            crypto | base64-decode | {'text':'aMOk\\r\\naA=='} | 'häh'
            crypto | base64-decode | {'text':'8J-YgA'} | '\\uD83D\\uDE00'
            json | convertTextToJson | {'text_object':'{\\u0022id\\u0022:8202522731445525542,\\u0022__proto__\\u0022:{}}'} | {'id':8202522731445525542,'__proto__':{}}
            json | convertTextToJson | {'text_object':'\\u0022\\\\u0000\\u0022'} | '\\u0000'
            xml | convert-xml-to-json | {'xml':'<a><b/><__proto__>1</__proto__></a>'} | {'a':{'b':'','__proto__':1}}
            xml | convert-xml-to-json | {'xml':'<a>&#252;&amp;<!-- c -->&#x1F600;</a>'} | {'a':'ü&\\uD83D\\uDE00'}
            xml | convert-xml-to-json | {'xml':'<a><id>8202522731445525542</id></a>'} | {'a':{'id':'8202522731445525542'}}
            xml | convert-xml-to-json | {'xml':'<!DOCTYPE a SYSTEM \\u0022a.dtd\\u0022><a>1</a>'} | {'a':1}
            xml | convert-xml-to-json | {'xml':'<!DOCTYPE a SYSTEM \\u0022a.dtd\\u0022><a b=\\u0022&lt;&#169;\\u0022><!-- &x; --><![CDATA[&nbsp;]]></a>'} | {'a':{'@_b':'<©','#text':'&nbsp;'}}
            csv | convert_json_to_csv | {'json_array':[{'a':1,'b':{'c':true,'d':null}},{'a':'x,\\u0022y','e':['p',{'q':2}]}]} | 'a,b.c,b.d,e.0,e.1.q\\n1,true,,,\\n\\u0022x,\\u0022\\u0022y\\u0022,,,p,2\\n'
            csv | convert_json_to_csv | {'json_array':[{'a':'1,2'}],'delimiter_type':'\\t'} | 'a\\n1,2\\n'
            json | convertTextToJson | {'text_object':'[1,{}]'} | [1,{}]
            json | convertTextToJson | {'text_object':'\\uFEFF{\\u0022a\\u0022:1}'} | {'a':1}
            json | convertJsonToText | {'text_object':{'a':[1,2.5]}} | '{\\u0022a\\u0022:[1,2.5]}'
            json | merge_json | {'jsonArray':[{'a':1,'b':'x'},null,{'a':3,'c':[1]},{'a':1,'b':'y','c':[2]}]} | {'a':1,'b':'y','c':[2]}
            json | merge_json | {'jsonArray':[{'a':2,'b':1},{'a':10,'b':1},{'a':9,'b':2}],'defaultStrategy':'max','fieldStrategies':[{'field':'b','strategy':'most_frequent'}]} | {'a':10,'b':1}
            json | merge_json | {'jsonArray':[{'a':2,'b':[1]},{'a':1,'b':2}],'defaultStrategy':'concat','fieldStrategies':[{'field':'a','strategy':'min'}]} | {'a':1,'b':[1,2]}
            xml | convert-xml-to-json | {'xml':'<?xml version=\\u00221.0\\u0022?><a x=\\u00221\\u0022><b>2</b><b> t </b><c/><n:d>true</n:d></a>'} | {'a':{'@_x':'1','b':[2,'t'],'c':'','n:d':true}}
            xml | convert-xml-to-json | {'xml':'<a x=\\u00221\\u0022>t<![CDATA[<u>]]><b>12345678901234567890</b></a>','ignoreAttributes':true} | {'a':{'b':'12345678901234567890','#text':'t<u>'}}
            xml | convert-xml-to-json | {'xml':'<a x=\\u00221\\u0022>&lt;5</a>'} | {'a':{'@_x':'1','#text':'<5'}}
            xml | convert-xml-to-json | {'xml':'\\uFEFF<order/>'} | {'order':''}
            xml | convert-xml-to-json | {'xml':' \\n\\uFEFF<?xml version=\\u00221.0\\u0022?><order/>'} | {'order':''}
            xml | convert-json-to-xml | {'json':{'a':1,'attr':{'b':2,'c':'<'}}} | '<a b=\\u00222\\u0022 c=\\u0022&lt;\\u0022>1</a>'
            xml | convert-json-to-xml | {'json':{'items':[{'item':'x & y'},{'item':''}]},'header':true} | '<?xml version=\\u00221.0\\u0022 encoding=\\u0022UTF-8\\u0022?><items><item>x &amp; y</item><item/></items>'
            """)
    void computes(String piece, String action, String props, String expected) {
        var output = run(piece, action, props);

        assertThat(output.cause()).isNull();
        assertThat(output.result()).isEqualTo(json(expected));
        assertThat(PIECES.get(piece).actions().get(action).spec().pure()).isTrue();
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            crypto | hash-text            | {'method':'sha1','text':'a'}
            crypto | hash-text            | {'text':'a'}
            crypto | hmac-signature       | {'secretKey':'xyz','secretKeyEncoding':'hex','method':'md5','text':'a'}
            crypto | hmac-signature       | {'secretKey':'','secretKeyEncoding':'utf-8','method':'md5','text':'a'}
            crypto | generate-password    | {'length':257}
            crypto | generate-password    | {'length':0}
            crypto | generate-password    | {'length':8,'characterSet':'runes'}
            csv    | convert_csv_to_json  | {'csv_text':'a\\n1,2','has_headers':true}
            csv    | convert_csv_to_json  | {'csv_text':'a','delimiter_type':'x'}
            csv    | convert_json_to_csv  | {'json_array':{'a':1}}
            csv    | convert_json_to_csv  | {'json_array':[1]}
            json   | convertTextToJson    | {'text_object':'{a:1}'}
            json   | convertTextToJson    | {'text_object':''}
            json   | merge_json           | {'jsonArray':{'a':1}}
            json   | merge_json           | {'jsonArray':[1]}
            json   | merge_json           | {'jsonArray':[],'defaultStrategy':'sum'}
            xml    | convert-xml-to-json  | {'xml':'<a><b></a>'}
            xml    | convert-xml-to-json  | {'xml':'no xml'}
            xml    | convert-xml-to-json  | {'xml':''}
            xml    | convert-json-to-xml  | {'json':{'a b':1}}
            xml    | convert-json-to-xml  | {'json':{'a':'\\u0001'}}
            """)
    void refusesWhatItCannotDo(String piece, String action, String props) {
        assertThat(run(piece, action, props).cause()).isInstanceOf(PieceFailure.class);
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            crypto | base64-decode       | {'text':'/w=='}                         | text: expected Base64 of a text in UTF-8
            crypto | base64-decode       | {'text':'aMO*kaA'}                      | text: expected a text encoded as Base64
            crypto | base64-decode       | {'text':'data:text/plain;base64,aMOk'}  | text: expected a text encoded as Base64
            xml    | convert-xml-to-json | {'xml':'<a>M&uuml;ller</a>'}            | xml: expected
            xml    | convert-xml-to-json | {'xml':'<!DOCTYPE a SYSTEM \\u0022a\\u0022><a>M&uuml;ller</a>'} | xml: expected
            xml    | convert-xml-to-json | {'xml':'<!DOCTYPE a SYSTEM \\u0022a\\u0022><a n=\\u0022M&uuml;ller\\u0022/>'} | xml: expected
            xml    | convert-xml-to-json | {'xml':'<!DOCTYPE a SYSTEM \\u0022a\\u0022><?p <!-- ?><a n=\\u0022M&uuml;ller\\u0022/>'} | xml: expected
            xml    | convert-xml-to-json | {'xml':'<a>1</a><b/>'}                  | xml: expected XML
            xml    | convert-xml-to-json | {'xml':'<a>\\u0000</a>'}                | xml: expected XML
            json   | convertTextToJson   | {'text_object':'NaN'}                   | text_object: expected JSON
            json   | convertTextToJson   | {'text_object':'{} {}'}                 | text_object: expected JSON
            csv    | convert_csv_to_json | {'csv_text':'a\\n1,2','has_headers':true} | csv_text: expected at most 1 fields
            csv    | convert_csv_to_json | {'csv_text':'a\\n\\u0022no end'}        | csv_text: expected
            csv    | convert_json_to_csv | {'json_array':'a'}                      | json_array: expected a list
            """)
    void namesTheFieldThatItRefuses(String piece, String action, String props, String message) {
        assertThat(run(piece, action, props).cause())
                .isInstanceOf(PieceFailure.class)
                .hasMessageStartingWith(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/hostname\">]><a>&e;</a>",
                "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;&x;\">]><a>&y;</a>"
            })
    void readsNoEntitiesOfOnesOwn(String xml) {
        var output = run("xml", "convert-xml-to-json", Json.text(Json.object().put("xml", xml)));

        assertThat(output.cause()).isInstanceOf(PieceFailure.class).hasMessageStartingWith("xml: expected");
    }

    @Test
    void refusesElementsInsideEachOtherBeyondAllMeasure() {
        var xml = Json.object().put("xml", "<a>".repeat(5_000) + "</a>".repeat(5_000));

        assertThat(run("xml", "convert-xml-to-json", Json.text(xml)).cause()).isInstanceOf(PieceFailure.class);
    }

    @Test
    void refusesAnInputBeyondAllMeasure() {
        var text = Json.object().put("text_object", "a".repeat((int) ComputedAction.SIZE_MAX + 1));

        assertThat(run("json", "convertTextToJson", Json.text(text)).cause()).isInstanceOf(PieceFailure.class);
    }

    @Test
    void makesAnotherPasswordAndIdentifierEachTime() {
        var first = run("crypto", "generate-password", "{'length':256,'characterSet':'alphanumeric-symbols'}");
        var second = run("crypto", "generate-password", "{'length':256}");
        var id = run("crypto", "generate-uuid", "{}").result().path("uuid").asText();

        assertThat(first.result().asText())
                .hasSize(256)
                .matches("[a-zA-Z0-9!@#$%^&*()_=+-]+")
                .matches(".*[^a-zA-Z0-9].*");
        assertThat(second.result().asText()).hasSize(256).matches("[a-zA-Z0-9]+");
        assertThat(UUID.fromString(id).version()).isEqualTo(4);
        assertThat(PIECES.get("crypto")
                        .actions()
                        .get("generate-password")
                        .spec()
                        .pure())
                .isFalse();
    }

    private static Future<JsonNode> run(String piece, String action, String props) {
        return PIECES.get(piece).actions().get(action).run(FakeStepContext.with(props));
    }

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }
}
