package io.millrace.piece.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PropertyProcessorTest {
    @ParameterizedTest(name = "{0} {1} {2} -> {3}")
    @CsvSource(delimiter = '|', textBlock = """
            SHORT_TEXT  | true  | 5                           | "5"
            SHORT_TEXT  | true  | 1.50                        | "1.5"
            SHORT_TEXT  | true  | 5.0                         | "5"
            SHORT_TEXT  | true  | true                        | "true"
            SHORT_TEXT  | true  | {"a":[1]}                   | "{\\"a\\":[1]}"
            LONG_TEXT   | true  | [1,2]                       | "[1,2]"
            SHORT_TEXT  | true  | ""                          | ""
            SHORT_TEXT  | false | ""                          | absent
            SHORT_TEXT  | false | null                        | null
            SECRET_TEXT | true  | 7                           | "7"
            NUMBER      | false | ""                          | absent
            NUMBER      | true  | " 42 "                      | 42
            NUMBER      | true  | "0x10"                      | 16
            NUMBER      | true  | "1e3"                       | 1000
            NUMBER      | true  | "-.5"                       | -0.5
            NUMBER      | true  | true                        | 1
            NUMBER      | true  | "   "                       | 0
            NUMBER      | true  | 1.25                        | 1.25
            NUMBER      | false | null                        | null
            NUMBER      | true  | "9007199254740993"          | 9007199254740993
            NUMBER      | true  | " +8202522731445525542 "    | 8202522731445525542
            NUMBER      | true  | "-9223372036854775809"      | -9223372036854775809
            NUMBER      | true  | "18446744073709551615"      | 18446744073709551615
            NUMBER      | true  | "8202522731445525542.00"    | 8202522731445525542
            NUMBER      | true  | "8.202522731445525542e18"   | 8202522731445525542
            NUMBER      | true  | "9007199254740994"          | 9007199254740994
            NUMBER      | true  | "1e18"                      | 1000000000000000000
            NUMBER      | true  | "0x1fffffffffffff"          | 9007199254740991
            CHECKBOX    | true  | "TRUE"                      | true
            CHECKBOX    | true  | "false"                     | false
            CHECKBOX    | false | null                        | null
            DATE_TIME   | true  | "2024-03-14T12:00:00Z"      | "2024-03-14T12:00:00.000Z"
            DATE_TIME   | true  | "2024-03-14"                | "2024-03-14T00:00:00.000Z"
            DATE_TIME   | true  | "2024-03-14 12:30"          | "2024-03-14T12:30:00.000Z"
            DATE_TIME   | true  | "2024-03-14T12:00:00+02:00" | "2024-03-14T10:00:00.000Z"
            DATE_TIME   | true  | "Sat, 21 Nov 2026 02:53:48 GMT" | "2026-11-21T02:53:48.000Z"
            DATE_TIME   | true  | "March 7, 2024"             | "2024-03-07T00:00:00.000Z"
            DATE_TIME   | true  | 1700000000123               | "2023-11-14T22:13:20.123Z"
            DATE_TIME   | true  | "Thu Mar 14 2024 10:30:00"  | "2024-03-14T10:30:00.000Z"
            DATE_TIME   | true  | "03/14/2024"                | "2024-03-14T00:00:00.000Z"
            DATE_TIME   | true  | "March 14, 2024 10:30 PM"   | "2024-03-14T22:30:00.000Z"
            DATE_TIME   | true  | "Thu Mar 14 2024 10:30:00 GMT+0200 (CEST)" | "2024-03-14T08:30:00.000Z"
            DATE_TIME   | true  | "2024-03-14T12:00:00.5+02:00" | "2024-03-14T10:00:00.500Z"
            DATE_TIME   | false | "soon"                      | absent
            DATE_TIME   | true  | "2024-03-14 10:30:00.25 +02" | "2024-03-14T08:30:00.250Z"
            DATE_TIME   | true  | "Thu, 14 March 2024"        | "2024-03-14T00:00:00.000Z"
            DATE_TIME   | false | "12"                        | absent
            DATE_TIME   | false | "February 31, 2024"         | absent
            DATE_TIME   | false | "Sat, 31 Feb 2026 02:53:48 GMT" | absent
            DATE_TIME   | false | "02/31/2024"                | absent
            DATE_TIME   | false | "2024-02-31T00:00:00+02:00" | absent
            DATE_TIME   | false | ""                          | absent
            JSON        | true  | {"a":1}                     | {"a":1}
            JSON        | true  | "[1,{\\"a\\":2}]"           | [1,{"a":2}]
            JSON        | false | ""                          | absent
            JSON        | false | null                        | null
            OBJECT      | true  | "{\\"a\\":1}"               | {"a":1}
            OBJECT      | false | "nothing"                   | absent
            OBJECT      | false | [1]                         | absent
            MULTI_SELECT_DROPDOWN | true | ["a"]              | ["a"]
            MULTI_SELECT_DROPDOWN | true | "[1,\\"b\\"]"       | [1,"b"]
            MULTI_SELECT_DROPDOWN | true | "a"                | ["a"]
            STATIC_MULTI_SELECT_DROPDOWN | true | {"a":1}     | [{"a":1}]
            MULTI_SELECT_DROPDOWN | false | " "               | absent
            MULTI_SELECT_DROPDOWN | false | null              | null
            STATIC_DROPDOWN | true | 3                        | 3
            ARRAY       | true  | [1,"a"]                     | [1,"a"]
            FILE        | false | 5                           | null
            FILE        | false | "aGk="                      | null
            COLOR       | true  | {"odd":1}                   | {"odd":1}
            MARKDOWN    | true  | {"odd":1}                   | {"odd":1}
            """)
    void bringsAValueToItsType(PropertyType type, boolean required, String given, String expected) {
        var processor = PropertyProcessor.compile(Map.of("p", Property.of(type, "P", required)));

        var processed = processor.apply(object("p", given));

        if (expected.equals("absent")) {
            assertThat(processed.has("p")).isFalse();
        } else {
            assertThat(processed.get("p")).isEqualTo(Json.trusted(expected));
        }
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @CsvSource(delimiter = '|', textBlock = """
            SHORT_TEXT  | null         | Expected string, received: null
            NUMBER      | "ten"        | Expected number, received: ten
            NUMBER      | ""           | Expected number, received:
            NUMBER      | {"a":1}      | Expected number, received: {"a":1}
            NUMBER      | "Infinity"   | Expected number, received: Infinity
            CHECKBOX    | "yes"        | Expected boolean, received: yes
            CHECKBOX    | 1            | Expected boolean, received: 1
            DATE_TIME   | "soon"       | Expected a date and time such as 2024-03-14T12:00:00.000Z, received: soon
            JSON        | "{broken"    | Expected JSON, received: {broken
            JSON        | "5"          | Expected JSON, received: 5
            JSON        | null         | Expected JSON, received: null
            JSON        | ""           | Expected JSON, received:
            OBJECT      | [1]          | Expected object, received: [1]
            OBJECT      | "text"       | Expected object, received: text
            ARRAY       | "a"          | Expected array, received: a
            MULTI_SELECT_DROPDOWN | ""  | Expected array, received:
            FILE        | "aGk="       | Expected file url or base64 with mimeType, received: aGk=
            """)
    void refusesAValueOfAnotherType_showingWhatWasGiven(PropertyType type, String given, String message) {
        var processor = PropertyProcessor.compile(Map.of("p", Property.of(type, "P", true)));

        assertThatThrownBy(() -> processor.apply(object("p", given)))
                .isInstanceOfSatisfying(
                        PieceFailure.class,
                        failure -> assertThat(Json.trusted(failure.getMessage())
                                        .path("p")
                                        .path(0)
                                        .asText()
                                        .strip())
                                .isEqualTo(message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "5"             | 5
            "{\\"a\\":1}" | {"a":1}
            "x"             | "x"
            "7"             | "7"
            5               | 5
            "unknown"       | "unknown"
            """)
    void findsTheChoiceThatATextWrites(String given, String expected) {
        var choices = Stream.of("5", "{\"a\":1}", "\"x\"", "\"7\"", "7")
                .map(value -> new Property.Option(value, Json.trusted(value)))
                .toList();
        var property = Property.of(PropertyType.STATIC_DROPDOWN, "P", true).withOptions(choices);

        var processed = PropertyProcessor.compile(Map.of("p", property)).apply(object("p", given));

        assertThat(processed.get("p")).isEqualTo(Json.trusted(expected));
    }

    @Test
    void collectsAllProblems_andIndentsThemByTwoSpaces() {
        var processor = PropertyProcessor.compile(inOrder(
                "count", Property.of(PropertyType.NUMBER, "Count", true),
                "name", Property.of(PropertyType.SHORT_TEXT, "Name", true)));

        assertThatThrownBy(() -> processor.apply(json("{'count':'x'}"))).hasMessage("""
                        {
                          "count": [
                            "Expected number, received: x"
                          ],
                          "name": [
                            "Expected string, received: undefined"
                          ]
                        }""");
    }

    @Test
    void givesARequiredPropertyItsDefault_whenItIsAbsent() {
        var text = TextNode.valueOf("x");
        var processor = PropertyProcessor.compile(Map.of(
                "text", Property.of(PropertyType.SHORT_TEXT, "Text", true).defaultingTo(text),
                "choice",
                        Property.of(PropertyType.STATIC_DROPDOWN, "Choice", true)
                                .defaultingTo(text),
                "number", Property.of(PropertyType.NUMBER, "Number", true).defaultingTo(TextNode.valueOf("7"))));
        var input = json("{'number':3}");

        assertThat(processor.apply(input)).isEqualTo(json("{'number':3,'text':'x','choice':'x'}"));
        assertThat(processor.apply(json("{}"))).isEqualTo(json("{'number':7,'text':'x','choice':'x'}"));
        assertThat(input).isEqualTo(json("{'number':3}"));
        assertThatThrownBy(() -> processor.apply(json("{'text':null}"))).hasMessageContaining("received: null");
    }

    @Test
    void leavesAnOptionalPropertyAbsent_evenWithADefault() {
        var processor = PropertyProcessor.compile(Map.of(
                "optional", Property.of(PropertyType.NUMBER, "Optional", false),
                "defaulted",
                        Property.of(PropertyType.SHORT_TEXT, "Defaulted", false).defaultingTo(TextNode.valueOf("x"))));

        assertThat(processor.apply(json("{}"))).isEmpty();
    }

    @Test
    void returnsTheInputItself_whenNothingHadToBeCoerced() {
        var processor = PropertyProcessor.compile(Map.of("p", Property.of(PropertyType.SHORT_TEXT, "P", true)));
        var input = json("{'p':'text','unknown':{'a':1},'auth':5}");

        assertThat(processor.apply(input)).isSameAs(input);
    }

    @Test
    void keepsTheInputUnchanged_whenAValueIsCoerced() {
        var processor = PropertyProcessor.compile(Map.of("p", Property.of(PropertyType.NUMBER, "P", true)));
        var input = json("{'p':'7','unknown':true}");

        var processed = processor.apply(input);

        assertThat(processed).isEqualTo(json("{'p':7,'unknown':true}"));
        assertThat(input).isEqualTo(json("{'p':'7','unknown':true}"));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{'n':'1'},{'n':2}]                 | [{'n':1},{'n':2}]
            {'n':['1','2'],'label':'x'}         | [{'n':1,'label':'x'},{'n':2,'label':'x'}]
            {'n':['1','2'],'label':['a']}       | [{'n':1,'label':'a'},{'n':2}]
            {'n':'1','label':'x'}               | [{'n':1,'label':'x'}]
            {'n':[]}                            | []
            {}                                  | []
            [5,{'n':'1'}]                       | [5,{'n':1}]
            """)
    void processesTheItemsOfAnArray_alsoWhenGivenAsColumns(String given, String expected) {
        var processor = PropertyProcessor.compile(Map.of("list", listOfNumbers()));

        var processed = processor.apply(object("list", given.replace('\'', '"')));

        assertThat(processed.get("list")).isEqualTo(Json.trusted(expected.replace('\'', '"')));
    }

    @Test
    void namesTheItemThatIsWrong() {
        var processor = PropertyProcessor.compile(Map.of("list", listOfNumbers()));

        assertThatThrownBy(() -> processor.apply(json("{'list':[{'n':1},{'n':'x'}]}")))
                .isInstanceOfSatisfying(
                        PieceFailure.class,
                        failure -> assertThat(Json.trusted(failure.getMessage()))
                                .isEqualTo(
                                        json("{'list':{'properties':[{},{'n':['Expected number, received: x']}]}}")));
    }

    @Test
    void processesTheChildrenOfADynamicProperty_byItsOwnFunction() {
        var processor = PropertyProcessor.compile(Map.of("fields", dynamic()));

        var numbers = processor.apply(json("{'kind':'number','fields':{'value':'5'}}"));
        var texts = processor.apply(json("{'kind':'text','fields':{'value':5}}"));

        assertThat(numbers.get("fields")).isEqualTo(json("{'value':5}"));
        assertThat(texts.get("fields")).isEqualTo(json("{'value':'5'}"));
    }

    @Test
    void processesTheChildrenOfADynamicProperty_byItsSavedSchema() {
        var settings = json("{'fields':{'schema':{'flag':{'type':'CHECKBOX','displayName':'Flag','required':true},"
                + "'odd':{'type':'FUTURE'}}}}");
        var processor =
                PropertyProcessor.compile(Map.of("fields", Property.of(PropertyType.DYNAMIC, "F", true)), settings);

        var processed = processor.apply(json("{'fields':{'flag':'true','odd':5}}"));

        assertThat(processed.get("fields")).isEqualTo(json("{'flag':true,'odd':5}"));
    }

    @Test
    void namesTheChildThatIsWrong() {
        var processor = PropertyProcessor.compile(Map.of("fields", dynamic()));

        assertThatThrownBy(() -> processor.apply(json("{'kind':'number','fields':{'value':'x'}}")))
                .isInstanceOfSatisfying(
                        PieceFailure.class,
                        failure -> assertThat(Json.trusted(failure.getMessage()))
                                .isEqualTo(json("{'fields':{'value':['Expected number, received: x']}}")));
    }

    @Test
    void readsAFileFromADataUri() {
        var processor = PropertyProcessor.compile(Map.of("f", Property.of(PropertyType.FILE, "F", true)));

        var processed = processor.apply(json("{'f':'data:image/png;base64,aGk='}"));

        var file = FileValue.of(processed.path("f")).orElseThrow();
        assertThat(file).isEqualTo(new FileValue("unknown.png", "png", Buffer.buffer("hi")));
    }

    @Test
    void readsNoDataUriWithManyParameters() {
        assertThat(FileValue.ofDataUri("data:a/b" + ";a=b".repeat(100_000) + ";base64,aGk="))
                .isEmpty();
    }

    @Test
    void fetchesEachRemoteFileOnce_beforeProcessing() {
        var processor = PropertyProcessor.compile(Map.of(
                "a", Property.of(PropertyType.FILE, "A", true), "b", Property.of(PropertyType.FILE, "B", false)));
        var asked = new ArrayList<String>();
        FileFetcher fetcher = url -> {
            asked.add(url);
            return Future.succeededFuture(Optional.of(new FileValue("x.txt", "txt", Buffer.buffer("hi"))));
        };

        var processed = processor.apply(json("{'a':'https://h/x.txt','b':'https://h/x.txt'}"), fetcher);

        assertThat(asked).containsExactly("https://h/x.txt");
        assertThat(processed.result().path("b").path("filename").asText()).isEqualTo("x.txt");
    }

    @Test
    void fetchesNothing_whenAnotherValueIsWrong() {
        var processor = PropertyProcessor.compile(Map.of(
                "a", Property.of(PropertyType.FILE, "A", true), "n", Property.of(PropertyType.NUMBER, "N", true)));
        var asked = new ArrayList<String>();

        var processed = processor.apply(json("{'a':'https://h/x','n':'x'}"), url -> {
            asked.add(url);
            return Future.succeededFuture(Optional.empty());
        });

        assertThat(processed.cause()).isInstanceOf(PieceFailure.class);
        assertThat(asked).isEmpty();
    }

    @Test
    void refusesARequiredFile_whenItCannotBeRead() {
        var processor = PropertyProcessor.compile(Map.of("a", Property.of(PropertyType.FILE, "A", true)));

        var processed = processor.apply(
                json("{'a':'https://h/x'}"), url -> Future.succeededFuture(Optional.<FileValue>empty()));

        assertThat(processed.cause()).hasMessageContaining("Expected file url or base64 with mimeType");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            {'type':'CUSTOM_AUTH','props':{'port':'25'}}              | {'type':'CUSTOM_AUTH','props':{'port':25}}
            {'port':'25','other':'1'}                                 | {'port':25,'other':'1'}
            {'type':'PLATFORM_OAUTH2','access_token':'7','props':{'zone':'3'}} | {'type':'PLATFORM_OAUTH2','access_token':'7','props':{'zone':3}}
            {'type':'SECRET_TEXT','secret_text':'25','port':'25'}     | {'type':'SECRET_TEXT','secret_text':'25','port':'25'}
            """)
    void processesThePropertiesOfAnAuthentication(String value, String expected) {
        var auth = Json.array()
                .add(json(
                        "{'type':'CUSTOM_AUTH','props':{'port':{'type':'NUMBER','displayName':'P','required':true}}}"))
                .add(json("{'type':'OAUTH2','props':{'zone':{'type':'NUMBER','displayName':'Z','required':false}}}"));
        var processor = PropertyProcessor.compile(Map.of()).withAuth(auth);

        var processed = processor.apply(Json.object().set("auth", json(value)));

        assertThat(processed.get("auth")).isEqualTo(json(expected));
    }

    @Test
    void refusesAnAuthentication_whoseRequiredPropertyIsMissing() {
        var auth = json("{'type':'CUSTOM_AUTH','props':{'port':{'type':'NUMBER','displayName':'P','required':true}}}");
        var processor = PropertyProcessor.compile(Map.of()).withAuth(auth);

        assertThatThrownBy(() -> processor.apply(json("{'auth':{'type':'CUSTOM_AUTH','props':{}}}")))
                .hasMessageContaining("\"auth\"")
                .hasMessageContaining("Expected number, received: undefined");
        assertThat(PropertyProcessor.compile(Map.of()).withAuth(null).apply(json("{'auth':'x'}")))
                .isEqualTo(json("{'auth':'x'}"));
    }

    private static Property listOfNumbers() {
        return Property.of(PropertyType.ARRAY, "List", true)
                .withItems(inOrder(
                        "n", Property.of(PropertyType.NUMBER, "N", false),
                        "label", Property.of(PropertyType.SHORT_TEXT, "Label", false)));
    }

    private static Property dynamic() {
        return Property.of(PropertyType.DYNAMIC, "Fields", true)
                .refreshedBy(
                        List.of("kind"),
                        input -> Map.of(
                                "value",
                                Property.of(
                                        input.path("kind").asText().equals("number")
                                                ? PropertyType.NUMBER
                                                : PropertyType.SHORT_TEXT,
                                        "Value",
                                        true)));
    }

    private static Map<String, Property> inOrder(String first, Property one, String second, Property two) {
        var props = new LinkedHashMap<String, Property>();
        props.put(first, one);
        props.put(second, two);
        return props;
    }

    private static ObjectNode object(String name, String value) {
        var object = Json.object();
        JsonNode parsed = Json.trusted(value);
        object.set(name, parsed);
        return object;
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.trusted(text.replace('\'', '"'));
    }
}
