package io.millrace.piece.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Schemas of tools as written by authors, normalized to a form that every provider accepts. */
class ToolSchemaTest {
    private static final String[] KEYS = {
        "a", "city name", "größe", "", "x".repeat(80), "x".repeat(64), "a_b", "a b", "$ref", "a.b-c"
    };
    private static final String[] TYPES = {"object", "array", "string", "STRING", "null", "any", "integer"};

    private static JsonNode json(String text) {
        return Json.trusted(text.replace('\'', '"'));
    }

    private static ToolSchema of(String schema) {
        return ToolSchema.of(json(schema));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{}|{'type':'object','properties':{}}",
                "true|{'type':'object','properties':{}}",
                "{'type':['object','null']}|{'type':'object','properties':{}}",
                "{'type':'object','properties':{'a':{'type':'array'}}}"
                        + "|{'type':'object','properties':{'a':{'type':'array','items':{}}}}",
                "{'type':'object','properties':{'a':{'type':'array','items':{'type':'array','items':true}}}}"
                        + "|{'type':'object','properties':{'a':{'type':'array','items':{'type':'array','items':{}}}}}",
                "{'type':'object','properties':{'a':{'type':'array','prefixItems':[{'type':'string'},{'type':'number'}]}}}"
                        + "|{'type':'object','properties':{'a':{'type':'array','items':{'anyOf':[{'type':'string'},{'type':'number'}]}}}}",
                "{'properties':{'a':{'$ref':'#/$defs/P','description':'D'}},'$defs':{'P':{'type':'string','description':'E'}}}"
                        + "|{'type':'object','properties':{'a':{'description':'D','type':'string'}}}",
                "{'$ref':'#/definitions/R','definitions':{'R':{'type':'object','properties':{'a':{'type':'number'}}}}}"
                        + "|{'type':'object','properties':{'a':{'type':'number'}}}",
                "{'properties':{'a':{'$ref':'#/$defs/a~1b%20c'}},'$defs':{'a/b c':{'type':'string'}}}"
                        + "|{'type':'object','properties':{'a':{'type':'string'}}}",
                "{'properties':{'a':{'$ref':'https://example.com/s'},'b':{'$ref':'#/nowhere'}}}"
                        + "|{'type':'object','properties':{'a':{},'b':{}}}",
                "{'anyOf':[{'properties':{'a':{'type':'string'},'b':{'type':'number'}},'required':['a','b']},"
                        + "{'properties':{'a':{'type':'string'}},'required':['a']},{'type':'null'}]}"
                        + "|{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'number'}},'required':['a']}",
                "{'oneOf':[{'properties':{'k':{'const':'x'}},'required':['k']},{'properties':{'k':{'const':'y'}},'required':['k']}]}"
                        + "|{'type':'object','properties':{'k':{'type':'string','enum':['x','y']}},'required':['k']}",
                "{'allOf':[{'properties':{'a':{'type':'string'}},'required':['a']},{'$ref':'#/$defs/M'}],'$defs':{'M':{'properties':{'b':{}}}}}"
                        + "|{'type':'object','properties':{'a':{'type':'string'},'b':{}},'required':['a']}",
                "{'type':'object','properties':{'a':{'anyOf':[{'type':'string'},{'type':'null'}],'default':null}}}"
                        + "|{'type':'object','properties':{'a':{'type':'string'}}}",
                "{'type':'object','properties':{'a':{'type':['string','integer','null']}}}"
                        + "|{'type':'object','properties':{'a':{'anyOf':[{'type':'string'},{'type':'integer'}]}}}",
                "{'type':'object','required':['a','a','gone'],'properties':{'a':{'type':'string','format':'hostname','minLength':1,'x-y':1}}}"
                        + "|{'type':'object','properties':{'a':{'type':'string','minLength':1}},'required':['a']}",
                "{'type':'object','properties':{'a':{'type':'string','pattern':'^x$','title':'T'}},'additionalProperties':false}"
                        + "|{'type':'object','properties':{'a':{'description':'T Pattern: ^x$','type':'string'}},'additionalProperties':false}",
                "{'type':'object','properties':{'a':{'enum':['x',null]},'b':{'enum':[1,2]},'c':{'type':'string','enum':[1]}}}"
                        + "|{'type':'object','properties':{'a':{'type':'string','enum':['x']},'b':{'type':'number','enum':[1,2]},'c':{'type':'string'}}}",
            })
    void writesASchemaThatEveryProviderAccepts(String given, String expected) {
        var schema = of(given).schema();

        assertThat(schema).isEqualTo(json(expected));
        assertThat(StrictClients.objections("t", schema)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'text'",
                "7",
                "[]",
                "false",
                "{'type':'string'}",
                "{'anyOf':[{'type':'string'},{'type':'array'}]}"
            })
    void refusesASchemaThatNoArgumentsFit(String given) {
        assertThatThrownBy(() -> of(given)).isInstanceOf(UnusableSchema.class).hasMessageContaining("schema");
    }

    @Test
    void refusesASchemaThatIsTooLarge_andOnlyThat() {
        var large = (ObjectNode) json("{'type':'object','properties':{}}");
        large.withObjectProperty("properties")
                .putObject("a")
                .put("type", "string")
                .put("description", "y".repeat(60_000));
        assertThat(ToolSchema.of(large).schema().at("/properties/a/description").asText())
                .hasSize(60_000);

        large.withObjectProperty("properties")
                .putObject("b")
                .put("type", "string")
                .put("description", "y".repeat(6_000));

        assertThatThrownBy(() -> ToolSchema.of(large))
                .isInstanceOf(UnusableSchema.class)
                .hasMessageContaining("longer");
    }

    /** References that double at each level would make a schema of 2^30 parts. */
    @Test
    void refusesReferencesThatMultiply_inTheTimeOfTheirBound() {
        var definitions = Json.object();
        for (var level = 0; level < 30; level++) {
            var next = "{'$ref':'#/$defs/d" + (level + 1) + "'}";
            definitions.set("d" + level, json("{'type':'object','properties':{'a':" + next + ",'b':" + next + "}}"));
        }
        var schema = Json.object().put("$ref", "#/$defs/d0");
        schema.set("$defs", definitions);

        assertThatThrownBy(() -> ToolSchema.of(schema))
                .isInstanceOf(UnusableSchema.class)
                .hasMessageContaining("parts");
    }

    @Test
    void endsASchemaThatContainsItself() {
        var schema = of("{'type':'object','properties':{'value':{'type':'string'},'next':{'$ref':'#'}}}")
                .schema();
        var ofParts = of("{'allOf':[{'$ref':'#'}],'anyOf':[{'$ref':'#'}],'properties':{'a':{'$ref':'#'}}}")
                .schema();

        assertThat(schema.at("/properties/next/properties/value/type").asText()).isEqualTo("string");
        assertThat(Json.text(schema)).hasSizeLessThan(2_000);
        assertThat(StrictClients.objections("t", ofParts)).isEmpty();
    }

    @Test
    void sendsKeysThatAreAccepted_andRestoresThemInCalls() {
        var schema = of("""
                {'type':'object','required':['city name'],'properties':{
                 'city name':{'type':'string'},'city_name':{'type':'number'},
                 'größe':{'type':'object','properties':{'in cm':{'type':'number'}}},
                 'rows':{'type':'array','items':{'type':'object','properties':{'Ä':{},'Ö':{}}}},
                 'alt':{'anyOf':[{'type':'object','properties':{'x y':{}}},{'type':'string'}]}}}""");

        var sent = schema.schema();

        assertThat(StrictClients.objections("t", sent)).isEmpty();
        assertThat(sent.path("required")).isEqualTo(json("['city_name_2']"));
        assertThat(schema.restored((ObjectNode) json("""
                {'city_name_2':'Oslo','city_name':3,'gr__e':{'in_cm':1},'rows':[{'_':1,'__2':2},'odd'],'alt':{'x_y':1},'more':1}"""))).isEqualTo(json("""
                {'city name':'Oslo','city_name':3,'größe':{'in cm':1},'rows':[{'Ä':1,'Ö':2},'odd'],'alt':{'x y':1},'more':1}"""));
    }

    /**
     * Schemas of any shape become acceptable, or are rejected with a reason; normalizing them again changes nothing.
     */
    @RepeatedTest(400)
    void acceptsOrRefusesEverySchema(RepetitionInfo repetition) {
        var random = new Random(repetition.getCurrentRepetition());
        var given = random(random, 0);
        ToolSchema schema;
        try {
            schema = ToolSchema.of(given);
        } catch (UnusableSchema refused) {
            assertThat(refused.getMessage()).isNotBlank();
            return;
        }

        assertThat(StrictClients.objections("t", schema.schema()))
                .as(given.toString())
                .isEmpty();
        assertThat(ToolSchema.of(schema.schema()).schema()).as(given.toString()).isEqualTo(schema.schema());
    }

    private static JsonNode random(Random random, int depth) {
        if (depth > 4 || random.nextInt(12) == 0) {
            return random.nextBoolean() ? json("true") : Json.object();
        }
        var schema = Json.object();
        if (random.nextInt(4) > 0) {
            schema.put("type", depth == 0 ? "object" : TYPES[random.nextInt(TYPES.length)]);
        } else if (random.nextBoolean()) {
            schema.putArray("type").add("object").add(TYPES[random.nextInt(TYPES.length)]);
        }
        for (var words = random.nextInt(4); words > 0; words--) {
            addWord(random, schema, depth);
        }
        if (depth == 0) {
            schema.putObject("$defs").set("d", random(random, 2));
        }
        return schema;
    }

    private static void addWord(Random random, ObjectNode schema, int depth) {
        switch (random.nextInt(10)) {
            case 0, 1, 2 -> {
                var key = KEYS[random.nextInt(KEYS.length)];
                schema.withObjectProperty("properties").set(key, random(random, depth + 1));
                schema.withArrayProperty("required").add(random.nextBoolean() ? key : "gone");
            }
            case 3 ->
                schema.set(
                        "items",
                        random.nextBoolean()
                                ? random(random, depth + 1)
                                : Json.array().add(random(random, depth + 1)));
            case 4 ->
                schema.withArrayProperty(random.nextBoolean() ? "anyOf" : "oneOf")
                        .add(random(random, depth + 1))
                        .add(random(random, depth + 1));
            case 5 -> schema.withArrayProperty("allOf").add(random(random, depth + 1));
            case 6 -> schema.put("$ref", random.nextBoolean() ? "#/$defs/d" : "#");
            case 7 -> schema.withArrayProperty("enum").add("x").addNull().add(random.nextInt(2));
            case 8 -> schema.set("additionalProperties", random(random, depth + 1));
            default ->
                schema.put("format", "x")
                        .put("pattern", "(?=a)")
                        .put("$comment", "c")
                        .put("minLength", 1);
        }
    }
}
