package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The platform's own credits among its providers (contract admin-api 28.2). */
class PlatformCreditsIT {
    private static final String MODELS = "[{\"id\":\"fast\",\"name\":\"Fast\",\"type\":\"text\"}]";

    @AutoClose
    private static ProviderServer server = ProviderServer.startWithCredits(MODELS);

    private ProviderServer.Administrator ours;

    @BeforeEach
    void makePlatform() {
        ours = server.administrator();
    }

    private JsonNode credits() {
        return ours.listed()
                .valueStream()
                .filter(provider -> provider.path("provider").asText().equals("activepieces"))
                .reduce((one, other) -> {
                    throw new AssertionError("expected one entry of credits, found " + one + " and " + other);
                })
                .orElseThrow();
    }

    private static void refused(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(json(answer).path("code").asText()).isEqualTo("VALIDATION");
        assertThat(json(answer).at("/params/message").asText()).contains("activepieces", "managed by the server");
    }

    @Test
    void areThere_andServeChats_whereNothingElseDoes() {
        // When
        var first = credits();

        // Then
        assertThat(first.path("name").asText()).isEqualTo("Activepieces");
        assertThat(first.path("config").isEmpty()).isTrue();
        assertThat(first.path("enabledForChat").asBoolean()).isTrue();
        assertThat(first.has("auth")).isFalse();
        assertThat(credits()).isEqualTo(first);
        assertThat(ours.models("activepieces")).isEqualTo(Json.trusted(MODELS));
    }

    @Test
    void leaveChatsToTheProviderThatServesThem() {
        // Given
        var own = json(ours.create("openai", "{}", "{'apiKey':'k'}")).path("id").asText();
        ours.update(own, "{'displayName':'Ours','enabledForChat':true}");

        // Then
        assertThat(credits().path("enabledForChat").asBoolean()).isFalse();

        // When
        var chosen = ours.update(credits().path("id").asText(), "{'displayName':'Renamed','enabledForChat':true}");

        // Then
        assertThat(chosen.statusCode()).isEqualTo(200);
        assertThat(json(chosen).path("name").asText()).isEqualTo("Activepieces");
        assertThat(ours.listed()
                        .valueStream()
                        .filter(provider -> provider.path("enabledForChat").asBoolean()))
                .singleElement()
                .isEqualTo(credits());
    }

    @Test
    void areNobodysToAddChangeOrDelete_andKeepTheirKey() {
        // Given
        var before = credits();
        var id = before.path("id").asText();

        // Then
        refused(ours.create("activepieces", "{}", "{'apiKey':'k'}"));
        refused(ours.update(id, "{'displayName':'x','auth':{'apiKey':'k'}}"));
        refused(ours.update(id, "{'displayName':'x','config':{}}"));
        refused(ours.delete(ProviderServer.ALL + "/" + id));
        assertThat(ours.revealed("activepieces").statusCode()).isEqualTo(404);
        assertThat(credits()).isEqualTo(before);
    }
}
