package io.millrace.base.http.document;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import org.junit.jupiter.api.Test;

class MergedSchemasTest {
    private static ObjectNode written(String schemas) {
        var document = (ObjectNode) Json.trusted(("{'components':{'schemas':" + schemas + "}}").replace('\'', '"'));
        MergedSchemas.writeOut(document);
        return (ObjectNode) document.at("/components/schemas");
    }

    @Test
    void writesInheritedFieldsOut_andLeavesNoPartThatIsNothingElse() {
        var schemas = written("""
                {'Base':{'type':'object','required':['id'],'properties':{'id':{'type':['string','null']}}},
                 'Named':{'allOf':[{'$ref':'#/components/schemas/Base'},
                                   {'required':['id','name'],'properties':{'name':{'type':'string'}}}]},
                 'Tagged':{'description':'d','allOf':[{'$ref':'#/components/schemas/Named'}],
                           'properties':{'tag':{'$ref':'#/components/schemas/Named'}}}}
                """);

        assertThat(schemas.has("Base")).isFalse();
        assertThat(schemas.get("Tagged")).isEqualTo(Json.trusted("""
                {"description":"d","type":"object","required":["id","name"],
                 "properties":{"id":{"type":["string","null"]},"name":{"type":"string"},
                               "tag":{"$ref":"#/components/schemas/Named"}}}
                """));
        assertThat(schemas.get("Named").has("allOf")).isFalse();
    }

    @Test
    void leavesWhatIsMoreThanAnObject() {
        var text = """
                {'Place':{'type':'string','enum':['A','B']},
                 'Open':{'type':'object','additionalProperties':true},
                 'Asked':{'type':'object','properties':{'at':{'allOf':[{'$ref':'#/components/schemas/Place'}]}}},
                 'Wide':{'allOf':[{'$ref':'#/components/schemas/Open'}]}}
                """;

        assertThat(written(text)).isEqualTo(Json.trusted(text.replace('\'', '"')));
    }
}
