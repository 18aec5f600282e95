package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Selection among several keys of a vendor. */
class AiKeyChoiceIT {
    @AutoClose
    private static ProviderServer server = ProviderServer.start();

    private static VendorPeer vendors = server.vendors();
    private ProviderServer.Administrator ours;

    @BeforeEach
    void makePlatform() {
        ours = server.administrator();
    }

    @Test
    void showsTheNewestOfAVendor() {
        // Given
        ours.create("openai", "{}", "{'apiKey':'first'}");
        server.clock().advance(Duration.ofSeconds(1));
        ours.named("Theirs", "openai", "second");

        // Then
        assertThat(json(ours.revealed("openai")).at("/auth/apiKey").asText()).isEqualTo("second");
    }

    @Test
    void takesTheKeyThatIsMeant_ofSeveralOfAVendor() {
        // Given
        var first = json(ours.named("First", "openai", "first")).path("id").asText();
        server.clock().advance(Duration.ofSeconds(1));
        vendors.say("api.anthropic.com/v1/models?limit=1000", 200, "{'data':[]}");
        var second = json(ours.named("Second", "openai", "second")).path("id").asText();
        server.clock().advance(Duration.ofSeconds(1));
        var other = json(ours.create("anthropic", "{}", "{'apiKey':'k'}"))
                .path("id")
                .asText();
        vendors.asked.clear();

        // When
        var shown = ours.revealed("/openai/config?configId=" + first, ours.id());
        ours.models("openai", first);
        var ofAnotherKind = ours.revealed("/openai/config?configId=" + other, ours.id());
        var ofAnotherPlatform = ours.revealed("/openai/config?configId=" + first, server.newPlatform());
        var unknown = ours.get("/openai/models?configId=" + Ids.next());

        // Then
        assertThat(json(shown).at("/auth/apiKey").asText()).isEqualTo("first");
        assertThat(vendors.asked)
                .extracting(asked -> asked.headers().get("authorization"))
                .containsExactly("Bearer first");
        assertThat(ofAnotherKind.statusCode()).isEqualTo(404);
        assertThat(ofAnotherPlatform.statusCode()).isEqualTo(404);
        assertThat(unknown.statusCode()).isEqualTo(404);
        for (var index = 0; index < 2; index++) {
            assertThat(ours.listed().get(index).path("keys"))
                    .containsExactly(
                            Json.object().put("id", first).put("name", "First"),
                            Json.object().put("id", second).put("name", "Second"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "%00", "x%27", "activepieces"})
    void findsNoKey_underAnInvalidId(String configId) {
        // Given
        ours.create("openai", "{}", "{'apiKey':'k'}");

        // When
        var shown = ours.revealed("/openai/config?configId=" + configId, ours.id());
        var models = ours.get("/openai/models?configId=" + configId);

        // Then
        assertThat(shown.statusCode()).isBetween(400, 404);
        assertThat(models.statusCode()).isBetween(400, 404);
    }
}
