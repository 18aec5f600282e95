package io.millrace.engine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Json;
import io.millrace.piece.model.ModelResponse;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Responses of models in the records of runs. */
class AgentEntriesTest {
    private static AgentRun.Entry recorded(int stateLength) {
        // The quotation marks and the name take the rest.
        var state = Json.object().put("s", "x".repeat(stateLength - "{\"s\":\"\"}".length()));
        var answer = new ModelResponse("Well.", List.of(), ModelResponse.Ending.WHOLE, 1, 1, List.of(), state)
                .thinking("Hm.");
        return AgentEntries.ofAnswer(1, answer, Map.of(), Optional.empty(), Instant.EPOCH);
    }

    @Test
    void keepTheStateOfTheProvider_upToItsBound() {
        var kept = recorded(AgentEntries.STATE_LENGTH_MAX);
        var dropped = recorded(AgentEntries.STATE_LENGTH_MAX + 1);

        assertThat(kept.content().path("raw").isObject()).isTrue();
        assertThat(dropped.content().path("raw").isNull()).isTrue();
        assertThat(dropped.content().path("text").asText()).isEqualTo("Well.");
        assertThat(dropped.content().path("thoughts").asText()).isEqualTo("Hm.");
    }

    @Test
    void cutThoughts_atTheirBound() {
        var answer = new ModelResponse("", List.of(), ModelResponse.Ending.WHOLE, 1, 1, List.of(), Json.object())
                .thinking("x".repeat(ModelResponse.THOUGHTS_LENGTH_MAX + 1));

        assertThat(answer.thoughts()).hasSize(ModelResponse.THOUGHTS_LENGTH_MAX);
    }
}
