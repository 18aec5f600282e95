package io.millrace.workspace.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.piece.model.ModelChoice;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelPricesTest {
    private static final ModelPrices PRICES = ModelPrices.parse("""
            # date: 2026-11-28
            claude-sonnet-4,3,15
            claude-sonnet-4.5,6,30
            o3,2,8
            custom:o3,1,1
            free,0,0
            """);

    private static ModelChoice choice(String provider, String model) {
        return new ModelChoice(provider, "k", model, 1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "anthropic, claude-sonnet-4, 18",
        "anthropic, claude-sonnet-4-20250514, 18",
        "anthropic, Claude-Sonnet-4.5, 36",
        "anthropic, claude-sonnet-4.6, 18",
        "openrouter, anthropic/claude-sonnet-4.5, 36",
        "bedrock, us.anthropic.claude-sonnet-4-v1:0, 18",
        "openai, o3, 10",
        "custom, o3, 2",
        "custom, free, 0",
        "openai, o30, -1",
        "openai, gpt, -1",
        "openai, '', -1"
    })
    void findsTheLongestName(String provider, String model, long micros) {
        assertThat(PRICES.micros(choice(provider, model), 1, 1).orElse(-1)).isEqualTo(micros);
    }

    @Test
    void roundsUp_soThatASmallCallIsNotFree() {
        assertThat(ModelPrices.parse("# date: 2026-11-28\nm,0.05,0.4")
                        .micros(choice("openai", "m"), 1, 0)
                        .orElseThrow())
                .isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "m,1,2",
                "# date: today\nm,1,2",
                "# date: 2026-11-28\nm,1",
                "# date: 2026-11-28\nm,one,2",
                "# date: 2026-11-28\nm,-1,2",
                "# date: 2026-11-28\nm,NaN,2",
                "# date: 2026-11-28\n,1,2"
            })
    void refusesAnInvalidTable(String text) {
        assertThatThrownBy(() -> ModelPrices.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }

    @Test
    void refusesAFileThatIsMissing() {
        assertThatThrownBy(() -> ModelPrices.read(Optional.of(Path.of("/nonexistent/prices.csv"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("/nonexistent/prices.csv");
    }

    @Test
    void shipsTheTableOfTheConfigurationFolder() {
        assertThat(ModelPrices.shipped().date()).isNotNull();
        assertThat(ModelPrices.shipped().micros(choice("activepieces", "anthropic/claude-sonnet-4.6"), 1_000_000, 0))
                .hasValue(3_000_000);
    }
}
