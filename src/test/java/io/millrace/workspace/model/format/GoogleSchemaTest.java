package io.millrace.workspace.model.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Schemas of tools without the keywords that Gemini rejects. */
class GoogleSchemaTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'object','properties':{},'additionalProperties':false}|{'type':'object'}",
                "{'type':'array','items':{}}|{'type':'array','items':{'type':'string'}}",
                "{'type':'string','format':'uuid','default':'x'}|{'type':'string'}",
                "{'type':'string','format':'date-time'}|{'type':'string','format':'date-time'}",
                "{'type':'integer','enum':[1,2]}|{'type':'integer'}",
                "{'type':'string','enum':['a','']}|{'type':'string','enum':['a']}",
                "{'description':'D','anyOf':[{'type':'string'},{}]}"
                        + "|{'anyOf':[{'type':'string','description':'D'},{'type':'string','description':'D'}]}",
            })
    void writesWhatIsAccepted(String given, String expected) {
        assertThat(GoogleSchema.of(Json.trusted(given.replace('\'', '"'))))
                .isEqualTo(Json.trusted(expected.replace('\'', '"')));
    }
}
