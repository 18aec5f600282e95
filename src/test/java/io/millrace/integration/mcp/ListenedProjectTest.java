package io.millrace.integration.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A stream reports the project that its caller selected last, even if an earlier selection is resolved later. */
final class ListenedProjectTest {
    @Test
    void isWhatWasFound() {
        // Given
        var project = new ListenedProject(Optional.empty());
        assertThat(project.is("first")).isFalse();

        // When
        project.found(Optional.of("first"));

        // Then
        assertThat(project.is("first")).isTrue();
    }

    @Test
    void staysWhatWasChosen_whenAnEarlierOneIsFoundLate() {
        // Given
        var project = new ListenedProject(Optional.empty());
        project.moveTo("second");

        // When
        project.found(Optional.of("first"));

        // Then
        assertThat(project.is("second")).isTrue();
        project.moveTo("third");
        assertThat(project.is("third")).isTrue();
    }
}
