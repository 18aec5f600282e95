package io.millrace.base.core.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class FieldsTest {
    private enum Colour {
        RED,
        BLUE
    }

    @Test
    void whatIsNoObjectIsRefusedOnce() {
        assertThat(refusalOf("body", "[1]", body -> {
                    body.text("name");
                    body.inner("plan").texts("pieces");
                }))
                .isEqualTo("body/ Invalid input: expected object, received array");
        assertThat(refusalOf("body", "{\"plan\": 1}", body -> body.inner("plan").text("name")))
                .isEqualTo("body/plan Invalid input: expected object, received number");
    }

    @Test
    void tellsTheFirstThingOfAField_andOneOfEach() {
        var refusal = refusalOf("body", "{\"a\": 1, \"b\": null}", body -> {
            body.neverNull().text("a");
            body.refuse("a", "formErrors.required");
            body.neverNull().optionalText("b");
            body.neverNull().optionalText("b");
        });

        assertThat(refusal)
                .isEqualTo("body/a Invalid input: expected string, received number, "
                        + "body/b Invalid input: expected string, received null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"small", "all\\n", "All", ""})
    void wantsAPatternToMatchTheWholeText(String text) {
        assertThat(refusalOf(
                        "body", "{\"a\": \"" + text + "\"}", body -> body.text("a", Pattern.compile("all|^some$"))))
                .isEqualTo("body/a Invalid string: must match pattern /all|^some$/");
    }

    @Test
    void aSingleTextIsAListInAQueryOnly() {
        assertThat(Fields.of("querystring", json("{\"a\": \"x\"}")).texts("a")).containsExactly("x");
        assertThat(refusalOf("body", "{\"a\": \"x\"}", body -> body.texts("a")))
                .isEqualTo("body/a Invalid input: expected array, received string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x\\u0000y", "\\ud800", "\\udc00x", "x\\ud83dy"})
    void refusesTextsThatNoColumnHolds(String text) {
        assertThat(refusalOf("body", "{\"a\": \"" + text + "\"}", body -> body.text("a")))
                .startsWith("body/a Invalid string: must not contain");
        assertThat(refusalOf("body", "{\"a\": [\"" + text + "\"]}", body -> body.texts("a")))
                .startsWith("body/a/0 Invalid string: must not contain");
    }

    @Test
    void refusesTheLackOfAListOnce() {
        assertThat(refusalOf("body", "{}", body -> body.requiredTexts("a")))
                .isEqualTo("body/a Invalid input: expected array, received undefined");
        assertThat(refusalOf("body", "{\"a\": 7}", body -> body.requiredTexts("a")))
                .isEqualTo("body/a Invalid input: expected array, received number");
    }

    @Test
    void distinguishesNullFromAbsent_whereAFieldCannotBeNull() {
        var absent = Fields.of("body", json("{}")).neverNull();
        assertThat(absent.optionalText("a")).isEmpty();
        assertThat(absent.changedText("a")).isEqualTo(FieldChange.keep());
        absent.done();
        assertThat(refusalOf("body", "{\"a\": null, \"d\": null, \"b\": {\"c\": null}}", body -> {
                    body.neverNull().optionalText("a");
                    body.neverNull().changedObject("d");
                    body.neverNull().inner("b").optionalFlag("c");
                }))
                .isEqualTo("body/a Invalid input: expected string, received null, "
                        + "body/d Invalid input: expected object, received null, "
                        + "body/b/c Invalid input: expected boolean, received null");
    }

    @Test
    void namesThePlaceOfAnUnknownOption() {
        assertThat(refusalOf("body", "{\"a\": [\"RED\", \"PINK\"]}", body -> body.options("a", Colour.class)))
                .isEqualTo("body/a/1 Invalid option: expected one of \"RED\"|\"BLUE\"");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            '',       10
            ' ',      10
            0,        10
            7,        7
            7.0,      7
            5000,     1000
            """)
    void readsTheSizeOfAPage(String limit, int expected) {
        var query = Fields.of("querystring", Json.object().put("limit", limit).put("cursor", ""));

        assertThat(query.page(10)).isEqualTo(new PageRequest(expected, null, false));
        query.done();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            x                   | Invalid input: expected number, received NaN
            NaN                 | Invalid input: expected number, received NaN
            Infinity            | Invalid input: expected number, received NaN
            1d                  | Invalid input: expected number, received NaN
            0x10                | Invalid input: expected number, received NaN
            1.5                 | Invalid input: expected int, received number
            -1                  | Too small: expected number to be >=0
            99999999999999      | Too big: expected number to be <=2147483647
            """)
    void refusesWhatIsNoSizeOfAPage(String limit, String text) {
        assertThat(refusalOf("querystring", "{\"limit\": \"" + limit + "\"}", query -> query.page(10)))
                .isEqualTo("querystring/limit " + text);
    }

    private static String refusalOf(String place, String text, Consumer<Fields> read) {
        var fields = Fields.of(place, json(text));
        read.accept(fields);
        var refusal = catchThrowableOfType(ApiException.class, fields::done);
        assertThat(refusal).as("refusal of %s", text).isNotNull();
        return refusal.text();
    }

    private static JsonNode json(String text) {
        return Json.trusted(text);
    }
}
