package io.millrace.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A secret from a pipe. */
final class TypedSecretTest {
    @Test
    void firstLineOfTheInputIsRead_whereThereIsNoTerminal() {
        var before = System.in;
        try {
            System.setIn(new ByteArrayInputStream("correct horse\nmore\n".getBytes(StandardCharsets.UTF_8)));
            assertThat(TypedSecret.read()).contains("correct horse");
            System.setIn(new ByteArrayInputStream(new byte[0]));
            assertThat(TypedSecret.read()).isEmpty();
        } finally {
            System.setIn(before);
        }
    }
}
