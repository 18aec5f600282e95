package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.config.BadSetting;
import io.millrace.base.config.Config;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.secret.SecretBox;
import io.millrace.support.Slow;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A start without the right secrets is refused, and changes neither the data directory nor the database. */
@Slow(Slow.Reason.PROCESS)
final class SecretsFileIT {
    private static final String FILE = "server-secrets.json";
    private static final String OTHER_KEY = "fedcba9876543210fedcba9876543210";

    private final Vertx vertx = TestPostgres.vertx();
    private final DatabaseSettings settings = TestPostgres.freshDatabase();
    private final Database database = Database.open(vertx, settings);

    @TempDir
    private Path directory;

    private String content;

    @BeforeEach
    void startOnceAndSealAValue() throws IOException {
        startAndStop(Map.of());
        content = Files.readString(directory.resolve(FILE));
        var box = new SecretBox(Json.parse(content).path("encryptionKey").asText(), List.of());
        Waiting.await(database.query(
                "insert into saml_key (id, created, certificate, sealed_key) values (1, now(), '\\x00', $1)",
                Buffer.buffer(box.seal(new byte[] {1}, "saml_key:1"))));
    }

    @AfterEach
    void close() {
        Waiting.await(database.close());
        Waiting.await(vertx.close());
    }

    @Test
    void writesNoFile_whenTheFileOfAnExistingDatabaseIsMissing() throws IOException {
        // Given
        var links = links();
        Files.delete(directory.resolve(FILE));

        // When
        assertRefused(Map.of(), "AP_ENCRYPTION_KEY", "saml_key", FILE + " is missing", "was not created");

        // Then
        assertThat(names()).isEmpty();
        assertThat(links()).isEqualTo(links);
        Files.writeString(directory.resolve(FILE), content);
        startAndStop(Map.of());
        assertThat(directory.resolve(FILE)).hasContent(content);
    }

    @Test
    void writesNoFile_whenAWrongKeyIsGiven() throws IOException {
        // Given
        Files.delete(directory.resolve(FILE));

        // When
        assertRefused(Map.of("AP_ENCRYPTION_KEY", OTHER_KEY), "AP_ENCRYPTION_KEY");
        assertRefused(Map.of("AP_KNOWN_ENCRYPTION_KEYS", OTHER_KEY), "AP_ENCRYPTION_KEY");

        // Then
        assertThat(names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"AP_ENCRYPTION_KEY", "AP_KNOWN_ENCRYPTION_KEYS"})
    void starts_whenTheKeyOfTheMissingFileIsGiven(String name) throws IOException {
        // Given
        Files.delete(directory.resolve(FILE));
        var key = Json.parse(content).path("encryptionKey").asText();

        // When
        startAndStop(Map.of(name, key));

        // Then
        assertThat(names()).containsExactly(FILE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "{\"encryptionKey\":\"fedcba9876543210fedcba9876543210\"",
                "{\"encryptionKey\":\"fedcba9876543210fedcba9876543210\",\"jwtSecret\":\"\"}",
                "{\"encryptionKey\":\"fedcba9876543210fedcba9876543210\",\"jwtSecret\":\"of another database\"}"
            })
    void leavesAFileThatIsNotTheRightOne(String other) throws IOException {
        // Given
        Files.writeString(directory.resolve(FILE), other);

        // When
        assertRefused(Map.of(), "AP_ENCRYPTION_KEY");

        // Then
        assertThat(directory.resolve(FILE)).hasContent(other);
        assertThat(names()).containsExactly(FILE);
        Files.writeString(directory.resolve(FILE), content);
        startAndStop(Map.of());
    }

    @Test
    void leavesAFolderInPlaceOfTheFile() throws IOException {
        // Given
        Files.delete(directory.resolve(FILE));
        Files.createDirectory(directory.resolve(FILE));

        // When
        assertRefused(Map.of(), FILE);

        // Then
        assertThat(names()).containsExactly(FILE);
    }

    private List<String> links() {
        return Waiting.await(database.query("select id::text || sealed as link from cluster_secret order by 1"))
                .stream()
                .map(row -> row.getString("link"))
                .toList();
    }

    private List<String> names() throws IOException {
        try (var entries = Files.list(directory)) {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> name.startsWith("server-secrets"))
                    .sorted()
                    .toList();
        }
    }

    private void assertRefused(Map<String, String> more, String... words) {
        assertThatThrownBy(() -> startAndStop(more))
                .isInstanceOf(BadSetting.class)
                .hasMessageContainingAll(words);
    }

    private void startAndStop(Map<String, String> more) {
        var texts = new HashMap<>(more);
        texts.putAll(Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0", "AP_DATA_DIR", directory.toString()));
        // Message codecs are registered once per Vert.x.
        var own = TestPostgres.vertx();
        try {
            startAndStop(own, texts);
        } finally {
            Waiting.await(own.close());
        }
    }

    private void startAndStop(Vertx own, Map<String, String> texts) {
        var server = Waiting.await(Server.start(
                own,
                Config.load(texts, Path.of("there-is-no-such-file")),
                Optional.of(settings),
                InstantSource.system(),
                _ -> {}));
        Waiting.await(server.stop());
    }
}
