package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Second node of a cluster, which installs a package that the first node has installed: the same bytes, or none. */
@HostileKind("package registry")
@Slow(Slow.Reason.HOSTILE)
class RestoredPackageIT {
    private static final String PIECE = "@acme/piece-shared";
    private static final String VERSION = "1.0.0";

    private NpmRegistry registry;
    private TestServer first;
    private TestServer second;
    private LiveFlow flow;

    @BeforeEach
    void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        registry.publish(helper("1.0.0", "first"));
        registry.publish(PiecePackage.probe(PIECE, VERSION).needing("dependencies", "helper", "^1.0.0"));
        var settings = ServerSettings.openSignUp().with("AP_NPM_REGISTRY_URL", registry.url());
        first = settings.startInRealTime();
        var admin = first.signUp("ada@example.com", "Ada");
        var installed = admin.api()
                .post(
                        "/v1/pieces",
                        Json.object()
                                .put("packageType", "REGISTRY")
                                .put("scope", "PLATFORM")
                                .put("pieceName", PIECE)
                                .put("pieceVersion", VERSION));
        assertThat(installed.status()).as(installed.toString()).isEqualTo(201);
        var input = Json.object().put("code", "return require('helper')");
        flow = LiveFlow.publish(admin, webhook().piece("step_1", PIECE, VERSION, "evaluate", input));
        assertThat(flow.run(Json.object()).toString()).contains("first");
        first.stopServer();
    }

    @AfterEach
    void stop() {
        if (registry != null) {
            if (second != null) {
                second.close();
            }
            first.close();
            registry.close();
        }
    }

    private static PiecePackage helper(String version, String answer) {
        return PiecePackage.probe("helper", version).with("package/src/index.js", "module.exports = '" + answer + "'");
    }

    /** Runs the flow on a node with an empty data directory. */
    private JsonNode runOnSecond() {
        second = first.successor();
        return flow.at(second).run(Json.object());
    }

    @Test
    void installsTheVersionsOfTheFirstNode_whenNewerOnesArePublished() {
        registry.publish(helper("1.1.0", "second"));

        assertThat(runOnSecond().toString()).contains("first").doesNotContain("second");
    }

    @Test
    void refusesAnotherArchiveOfAPiece() {
        registry.publish(PiecePackage.probe(PIECE, VERSION)
                .needing("dependencies", "helper", "^1.0.0")
                .with("package/src/more.js", "module.exports = 'swapped'"));

        assertThat(runOnSecond().toString()).contains("than before").doesNotContain("\"first\"");
    }

    @Test
    void refusesAnotherArchiveOfADependency_whichTheRegistryDescribesTruly() {
        registry.publish(helper("1.0.0", "swapped"));

        assertThat(runOnSecond().toString()).doesNotContain("swapped").contains("could not be installed");
    }

    @Test
    void refusesAnotherArchiveOfADependency_whichTheRegistryDescribesAsBefore() {
        var swapped = helper("1.0.0", "swapped").tgz();
        registry.answer("tarball/helper@1.0.0", request -> request.response().end(Buffer.buffer(swapped)));

        assertThat(runOnSecond().toString()).doesNotContain("swapped").contains("could not be installed");
    }

    /** Positive control: the second node installs an unchanged package. */
    @Test
    void installsTheSamePackages() {
        assertThat(runOnSecond().toString()).contains("first");
    }
}
