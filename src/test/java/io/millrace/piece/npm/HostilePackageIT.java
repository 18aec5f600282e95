package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Malicious uploaded packages, during their installation and during their calls. */
@HostileKind("npm piece")
class HostilePackageIT {
    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() throws IOException {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        registry.publish(PiecePackage.probe("harmless", "1.0.0"));
        registry.publish(
                PiecePackage.probe("deep", "1.0.0").needing("dependencies", "harmless", registry.url() + "/x.tgz"));
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .startInRealTime();
        // Readable by all users of this host: the sandbox has to refuse it.
        Files.writeString(server.dataDirectory().resolve("server-secrets.json"), "{}");
        admin = server.signUp("ada@example.com", "Ada");
        assertThat(PackageUploads.upload(admin, PiecePackage.probe("@acme/piece-evil", "1.0.0"))
                        .status())
                .isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    private static JsonNode run(String code) {
        var input = Json.object().put("code", code);
        return LiveFlow.publish(admin, webhook().piece("step_1", "@acme/piece-evil", "1.0.0", "evaluate", input))
                .run(Json.object());
    }

    @ParameterizedTest
    @CsvSource({
        "optionalDependencies, git+ssh://git@127.0.0.1/a.git",
        "dependencies, file:../../../server-secrets.json",
        "peerDependencies, http://127.0.0.1:1/a.tgz",
        "dependencies, npm:evil@file:../a",
    })
    void refusesDependenciesFromOtherSources(String kind, String wanted) {
        var piece = PiecePackage.probe("@acme/piece-asking", "1.0.0").needing(kind, "a", wanted);

        var answer = PackageUploads.upload(admin, piece);

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.text("/params/message")).contains(kind);
    }

    @Test
    void refusesAPackage_whoseDependencyAsksForAnAddress() {
        var answer = PackageUploads.upload(
                admin, PiecePackage.probe("@acme/piece-deep", "1.0.0").needing("dependencies", "deep", "1.0.0"));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
    }

    @Test
    void installsFromTheRegistry_despiteSettingsInTheArchive() {
        // Given
        var piece = PiecePackage.probe("@acme/piece-steering", "1.0.0")
                .needing("dependencies", "harmless", "^1.0.0")
                .needing("optionalDependencies", "absent", "1.0.0")
                .with(
                        "package/./.npmrc",
                        "registry=http://127.0.0.1:1/\ngit=./evil.sh\nnode-options=--require=./evil.js")
                .with("package/evil.sh", "#!/bin/sh\ntouch evil")
                .with("package/src/has.js", "module.exports = require('harmless/package.json').version");

        // When
        var answer = PackageUploads.upload(admin, piece);

        // Then
        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertThat(registry.asked()).contains("harmless");
    }

    @Test
    void runsTheCodeOfThePackage() {
        var run = run("console.log('attack begun'); return 6 * 7");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("SUCCEEDED");
        assertThat(run.at("/steps/step_1/output").asInt()).isEqualTo(42);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "process.kill(process.ppid, 9)",
                "process.kill(-1, 9)",
                "process.kill(0, 9)",
                "require('node:fs').readFileSync('$DATA/server-secrets.json')",
                "require('node:fs').readFileSync(require('node:path').relative(process.cwd(), '$DATA/server-secrets.json'))",
                "require('node:fs').readFileSync('/proc/self/root$DATA/server-secrets.json')",
                "require('$DATA/server-secrets.json')",
                "require('node:fs').readdirSync('$DATA')",
                "require('node:fs').readFileSync(`/proc/${process.ppid}/environ`)",
                "require('node:child_process').execSync('id')",
            })
    void failsTheStep_andTheServerLives(String attack) {
        var code = attack.replace("$DATA", server.dataDirectory().toString());

        var run = run("console.log('attack begun'); return String(" + code + ")");

        assertThat(run.path("status").asText()).as(run.toString()).isEqualTo("FAILED");
        assertThat(run.at("/steps/step_1/errorMessage").asText())
                .containsPattern("Blocked an attempt|Access to this API has been restricted");
        assertThat(run.at("/steps/step_1/standardOutput").asText()).contains("attack begun");
        assertThat(server.anonymous().get("/v1/health").status()).isEqualTo(200);
    }
}
