package io.millrace.authoring.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.NullNode;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Drafts of agents by models that cannot be forced to call a tool. */
class AgentDraftsTest {
    private static AgentDraft read(String text) {
        return AgentDrafts.read(
                new ModelResponse(
                        text.replace('\'', '"'),
                        List.of(),
                        ModelResponse.Ending.WHOLE,
                        1,
                        1,
                        List.of(),
                        NullNode.instance),
                new ModelChoice("custom", "", "m-1", 1_000),
                Map.of());
    }

    @Test
    void areTakenFromText() {
        var sketch = read("Here: ```json\n{'displayName':'Clerk','icon':'none','instructions':'Answer mail.'}\n```");

        assertThat(sketch.displayName()).isEqualTo("Clerk");
        assertThat(sketch.instructions()).isEqualTo("Answer mail.");
    }

    @Test
    void areRefused_whenThereIsNone() {
        assertThatThrownBy(() -> read("{'displayName':'Clerk'}")).hasMessageContaining("no draft");
    }
}
