package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.json;
import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.base.core.Json;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/**
 * Published packages, one of each kind (contract pieces 1.1). Skipped if no registry can be reached; {@link
 * NpmPiecesIT} tests the server without one.
 */
class PublishedPiecesIT {
    @AutoClose
    private static TestServer server = TestServer.startInRealTime(Map.of());

    private static TestServer.SignedIn admin = server.signUp("ada@example.com", "Ada");

    private static Answer install(String name, String version) {
        var answer = admin.api()
                .post(
                        "/v1/pieces",
                        Json.object()
                                .put("packageType", "REGISTRY")
                                .put("scope", "PLATFORM")
                                .put("pieceName", name)
                                .put("pieceVersion", version));
        assumeTrue(answer.status() == 201, "the registry of npm is out of reach: " + answer.text("/params/message"));
        return answer;
    }

    @Test
    void runsABundledPiece() {
        var name = "@activepieces/piece-store";
        install(name, "0.6.20");

        var run = LiveFlow.publish(
                        admin,
                        webhook()
                                .piece("step_1", name, "0.6.20", "add_to_list", json("""
                                        {'key':'k','value':[1,2],'store_scope':'RUN'}"""))
                                .piece("step_2", name, "0.6.20", "get", json("{'key':'k','store_scope':'RUN'}")))
                .run(json("{}"));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_2/output")).isEqualTo(json("[1,2]"));
    }

    @Test
    void runsAPieceWithPackagesItDependsOn() {
        var name = "@activepieces/piece-data-mapper";
        install(name, "0.3.0");

        var run = LiveFlow.publish(
                        admin,
                        webhook().piece("step_1", name, "0.3.0", "advanced_mapping", json("{'mapping':{'a':1}}")))
                .run(json("{}"));

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output")).isEqualTo(json("{'a':1}"));
    }

    @Test
    void describesAPieceOfTheFirstGeneration() {
        var piece = install("@activepieces/piece-hackernews", "0.2.0");

        assertThat(piece.text("/displayName")).isEqualTo("Hacker News");
        assertThat(piece.body().path("actions")).isNotEmpty();
    }
}
