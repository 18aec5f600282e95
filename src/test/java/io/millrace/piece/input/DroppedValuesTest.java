package io.millrace.piece.input;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages about optional values that an action does not receive. */
class DroppedValuesTest {
    private static ObjectNode json(String singleQuoted) {
        return (ObjectNode) Json.trusted(singleQuoted.replace('\'', '"'));
    }

    private static Property optional(PropertyType type) {
        return Property.of(type, "P", false);
    }

    private static List<String> dropped(Map<String, Property> props, String input) {
        return dropped(PropertyProcessor.compile(props), json(input));
    }

    private static List<String> dropped(PropertyProcessor processor, ObjectNode given) {
        return processor.dropped(given, processor.apply(given));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            DATE_TIME   | 'soon'                  | a date and time such as 2024-03-14T12:00:00.000Z, received: soon
            DATE_TIME   | '2024-02-31'            | received: 2024-02-31
            DATE_TIME   | {'day':1}               | received: {'day':1}
            OBJECT      | 'nothing'               | p: expected object, received: nothing; the field is optional
            OBJECT      | [1]                     | received: [1]
            FILE        | 5                       | p: expected file url or base64 with mimeType, received: 5
            FILE        | 'aGk='                  | received: aGk=
            FILE        | 'data:a/b;base64,a*b'   | received: data:a/b;base64,a*b
            FILE        | {'filename':'a'}        | received
            """)
    void namesTheField_andShowsTheValue(PropertyType type, String given, String message) {
        assertThat(dropped(Map.of("p", optional(type)), "{'p':" + given + "}"))
                .singleElement()
                .asString()
                .startsWith("p: expected ")
                .contains(message.replace('\'', '"'))
                .endsWith("so the action receives no value");
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            DATE_TIME   | '2024-03-14'
            DATE_TIME   | ''
            DATE_TIME   | ' '
            DATE_TIME   | null
            OBJECT      | {'a':1}
            OBJECT      | ''
            FILE        | 'data:image/png;base64,aGk='
            FILE        | null
            SHORT_TEXT  | ''
            NUMBER      | ''
            JSON        | ' '
            """)
    void isSilent_aboutUsableAndEmptyValues(PropertyType type, String given) {
        assertThat(dropped(Map.of("p", optional(type)), "{'p':" + given + "}")).isEmpty();
    }

    @Test
    void findsValuesInItemsAndChildren() {
        var item = Map.of("due", optional(PropertyType.DATE_TIME));
        var props = new LinkedHashMap<String, Property>();
        props.put("rows", Property.of(PropertyType.ARRAY, "Rows", false).withItems(item));
        props.put("fields", Property.of(PropertyType.DYNAMIC, "Fields", false).refreshedBy(List.of(), _ -> item));

        assertThat(dropped(
                        props, "{'rows':[{'due':'2024-03-14'},{'due':'soon'}],'fields':{'due':'later','other':'x'}}"))
                .satisfiesExactly(
                        message ->
                                assertThat(message).startsWith("rows[1].due: ").contains("soon"),
                        message ->
                                assertThat(message).startsWith("fields.due: ").contains("later"));
        assertThat(dropped(props, "{'rows':{'due':['soon','2024-03-14']}}"))
                .singleElement()
                .asString()
                .startsWith("rows[0].due: ");
    }

    @Test
    void endsAfterTenMessages() {
        Map<String, Property> props = IntStream.range(0, 20)
                .boxed()
                .collect(Collectors.toMap(index -> "p" + index, _ -> optional(PropertyType.OBJECT)));
        var input = Json.object();
        props.keySet().forEach(name -> input.put(name, "x".repeat(5_000)));

        assertThat(dropped(PropertyProcessor.compile(props), input))
                .hasSize(10)
                .allSatisfy(message -> assertThat(message).hasSizeLessThan(300));
    }
}
