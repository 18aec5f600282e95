package io.millrace.base.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.BadSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServerSecretsTest {
    private static final String KEY = "0123456789abcdef0123456789abcdef";
    private static final String FILE = "server-secrets.json";

    @TempDir
    Path directory;

    @Test
    void usesWhatIsGiven_andWritesNothing() throws IOException {
        var secrets = ServerSecrets.load(directory, Optional.of(KEY), List.of(), Optional.of("a secret of a test"));

        assertThat(secrets).isEqualTo(new ServerSecrets(KEY, List.of(), false, "a secret of a test"));
        assertThat(namesIn(directory)).isEmpty();
    }

    @Test
    void generatesOnce_andKeeps() throws IOException {
        var data = directory.resolve("new/data");

        var first = generated(data);
        var second = generated(data);

        assertThat(second).isEqualTo(first);
        assertThat(first.encryptionKey()).matches("[0-9a-f]{32}");
        assertThat(first.jwtSecret()).hasSize(64);
        assertThat(namesIn(data)).isEqualTo(FILE);
        assertThat(mode(data)).isEqualTo("rwx------");
        assertThat(mode(data.resolve(FILE))).isEqualTo("rw-------");
    }

    @Test
    void prefersAGivenSecret_overTheKeptOne() {
        var kept = generated(directory);

        var mixed = ServerSecrets.load(directory, Optional.of(KEY), List.of(), Optional.empty());

        assertThat(mixed.encryptionKey()).isEqualTo(KEY);
        assertThat(mixed.jwtSecret()).isEqualTo(kept.jwtSecret());
        assertThat(generated(directory)).isEqualTo(kept);
    }

    @Test
    void agreeOnOneSet_whenTwoServersStartTogether() throws Exception {
        try (var pool = Executors.newFixedThreadPool(8)) {
            Callable<ServerSecrets> start = () -> generated(directory);
            var all = pool.invokeAll(Stream.generate(() -> start).limit(8).toList());

            var first = all.getFirst().get();
            for (var other : all) {
                assertThat(other.get()).isEqualTo(first);
            }
        }
        assertThat(namesIn(directory)).isEqualTo(FILE);
    }

    @Test
    void closesAFileThatOthersMayRead() throws IOException {
        var kept = generated(directory);
        Files.setPosixFilePermissions(directory.resolve(FILE), PosixFilePermissions.fromString("rw-r--r--"));

        assertThat(generated(directory)).isEqualTo(kept);
        assertThat(mode(directory.resolve(FILE))).isEqualTo("rw-------");
    }

    @Test
    void refusesALinkToAnotherFolder() throws IOException {
        var elsewhere = Files.writeString(directory.resolve("elsewhere"), "{}");
        Files.createSymbolicLink(directory.resolve(FILE), elsewhere);

        assertThatThrownBy(() -> generated(directory))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining(FILE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "[]", "{\"encryptionKey\":\"short\",\"jwtSecret\":\"x\"}", "{\"jwtSecret\":\"x\"}"})
    void refusesAFileThatIsNotUnderstood_andLeavesIt(String content) throws IOException {
        Files.writeString(directory.resolve(FILE), content);

        assertThatThrownBy(() -> generated(directory))
                .isInstanceOf(BadSetting.class)
                .hasMessageContaining(FILE);
        assertThat(directory.resolve(FILE)).hasContent(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "abc", "0123456789abcdef0123456789abcdeX"})
    void refusesAMalformedEncryptionKey_namingTheVariableOnly(String key) {
        assertThatThrownBy(() -> ServerSecrets.load(directory, Optional.of(key), List.of(), Optional.empty()))
                .isInstanceOf(BadSetting.class)
                .hasMessageStartingWith("AP_ENCRYPTION_KEY: expected 32 hexadecimal characters")
                .hasMessageNotContaining("cdeX");
    }

    @Test
    void refusesABlankJwtSecret_namingTheVariable() {
        assertThatThrownBy(() -> ServerSecrets.load(directory, Optional.of(KEY), List.of(), Optional.of("  ")))
                .isInstanceOf(BadSetting.class)
                .hasMessageStartingWith("AP_JWT_SECRET: ");
    }

    @Test
    void printsNothing() {
        assertThat(new ServerSecrets(KEY, List.of(), false, "a secret of a test"))
                .hasToString("ServerSecrets[***]");
    }

    private static ServerSecrets generated(Path data) {
        return ServerSecrets.load(data, Optional.empty(), List.of(), Optional.empty());
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static String namesIn(Path path) throws IOException {
        try (var files = Files.list(path)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.joining(","));
        }
    }
}
