package io.millrace.piece.npm;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.hostile.HostileKind;
import io.millrace.support.ServerSettings;
import io.millrace.support.TestServer;
import io.millrace.support.Waiting;
import io.millrace.support.piece.PiecePackage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Uploaded packages that cannot be described, or whose description is hostile: each is rejected with its reason, or
 * served. None causes a defect of the server.
 */
@HostileKind("npm piece")
class DescriptionFailureIT {
    private static TestServer server;
    private static TestServer.SignedIn admin;
    private static int uploads;

    @BeforeAll
    static void start() {
        PackageUploads.assumeNode();
        server = ServerSettings.openSignUp()
                .with("AP_SANDBOX_MEMORY_LIMIT", "131072")
                .startInRealTime();
        admin = server.signUp("ada@example.com", "Ada");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static PiecePackage piece() {
        return PiecePackage.probe("@acme/piece-odd-" + ++uploads, "1.0.0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "process.exit(3) | exit code 3",
                "process.reallyExit(0) | exit code 0",
                "process.abort() | ",
                "const all = []; for (;;) all.push(new Array(1 << 16).fill(all.length)) | memory",
                "throw new Error('unfit') | unfit",
                "throw null | ",
                "throw {toString() { throw 1 }} | ",
                "throw Object.create(null) | ",
                "syntax error | ",
                "module.exports = null | ",
                "module.exports = new Proxy({}, {get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') }}) | ",
                "module.exports = {get piece() { throw new Error('trap') }} | ",
                "require('absent') | absent",
                "require('node:child_process').execSync('id') | Access to this API has been restricted",
            })
    void refusesAPackage_thatCannotBeDescribed(String code, String reason) {
        var answer = PackageUploads.upload(admin, piece().with("package/src/index.js", code));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.text("/code")).isEqualTo("ENGINE_OPERATION_FAILURE");
        assertThat(answer.text("/params/message")).contains(reason == null ? "" : reason);
    }

    /** The kill represents every reason outside of the package, such as a time limit on a busy server. */
    @Test
    void asksToTryAgain_whenTheProcessIsKilledFromOutside() {
        var endless = piece().with("package/src/index.js", "for (;;) {}");
        var upload = CompletableFuture.supplyAsync(() -> PackageUploads.upload(admin, endless));

        Waiting.until("the upload is answered", () -> {
            ProcessHandle.current()
                    .descendants()
                    .filter(process -> process.info().command().orElse("").endsWith("/node"))
                    .filter(process -> process.info()
                                    .totalCpuDuration()
                                    .orElse(Duration.ZERO)
                                    .toMillis()
                            > 300)
                    .forEach(ProcessHandle::destroyForcibly);
            return upload.isDone();
        });

        var answer = upload.join();
        assertThat(answer.status()).as(answer.toString()).isEqualTo(503);
        // On a busy machine the start of a process takes that long, too: then all are killed before the call begins.
        assertThat(answer.toString())
                .containsPattern("(was killed by another program|ended before the call began); try again");
    }

    static Stream<String> descriptions() {
        return Stream.of(
                "() => []",
                "() => 'text'",
                "() => 7",
                "() => undefined",
                "() => null",
                "() => ({displayName: 'x'.repeat(5 << 20)})",
                "() => ({displayName: 'a\\u0000b', description: '\\ud800', actions: {}, triggers: {}})",
                "() => ({displayName: {}, logoUrl: 7, actions: [], triggers: 'x', authors: {a: 1}, auth: 'y'})",
                "() => ({actions: {'a\\u0000': {props: {'\\u0000': {type: '\\ud800'}}}}, triggers: null})",
                "() => ({actions: {a: null, b: [], c: 7}, triggers: {t: null}})",
                "() => ({auth: [[[]]], contextInfo: 7, categories: 'x'})",
                "() => { let deep = {}; for (let i = 0; i < 5000; i++) deep = {deep}; return {actions: {deep}}; }",
                "() => ({toJSON() { throw new Error('unfit'); }})");
    }

    @ParameterizedTest
    @MethodSource("descriptions")
    void refusesOrServesAHostileDescription(String metadata) {
        var piece = piece();
        var odd = piece.with(
                "package/src/index.js",
                "const known = (" + index(piece) + ");"
                        + " for (const one of Object.values(known)) { if (one && one.metadata) one.metadata = "
                        + metadata
                        + "; } module.exports = known;");

        var answer = PackageUploads.upload(admin, odd);

        assertThat(answer.status()).as(answer.toString()).isIn(201, 400);
        assertListed();
    }

    private static String index(PiecePackage piece) {
        return "(() => { const module = {exports: {}}; const exports = module.exports; "
                + new String(piece.entries().get("package/src/index.js"), StandardCharsets.UTF_8)
                + "\nreturn module.exports; })()";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"Probe\":\"a\\u0000b\"}",
                "{\"a\\u0000b\":\"x\",\"Probe\":\"y\"}",
                "{\"Probe\":\"\\ud800\"}",
                "{\"\\udc00\":\"x\"}",
                "[]",
                "\"text\"",
                "{\"Probe\":",
                "",
                "{\"Probe\":{\"Probe\":[1]}}",
                "{\"Probe\":\"x\",\"Probe\":\"y\"}",
            })
    void servesAPackage_withHostileTranslations(String texts) {
        var answer = PackageUploads.upload(admin, piece().with("package/src/i18n/de.json", texts));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(201);
        assertListed();
    }

    private static void assertListed() {
        for (var path : new String[] {"/v1/pieces", "/v1/pieces?locale=de", "/v1/pieces?searchQuery=odd"}) {
            var listed = admin.api().get(path);
            assertThat(listed.status()).as(path + " " + listed).isEqualTo(200);
        }
        var name = "/v1/pieces/@acme/piece-odd-" + uploads;
        for (var query : new String[] {"", "?locale=de", "?version=1.0.0"}) {
            assertThat(admin.api().get(name + query).status()).as(name + query).isIn(200, 404);
        }
    }
}
