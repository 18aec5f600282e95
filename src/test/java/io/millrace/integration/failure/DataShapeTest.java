package io.millrace.integration.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.integration.failure.ShapeDifference.Kind;
import io.millrace.support.FlowScript;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes of data and their differences: a table, and properties of random values. */
final class DataShapeTest {
    private static final int ROUNDS = 500;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        {'a':1}                    | {'a':2}                    | none
        {'a':1}                    | {'a':'x'}                  | a otherType number text
        {'a':1}                    | {'a':null}                 | a nullValue number null
        {'a':null}                 | {'a':1}                    | none
        {'a':1}                    | {}                         | a missingField number absent
        {}                         | {'a':1}                    | a newField absent number
        {'a':[1]}                  | {'a':[]}                   | a emptyList list empty_list
        {'a':[]}                   | {'a':[1]}                  | none
        {'a':[]}                   | {'a':{}}                   | a otherType empty_list object
        {'a':[{'b':1},{'b':2}]}    | {'a':[{'b':1},{}]}         | a[].b missingField number absent
        {'a':[{'b':1},{}]}         | {'a':[{}]}                 | none
        {'a':[{'b':1}]}            | {'a':[{'b':true}]}         | a[].b otherType number boolean
        {'a':[[1]]}                | {'a':[['x']]}              | a[][] otherType number text
        {'a':{'b':1}}              | {'a':'x'}                  | a otherType object text
        {'a':{'b':{'c':1}}}        | {'a':{'b':{}}}             | a.b.c missingField number absent
        {'a b':1}                  | {}                         | ['a b'] missingField number absent
        {'a':{'x.y':1}}            | {'a':{}}                   | a['x.y'] missingField number absent
        1                          | 'x'                        | '' otherType number text
        [1]                        | []                         | '' emptyList list empty_list
        null                       | {'a':1}                    | none
        """)
    void findsTheDifference(String before, String now, String expected) {
        var found = between(FlowScript.json(before), FlowScript.json(now));
        var text = found.isEmpty()
                ? "none"
                : (found.getFirst().path().isEmpty() ? "''" : found.getFirst().path())
                        + " " + found.getFirst().kind().text()
                        + " "
                        + found.getFirst().toJson().path("before").asText().replace(' ', '_')
                        + " " + found.getFirst().toJson().path("now").asText().replace(' ', '_');

        assertThat(text).isEqualTo(expected);
        assertThat(found).hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void isEqualToItself() {
        var random = new Random(1);
        for (var round = 0; round < ROUNDS; round++) {
            var value = value(random, 4);
            assertThat(between(value, value)).as("%s", value).isEmpty();
        }
    }

    @Test
    void ignoresTheOrderOfFieldsAndElements() {
        var random = new Random(2);
        for (var round = 0; round < ROUNDS; round++) {
            var value = value(random, 4);
            assertThat(between(value, shuffled(value, random))).as("%s", value).isEmpty();
        }
    }

    @Test
    void reportsAnAddedFieldOnce_andARemovedOneInReverse() {
        var random = new Random(3);
        for (var round = 0; round < ROUNDS; round++) {
            var value = object(random, 3);
            var more = value.deepCopy();
            more.set("added", value(random, 3));

            assertThat(between(value, more)).singleElement().satisfies(one -> {
                assertThat(one.path()).isEqualTo("added");
                assertThat(one.kind()).isEqualTo(Kind.NEW_FIELD);
            });
            assertThat(between(more, value)).singleElement().satisfies(one -> {
                assertThat(one.path()).isEqualTo("added");
                assertThat(one.kind()).isEqualTo(Kind.MISSING_FIELD);
            });
        }
    }

    @Test
    void hasNoDifference_fromAShapeThatContainsTheValue() {
        var random = new Random(4);
        for (var round = 0; round < ROUNDS; round++) {
            var values = List.of(value(random, 3), value(random, 3), value(random, 3));
            var before = DataShape.of(values);
            assertThat(values)
                    .allSatisfy(value -> assertThat(ShapeDifference.between(before, DataShape.of(List.of(value)), 50))
                            .as("%s in %s", value, values)
                            .isEmpty());
        }
    }

    @Test
    void isBounded_andSilentAboutUnreadParts() {
        var wide = Json.object();
        for (var field = 0; field < 3 * DataShape.PATHS_MAX; field++) {
            wide.put("field" + field, field);
        }
        var deep = Json.object();
        var inner = deep;
        for (var level = 0; level < 3 * DataShape.DEPTH_MAX; level++) {
            inner = inner.putObject("a");
        }
        var reversed = Json.object();
        var names = new ArrayList<String>();
        wide.fieldNames().forEachRemaining(names::add);
        names.reversed().forEach(name -> reversed.set(name, wide.get(name)));

        assertThat(DataShape.of(List.of(wide)).isComplete()).isFalse();
        assertThat(DataShape.of(List.of(deep)).isComplete()).isFalse();
        assertThat(between(wide, reversed)).isEmpty();
        assertThat(between(deep, deep)).isEmpty();
        assertThat(between(wide, Json.object())).isEmpty();
    }

    @Test
    void stopsAtTheLimit() {
        var many = Json.object();
        for (var field = 0; field < 200; field++) {
            many.put("field" + field, field);
        }
        assertThat(between(many, Json.object())).hasSize(50);
        assertThat(between(Json.object(), many)).hasSize(50);
    }

    private static List<ShapeDifference> between(JsonNode before, JsonNode now) {
        return ShapeDifference.between(DataShape.of(List.of(before)), DataShape.of(List.of(now)), 50);
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> Json.object().nullNode();
            case 1 -> Json.object().numberNode(random.nextInt());
            case 2 -> Json.object().textNode("text" + random.nextInt(9));
            case 3 -> Json.object().booleanNode(random.nextBoolean());
            case 4 -> {
                var list = Json.array();
                for (var element = random.nextInt(4); element > 0; element--) {
                    list.add(value(random, depth - 1));
                }
                yield list;
            }
            default -> object(random, depth - 1);
        };
    }

    private static ObjectNode object(Random random, int depth) {
        var object = Json.object();
        for (var field = random.nextInt(5); field > 0; field--) {
            object.set("f" + random.nextInt(6), value(random, Math.max(0, depth)));
        }
        return object;
    }

    private static JsonNode shuffled(JsonNode value, Random random) {
        if (value instanceof ObjectNode object) {
            var names = new ArrayList<String>();
            object.fieldNames().forEachRemaining(names::add);
            Collections.shuffle(names, random);
            var copy = Json.object();
            names.forEach(name -> copy.set(name, shuffled(object.get(name), random)));
            return copy;
        }
        if (!value.isArray()) {
            return value;
        }
        var elements = new ArrayList<JsonNode>();
        value.forEach(element -> elements.add(shuffled(element, random)));
        Collections.shuffle(elements, random);
        return Json.array().addAll(elements);
    }
}
