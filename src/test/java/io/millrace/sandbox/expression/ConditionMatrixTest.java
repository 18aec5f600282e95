package io.millrace.sandbox.expression;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operator of contract flows-and-engine 10 over every pair of values, as Node.js decides it by the rules of that
 * section. {@code conditions.tsv} first lists the values; a row then holds an operator, whether case matters, the first
 * value, and one digit for each second value.
 */
class ConditionMatrixTest {
    private static final Map<String, List<JsonNode>> VALUES = rows().limit(2)
            .collect(Collectors.toMap(
                    row -> row[0],
                    row -> Arrays.stream(row)
                            .skip(1)
                            .map(ConditionMatrixTest::json)
                            .toList()));

    static Stream<String[]> rows() {
        try (var rows = ConditionMatrixTest.class.getResourceAsStream("conditions.tsv")) {
            return new String(rows.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().map(row -> row.split("\t")).toList().stream();
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    static Stream<String[]> cases() {
        return rows().skip(2);
    }

    private static JsonNode json(String text) {
        try {
            return text.equals("undefined") ? MissingNode.getInstance() : Json.parse(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("expected JSON in the table, but found " + text, malformed);
        }
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @MethodSource("cases")
    void decidesAsNodeDoes(String name, String caseSensitive, String first, String expected) {
        // given
        var operator = ConditionOperator.of(name).orElseThrow();
        var seconds = VALUES.get(name.startsWith("DATE") ? "dates" : "values");

        // when
        var decided = IntStream.range(0, expected.length())
                .mapToObj(second -> RouterConditions.evaluate(
                                operator, json(first), seconds.get(second), Boolean.parseBoolean(caseSensitive))
                        ? "1"
                        : "0")
                .collect(Collectors.joining());

        // then
        assertThat(decided).isEqualTo(expected);
    }

    @Test
    void knowsEveryOperator() {
        assertThat(cases().map(row -> row[0]).distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ConditionOperator.values())
                        .map(Enum::name)
                        .toList());
    }
}
