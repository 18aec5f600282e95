package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Package registry whose responses never end or are too large: the package manager keeps its limits of memory and
 * files.
 */
@HostileKind("package registry")
@Slow(Slow.Reason.HOSTILE)
class EndlessRegistryIT {
    private static final int MEGABYTE = 1 << 20;
    private static final String VERSION = "1.0.0";

    private static NpmRegistry registry;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .with("AP_PACKAGE_INSTALL_MEMORY_MAX_MB", "384")
                .with("AP_PACKAGE_INSTALL_FILES_MAX_MB", "32")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            registry.close();
        }
    }

    /** Sends a chunk repeatedly as long as the peer reads. */
    private static void sendWithoutEnd(HttpServerRequest request, Buffer beginning, Buffer chunk) {
        var response = request.response().setChunked(true);
        response.write(beginning);
        response.drainHandler(_ -> fill(request, chunk));
        fill(request, chunk);
    }

    private static void fill(HttpServerRequest request, Buffer chunk) {
        while (!request.response().writeQueueFull() && !request.response().closed()) {
            request.response().write(chunk);
        }
    }

    private static Buffer noise(int bytes) {
        var content = new byte[bytes];
        new Random(39).nextBytes(content);
        return Buffer.buffer(content);
    }

    @ParameterizedTest
    @CsvSource({"document, '{\"name\":\"'", "document, '{'", "tarball, ''"})
    void endsAnAnswerWithoutEnd(String kind, String beginning) throws IOException {
        var name = "@acme/piece-endless" + kind + beginning.length();
        registry.publish(PiecePackage.probe(name, VERSION));
        var path = kind.equals("document") ? name : "tarball/" + name + "@" + VERSION;
        var chunk = kind.equals("document") ? Buffer.buffer(" ".repeat(MEGABYTE)) : noise(MEGABYTE);
        registry.answer(path, request -> sendWithoutEnd(request, Buffer.buffer(beginning), chunk));

        refuses(name);
    }

    @Test
    void refusesAnArchiveThatIsLargerThanItsLimit() throws IOException {
        var name = "@acme/piece-large";
        registry.publish(PiecePackage.probe(name, VERSION)
                .with("package/noise.txt", noise(26 * MEGABYTE).toString("ISO-8859-1")));

        refuses(name);
    }

    @Test
    void refusesADependencyThatIsLargerThanItsLimit() throws IOException {
        var name = "@acme/piece-largedependency";
        registry.publish(new PiecePackage(
                        "large", VERSION, PiecePackage.probe("large", VERSION).entries())
                .with("package/noise.txt", "x".repeat(36 * MEGABYTE)));
        registry.publish(PiecePackage.probe(name, VERSION).needing("dependencies", "large", "1"));

        refuses(name);
    }

    /** Positive control: the same settings suffice for a small package with a dependency. */
    @Test
    void installsASmallPackage() {
        var name = "@acme/piece-small";
        registry.publish(PiecePackage.probe("small", VERSION));
        registry.publish(PiecePackage.probe(name, VERSION).needing("dependencies", "small", "1"));

        var answer = admin.api().post("/v1/pieces", wanted(name));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
    }

    private static ObjectNode wanted(String name) {
        return Json.object()
                .put("packageType", "REGISTRY")
                .put("scope", "PLATFORM")
                .put("pieceName", name)
                .put("pieceVersion", VERSION);
    }

    private static void refuses(String name) throws IOException {
        var answer = admin.api().post("/v1/pieces", wanted(name));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.toString())
                .containsAnyOf("AP_PACKAGE_INSTALL_", "npm ended with", "expected an archive of at most")
                .doesNotContain(server.dataDirectory().toString());
        try (var files = Files.walk(server.dataDirectory().resolve("pieces"))) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("part-")))
                    .isEmpty();
        }
    }
}
