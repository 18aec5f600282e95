package io.millrace.support;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/** Rows of a test case file next to a test class: a JSON text, a tab, and the expected value verbatim. */
public final class TableRows {
    private TableRows() {}

    public static Stream<Arguments> of(Class<?> test, String name) throws IOException {
        try (var rows = test.getResourceAsStream(name)) {
            return new String(rows.readAllBytes(), StandardCharsets.UTF_8)
                    .lines().map(row -> row.split("\t")).map(row -> arguments(text(row[0]), row[1])).toList().stream();
        }
    }

    private static String text(String json) {
        try {
            return Json.parse(json).textValue();
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException("expected JSON in the table, but found " + json, malformed);
        }
    }
}
