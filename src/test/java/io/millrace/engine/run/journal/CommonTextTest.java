package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommonTextTest {
    @ParameterizedTest(name = "{0} and {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
                    {"a":"x","b":1}         | {"a":"x","b":1}     | {"a":"x","b":1}
                    {"a":"x","b":1}         | {"a":"y","b":2}     | {"a":"","b":null}
                    {"a":"x","only":1}      | {"a":"x"}           | {"a":"x"}
                    {"a":"x"}               | {"a":{"b":1}}       | {"a":""}
                    {"a":{"b":1}}           | {"a":"x"}           | {"a":null}
                    [1,2,3]                 | [1,5]               | [1,null]
                    [1,2,3,4,5,6,7,8,9]     | [1,2,3,4,5,6,7,8,9] | [1,2,3,4,5,6,7,8]
                    true                    | true                | true
                    true                    | false               | null
                    """)
    void keepsWhatBothHave(String one, String other, String common) throws IOException {
        assertThat(CommonText.of(json(one), json(other))).isEqualTo(json(common));
    }

    @Test
    void goesNoDeeperThanItCan() {
        // Given
        var deep = Json.array();
        for (var level = 0; level < 5_000; level++) {
            deep = Json.array().add(deep);
        }

        // When
        var common = CommonText.of(deep, deep);

        // Then
        assertThat(Json.bytes(common)).hasSizeLessThan(100);
    }

    private static JsonNode json(String text) throws IOException {
        return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    }
}
