package io.millrace.engine.run.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.sandbox.code.ConsoleLog;
import io.millrace.sandbox.code.ConsoleLog.Level;
import io.millrace.sandbox.code.ConsoleLog.Line;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class StepConsoleTest {
    private static final ConsoleLog LOG = new ConsoleLog(
            List.of(
                    new Line(Level.LOG, "key s3cret and s3cret"),
                    new Line(Level.ERROR, "careful with s3cret"),
                    new Line(Level.DEBUG, "done")),
            false);

    @Test
    void hidesTheSecretsOfTheStep() {
        // when
        var console = StepConsole.of(LOG, "", text -> text.replace("s3cret", "**REDACTED**"));

        // then
        assertThat(console.standardOutput()).isEqualTo("key **REDACTED** and **REDACTED**\ndone");
        assertThat(console.standardError()).isEqualTo("careful with **REDACTED**");
    }

    @Test
    void reportsMissingLines() {
        var console =
                StepConsole.of(new ConsoleLog(List.of(new Line(Level.LOG, "a")), true), "", UnaryOperator.identity());
        assertThat(console.standardOutput()).isEqualTo("a\n…[truncated]");
    }

    @Test
    void namesTheProcessesThatRanTheCode_whenTheyAreNotWorkers() {
        // given
        var record = Json.object().put("status", "SUCCEEDED");

        // when
        StepConsole.of(new ConsoleLog(List.of(), false), "node", UnaryOperator.identity())
                .writeTo(record);

        // then
        assertThat(record).isEqualTo(Json.object().put("status", "SUCCEEDED").put("engine", "node"));
    }

    @Test
    void leavesTheRecordAlone_whenNothingWasWritten() {
        // given
        var record = Json.object().put("status", "SUCCEEDED");

        // when
        StepConsole.EMPTY.writeTo(record);

        // then
        assertThat(record).isEqualTo(Json.object().put("status", "SUCCEEDED"));
        assertThat(StepConsole.sizeIn(record)).isZero();
    }
}
