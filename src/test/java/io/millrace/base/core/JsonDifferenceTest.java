package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

class JsonDifferenceTest {
    private static final int LENGTH = 200_000;

    @Test
    void namesThePlaces() {
        var before = Json.trusted("{\"a\":{\"b/c\":[1,2]},\"d\":1}");
        var after = Json.trusted("{\"a\":{\"b/c\":[1,3,4]},\"e\":1}");

        assertThat(JsonDifference.between(before, after))
                .extracting(JsonDifference::path)
                .containsExactly("/a/b~1c/1", "/a/b~1c/2", "/d", "/e");
    }

    /** The paths together would need 80 GB. */
    @Test
    void cutsALongPath_thatManyDifferencesRepeat() {
        var differences = JsonDifference.between(numbers(0), numbers(LENGTH));

        assertThat(differences)
                .hasSize(LENGTH)
                .allMatch(difference -> difference.path().length() < 10_000);
    }

    private static JsonNode numbers(int first) {
        var list = Json.array();
        for (var number = 0; number < LENGTH; number++) {
            list.add(first + number);
        }
        return Json.object().set("n".repeat(LENGTH), list);
    }
}
