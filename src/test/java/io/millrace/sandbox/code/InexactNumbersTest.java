package io.millrace.sandbox.code;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Integers in the inputs of code that a double cannot represent. */
final class InexactNumbersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "8202522731445525542",
                "9007199254740993",
                "-9007199254740993",
                "9223372036854775807",
                "-9223372036854775807",
                "18446744073709551615",
                "123456789012345678901234567890"
            })
    void findsIntegersThatLoseDigits(String number) {
        assertThat(paths("{\"order\":{\"id\":" + number + "},\"n\":1}")).containsExactly("inputs.order.id");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "2147483648",
                "9007199254740991",
                "9007199254740992",
                "-9007199254740992",
                "9007199254740994",
                "1000000000000000000",
                "-9223372036854775808",
                "18446744073709551616",
                "1.5",
                "1e300",
                "\"8202522731445525542\"",
                "null"
            })
    void leavesExactNumbersAlone(String value) {
        assertThat(paths("{\"a\":" + value + "}")).isEmpty();
    }

    @Test
    void namesItemsOfAListOnce() {
        assertThat(paths("{\"ids\":[9007199254740993,[9007199254740995],9007199254740997]}"))
                .containsExactly("inputs.ids[]", "inputs.ids[][]");
    }

    @Test
    void endsAtTheLimits() {
        var fields = IntStream.range(0, 50)
                .mapToObj(number -> "\"k" + number + "\":9007199254740993")
                .collect(Collectors.joining(",", "{", "}"));
        var items = Json.object();
        var list = items.putArray("list");
        IntStream.range(0, 200_000).forEach(list::add);

        assertThat(paths(fields)).hasSize(10);
        assertThat(InexactNumbers.paths("inputs", items)).isEmpty();
    }

    @Test
    void writesBeforeTheLinesOfTheCode_withoutTheValue() {
        var log = new ConsoleLog(List.of(new ConsoleLog.Line(ConsoleLog.Level.WARN, "own")), true);

        var warned = InexactNumbers.warned(log, Json.trusted("{\"id\":9007199254740993}"));

        assertThat(warned.standardError())
                .isEqualTo(
                        "inputs.id: JavaScript cannot hold this integer exactly, so the code received a rounded number;"
                                + " pass it as text\nown");
        assertThat(warned.truncated()).isTrue();
        assertThat(InexactNumbers.warned(log, Json.object())).isSameAs(log);
    }

    private static List<String> paths(String json) {
        return List.copyOf(InexactNumbers.paths("inputs", Json.trusted(json)));
    }
}
