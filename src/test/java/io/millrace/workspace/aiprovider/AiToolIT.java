package io.millrace.workspace.aiprovider;

import static io.millrace.support.ModuleServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.core.Ids;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Web services, one for each capability. */
class AiToolIT {
    private static final String KEY = "sk-the-millers-own";

    @AutoClose
    private static ProviderServer server = ProviderServer.start();

    private ProviderServer.Administrator ours;

    @BeforeEach
    void makePlatform() {
        ours = server.administrator();
    }

    @Test
    void keepsOneToolForACapability() {
        // Given
        var first = ours.tool("", "{'capability':'WEB_SEARCH','provider':'TAVILY','auth':{'apiKey':'" + KEY + "'}}");
        var id = json(first).path("id").asText();

        // When
        var second = ours.tool(
                "",
                "{'capability':'WEB_SEARCH','provider':'FIRECRAWL','auth':{'apiKey':'x'},'config':{'a':1},'enabled':false}");
        var changed = ours.tool("/" + id, "{'provider':'APIFY','config':null,'enabled':true}");

        // Then
        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(json(first).path("enabled").asBoolean()).isTrue();
        assertThat(json(first).toString()).doesNotContain(KEY);
        assertThat(json(second).path("id").asText()).isEqualTo(id);
        assertThat(json(second).at("/config/a").asInt()).isEqualTo(1);
        assertThat(changed.statusCode()).isEqualTo(200);
        assertThat(ours.tools()).containsExactly(json(changed));
        assertThat(json(changed).path("provider").asText()).isEqualTo("APIFY");
        assertThat(json(changed).path("config").isNull()).isTrue();
        assertThat(ours.tool("/" + id, "{'auth':{'apiKey':''}}").statusCode()).isEqualTo(400);
        assertThat(ours.tool("/" + Ids.next(), "{}").statusCode()).isEqualTo(404);
        assertThat(ours.delete("/v1/ai-tools/" + id).statusCode()).isEqualTo(204);
        assertThat(ours.tools()).isEmpty();
    }
}
