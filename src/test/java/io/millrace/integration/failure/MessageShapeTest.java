package io.millrace.integration.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Shapes of messages, with the examples that the console's test also reads. */
final class MessageShapeTest {
    @Test
    void agreesWithTheTable() throws IOException {
        try (var table = MessageShapeTest.class.getResourceAsStream("/io/millrace/message-shapes.txt")) {
            var lines = new String(table.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(lines).hasSizeGreaterThan(5).allSatisfy(line -> {
                var bar = line.indexOf('|');
                assertThat(MessageShape.of(line.substring(0, bar))).isEqualTo(line.substring(bar + 1));
            });
        }
    }

    @Test
    void isTheRuleOfTheConsole() throws IOException {
        try (var table = MessageShapeTest.class.getResourceAsStream("/io/millrace/message-shapes.txt")) {
            assertThat(Files.readString(Path.of("src/main/console/runs/runs.test.ts")))
                    .contains(new String(table.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void differsByWords_notByNumbersAndIds() {
        var random = new Random(1);
        for (var round = 0; round < 200; round++) {
            var number = random.nextInt(1_000_000);
            var other = random.nextInt(1_000_000);
            assertThat(MessageShape.of("Order " + number + " is closed"))
                    .isEqualTo(MessageShape.of("Order " + other + " is closed"))
                    .isNotEqualTo(MessageShape.of("Order " + number + " is open"));
        }
    }

    @Test
    void isBounded_forLongMessages() {
        assertThat(MessageShape.of("word ".repeat(100_000))).hasSizeLessThanOrEqualTo(700);
        assertThat(MessageShape.of("\"".repeat(100_000))).hasSizeLessThanOrEqualTo(700);
    }
}
