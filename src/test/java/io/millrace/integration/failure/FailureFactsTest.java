package io.millrace.integration.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.engine.run.RunStatus;
import org.junit.jupiter.api.Test;

class FailureFactsTest {
    @Test
    void readsTheMessageOfATruncatedText() {
        var facts = FailureFacts.of(
                RunStatus.FAILED, "CODE", "{\"__apErrorVersion\":1,\"message\":\"no \\\"a\\\" in \\u00e4 \\");

        assertThat(facts.message()).isEqualTo("no \"a\" in \u00e4 ");
    }

    /** Code can throw such a text; the JDK's stack would not suffice for a frame per character. */
    @Test
    void readsALongMessage() {
        var message = "a\\n".repeat(200_000);

        var facts = FailureFacts.of(RunStatus.FAILED, "CODE", "{\"__apErrorVersion\":1,\"message\":\"" + message);

        assertThat(facts.message()).hasSize(400_000);
    }
}
