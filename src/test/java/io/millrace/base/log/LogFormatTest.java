package io.millrace.base.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.base.log.LogFormat.Line;
import java.io.IOException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LogFormatTest {
    private static final long MILLIS = 1_700_000_000_007L;

    private static String text(LogFormat format, String message, Map<String, String> fields, String error) {
        var out = new StringBuilder();
        format.write(
                new Line(MILLIS, "INFO", "access", "loop-1", message, fields, error),
                new Timestamps(ZoneOffset.UTC),
                out);
        return out.toString();
    }

    @Test
    void writesOneLineForPeople_withFieldsAndErrorBehind() {
        assertThat(text(LogFormat.TEXT, "GET /  200", Map.of(), null))
                .isEqualTo("2023-11-14T22:13:20.007Z INFO  access [loop-1] GET /  200\n");
        assertThat(text(
                        LogFormat.TEXT,
                        "a\r\n  b \n\n c\n",
                        Map.of("flow.id", "f1"),
                        "Boom: x\n\tat here\n\tat there\n"))
                .isEqualTo(
                        "2023-11-14T22:13:20.007Z INFO  access [loop-1] a | b | c flow.id=f1 | Boom: x | at here | at"
                                + " there\n");
    }

    @ParameterizedTest
    @CsvSource({"UTC, 22:13:20.007Z", "Asia/Kolkata, 03:43:20.007+05:30"})
    void writesTimesWithTheirOffset(String zone, String expected) {
        var out = new StringBuilder();
        var timestamps = new Timestamps(ZoneId.of(zone));

        timestamps.write(MILLIS, out);
        timestamps.write(MILLIS + 993, out);

        assertThat(out.toString()).contains(expected).contains(":21.000");
    }

    @Test
    void writesAnObjectForPrograms_withAnyText() throws IOException {
        var line = text(LogFormat.JSON, "say \"hi\"\\\n\t\u0001 ü", Map.of("flowRun.id", "r\"1"), "Boom\n\tat here");

        var read = Json.parse(line);

        assertThat(line).endsWith("}\n").hasLineCount(1);
        assertThat(read.path("time").asText()).isEqualTo("2023-11-14T22:13:20.007Z");
        assertThat(read.path("level").asText()).isEqualTo("INFO");
        assertThat(read.path("logger").asText()).isEqualTo("access");
        assertThat(read.path("thread").asText()).isEqualTo("loop-1");
        assertThat(read.path("message").asText()).isEqualTo("say \"hi\"\\\n\t\u0001 ü");
        assertThat(read.path("flowRun.id").asText()).isEqualTo("r\"1");
        assertThat(read.path("error").asText()).isEqualTo("Boom\n\tat here");
    }

    @Test
    void writesQuantitiesAsNumbers_andIdsAsTexts() throws IOException {
        var fields = Map.of("durationMs", "908", "status", "200", "flow.id", "123", "sizeBytes", "1e3", "waitUs", "-5");

        var read = Json.parse(text(LogFormat.JSON, "request", fields, null));

        assertThat(read.path("durationMs").isInt()).isTrue();
        assertThat(read.path("status").intValue()).isEqualTo(200);
        assertThat(read.path("waitUs").intValue()).isEqualTo(-5);
        assertThat(read.path("flow.id").textValue()).isEqualTo("123");
        assertThat(read.path("sizeBytes").textValue()).isEqualTo("1e3");
    }
}
