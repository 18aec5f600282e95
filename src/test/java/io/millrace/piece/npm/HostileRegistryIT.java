package io.millrace.piece.npm;

import static io.millrace.support.FlowScript.webhook;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.hostile.HostileKind;
import io.millrace.support.ApiClient.Answer;
import io.millrace.support.LiveFlow;
import io.millrace.support.ServerSettings;
import io.millrace.support.Slow;
import io.millrace.support.TestServer;
import io.millrace.support.outside.NpmRegistry;
import io.millrace.support.outside.RawListener;
import io.millrace.support.piece.PiecePackage;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Malicious package registry: other archives than announced, redirects to internal addresses, and path traversal in
 * archives.
 */
@HostileKind("package registry")
@Slow(Slow.Reason.HOSTILE)
class HostileRegistryIT {
    private static final String JSON = "application/json";

    private static NpmRegistry registry;
    private static RawListener inside;
    private static TestServer server;
    private static TestServer.SignedIn admin;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        registry = NpmRegistry.start();
        inside = RawListener.at("127.0.0.2");
        server = ServerSettings.openSignUp()
                .with("AP_NPM_REGISTRY_URL", registry.url())
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
            inside.close();
            registry.close();
        }
    }

    private static Answer install(String name) {
        return admin.api()
                .post(
                        "/v1/pieces",
                        Json.object()
                                .put("packageType", "REGISTRY")
                                .put("scope", "PLATFORM")
                                .put("pieceName", name)
                                .put("pieceVersion", "1.0.0"));
    }

    private static PiecePackage published(String name) {
        var piece = PiecePackage.probe(name, "1.0.0");
        registry.publish(piece);
        return piece;
    }

    private static void serve(String path, byte[] bytes) {
        registry.answer(path, request -> request.response().end(Buffer.buffer(bytes)));
    }

    private static void redirect(String path, String location) {
        registry.answer(
                path,
                request -> request.response()
                        .setStatusCode(302)
                        .putHeader("Location", location)
                        .end());
    }

    private static void change(String name, UnaryOperator<ObjectNode> change) {
        registry.answer(name, request -> say(request, change.apply(registry.document(name))));
    }

    private static void say(HttpServerRequest request, ObjectNode document) {
        request.response().putHeader("Content-Type", JSON).end(Json.text(document));
    }

    private static ObjectNode dist(ObjectNode document) {
        return (ObjectNode) document.at("/versions/1.0.0/dist");
    }

    /** Positive control of the refusals below. */
    @Test
    void installsAPackageOfThisRegistry() {
        published("@acme/piece-sound");
        var installed = install("@acme/piece-sound");
        assertThat(installed.status()).as(installed.toString()).isEqualTo(201);
    }

    @Test
    void refusesAnotherArchiveThanTheRegistryNames() {
        published("@acme/piece-swapped");
        serve(
                "tarball/@acme/piece-swapped@1.0.0",
                PiecePackage.probe("@acme/piece-swapped", "1.0.0")
                        .with("package/src/more.js", "module.exports = 'swapped';")
                        .tgz());
        refuses("@acme/piece-swapped");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "null", "<html>", "{\"versions\":7}", "{\"versions\":{\"1.0.0\":{\"dist\":{}}}}"})
    void refusesAnInvalidDocument(String document) {
        published("@acme/piece-nodocument");
        registry.answer(
                "@acme/piece-nodocument",
                request -> request.response().putHeader("Content-Type", JSON).end(document));
        refuses("@acme/piece-nodocument");
    }

    @Test
    void refusesADocumentWithoutIntegrity_orWithAWeakOne() {
        published("@acme/piece-weak");
        change("@acme/piece-weak", document -> {
            dist(document).put("integrity", "sha512-AAAA");
            return document;
        });
        refuses("@acme/piece-weak");
    }

    @Test
    void opensNoInternalConnection_forAnyAnswerOfTheRegistry() {
        var tarball = inside.url().replace("127.0.0.1", "127.0.0.2") + "/evil.tgz";
        published("@acme/piece-led");
        redirect("tarball/@acme/piece-led@1.0.0", tarball);
        refuses("@acme/piece-led");

        published("@acme/piece-leddocument");
        redirect("@acme/piece-leddocument", tarball);
        refuses("@acme/piece-leddocument");

        for (var address : new String[] {tarball, tarball.replace("127.0.0.2", "2130706434"), "file:///etc/passwd"}) {
            published("@acme/piece-other");
            change("@acme/piece-other", document -> {
                dist(document).put("tarball", address);
                return document;
            });
            refuses("@acme/piece-other");
        }
        assertThat(inside.connections()).isZero();
    }

    @Test
    void runsNoScriptOfAPackage() throws IOException {
        var mark = Files.createTempDirectory("script").resolve("mark");
        var manifest =
                (ObjectNode) PiecePackage.probe("@acme/piece-script", "1.0.0").manifest();
        for (var script : new String[] {"preinstall", "install", "postinstall", "prepare"}) {
            manifest.withObject("/scripts").put(script, "touch " + mark);
        }
        registry.publish(
                PiecePackage.probe("@acme/piece-script", "1.0.0").with("package/package.json", Json.text(manifest)));
        change("@acme/piece-script", document -> {
            ((ObjectNode) document.at("/versions/1.0.0")).put("hasInstallScript", true);
            return document;
        });

        assertThat(install("@acme/piece-script").status()).isEqualTo(201);
        assertThat(mark).doesNotExist();
    }

    /** The archive is rejected, or its files stay in their folder and read no file of this host. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "F ../../../../../../../../tmp/MARK",
                "F package/../../../../MARK",
                "F /tmp/MARK",
                "L package/src/leak.txt -> /etc/passwd",
                "L package/src/leak.txt -> ../../../../../../../etc/passwd",
                "L package/up -> ../../../..",
                "H package/src/leak.txt -> /etc/passwd",
                "H package/src/leak.txt -> ../../../../../../etc/passwd"
            })
    void staysInItsFolder(String entry) throws IOException {
        var name = "@acme/piece-tar" + Integer.toHexString(entry.hashCode());
        var mark = "mark" + Integer.toHexString(entry.hashCode());
        var piece = PiecePackage.probe(name, "1.0.0");
        var archive = archive(piece, entry.replace("MARK", mark));
        registry.publish(piece);
        change(name, document -> {
            dist(document).put("integrity", NpmRegistry.integrity(archive));
            return document;
        });
        serve("tarball/" + name + "@1.0.0", archive);

        var answer = install(name);

        assertThat(answer.status()).as(answer.toString()).isIn(201, 400);
        assertThat(Path.of("/tmp", mark)).doesNotExist();
        try (var files = Files.walk(server.dataDirectory())) {
            assertThat(files.filter(file -> Files.isSymbolicLink(file)
                            || file.getFileName().toString().equals(mark)
                                    && !file.toString().contains("/package")))
                    .as(entry)
                    .allMatch(file -> isOfTheHost(file));
        }
        if (answer.status() == 201) {
            var code = "const fs = require('node:fs'), path = require('node:path');"
                    + "return fs.readFileSync(path.join(path.dirname(require.resolve('" + name
                    + "/package.json')), 'src/leak.txt'), 'utf8')";
            var input = Json.object().put("code", code);
            var run = LiveFlow.publish(admin, webhook().piece("step_1", name, "1.0.0", "evaluate", input))
                    .run(Json.object());
            assertThat(run.toString()).doesNotContain("root:x:0");
        }
    }

    /** Links to programs that this server has made itself. */
    private static boolean isOfTheHost(Path file) {
        try {
            return Files.isSymbolicLink(file) && !file.toRealPath().startsWith("/etc");
        } catch (IOException dangling) {
            return true;
        }
    }

    private static void refuses(String name) {
        var answer = install(name);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.toString()).doesNotContain(server.dataDirectory().toString(), "/etc/passwd:", "Exception");
    }

    /** The archive of a piece with an entry: F for a file, L for a symbolic link, H for a hard link. */
    private static byte[] archive(PiecePackage piece, String entry) {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (var file : piece.entries().entrySet()) {
                put(tar, new TarArchiveEntry(file.getKey(), true), file.getValue());
            }
            var words = entry.split(" ");
            switch (words[0]) {
                case "F" -> put(tar, new TarArchiveEntry(words[1], true), "x".getBytes(StandardCharsets.UTF_8));
                case "L" -> putLink(tar, words, TarConstants.LF_SYMLINK);
                default -> putLink(tar, words, TarConstants.LF_LINK);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return bytes.toByteArray();
    }

    private static void putLink(TarArchiveOutputStream tar, String[] words, byte type) throws IOException {
        var link = new TarArchiveEntry(words[1], type);
        link.setLinkName(words[3]);
        put(tar, link, new byte[0]);
    }

    private static void put(TarArchiveOutputStream tar, TarArchiveEntry header, byte[] content) throws IOException {
        header.setSize(content.length);
        tar.putArchiveEntry(header);
        tar.write(content);
        tar.closeArchiveEntry();
    }
}
