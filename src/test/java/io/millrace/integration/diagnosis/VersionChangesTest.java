package io.millrace.integration.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.support.MachineSpeed;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

/** Variables in the JSON text of a version. */
class VersionChangesTest {
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @Test
    void findsVariables() {
        assertThat(
                        VersionChanges.variables(
                                "{{variables['A']}} {{ variables . B }} {{variables?.[\\\"C\\\"]}} {{variables ?. ['D']}} {{variablesE.F}}"))
                .containsExactly("A", "B", "C", "D");
    }

    @Test
    void searchesABlankTextInTheTimeOfAScan() {
        var text = "variables" + " ".repeat(2_000_000) + "!";

        Assertions.assertTimeoutPreemptively(
                MachineSpeed.deadline(DEADLINE),
                () -> assertThat(VersionChanges.variables(text)).isEmpty());
    }
}
