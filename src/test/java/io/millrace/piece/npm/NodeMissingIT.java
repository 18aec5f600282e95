package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import io.millrace.support.piece.PiecePackage;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Server without Node.js: built-in pieces work, other pieces report the reason of their failure (contract pieces 15, check 13). */
class NodeMissingIT {
    private static final String GHOST = "@acme/piece-ghost";
    private static final String DESCRIPTION =
            "{\"displayName\":\"Ghost\",\"actions\":{\"haunt\":{\"requireAuth\":false}},\"triggers\":{}}";

    @AutoClose
    private static TestServer server = TestServer.start(Map.of("AP_NODE_PATH", "/there/is/no/node"));

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    @BeforeAll
    static void start() {
        var archive = PiecePackage.probe(GHOST, "1.0.0").tgz();
        server.execute(
                """
                insert into installed_piece (id, created, updated, platform_id, name, version, package_type, integrity, metadata,
                  translations, archive)
                values ($1, now(), now(), $2, $3, '1.0.0', 'ARCHIVE', $4, $5, '{}', $6)
                """, Ids.next(), admin.platformId(), GHOST, PackageArchive.integrity(archive), DESCRIPTION, archive);
        assertThat(admin.api().post("/v1/pieces/sync", Json.object()).status()).isEqualTo(204);
    }

    @Test
    void healthAndListReportIt() {
        var pieces = admin.api().get("/v1/pieces").body();

        assertThat(admin.api().get("/v1/health/system").body().path("pieces").asBoolean())
                .isFalse();
        assertThat(of(pieces, GHOST).path("available").asBoolean(true)).isFalse();
        assertThat(of(pieces, GHOST).path("unavailableReason").asText()).contains("Node.js");
        assertThat(of(pieces, "@activepieces/piece-webhook").has("available")).isFalse();
    }

    private static JsonNode of(JsonNode pieces, String name) {
        return pieces.valueStream()
                .filter(piece -> piece.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void failsTheStepThatNeedsIt_andNoOther() {
        var run = LiveFlow.publish(
                        admin, webhook().map("step_1", "{'a':1}").piece("step_2", GHOST, "1.0.0", "haunt", json("{}")))
                .run(json("{}"));

        assertThat(run.path("status").asText()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/status").asText()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_2/errorMessage").asText()).contains("cannot be run");
    }

    @Test
    void refusesToInstall() {
        var piece = PiecePackage.probe("@acme/piece-probe", "1.0.0");

        var answer = PackageUploads.upload(admin, piece);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/params/message")).contains("cannot be run");
    }
}
