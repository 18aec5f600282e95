package io.millrace.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * The two secrets of the server itself (contract admin-api 1.8, 1.14, 37.1).
 *
 * <p>What is not given is generated once and kept in {@code server-secrets.json} beside the data: readable by its owner
 * alone from its first byte on, and there whole or not at all.
 *
 * @param encryptionKey 32 hexadecimal characters, the key of {@link SecretBox}
 * @param jwtSecret signs tokens
 */
public record ServerSecrets(String encryptionKey, String jwtSecret) {
    private static final String FILE = "server-secrets.json";
    private static final String ENCRYPTION_KEY = "encryptionKey";
    private static final String JWT_SECRET = "jwtSecret";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * The secrets to use: what is given, and the kept or newly generated rest. Blocking; called once, at start.
     *
     * @param encryptionKey value of {@code AP_ENCRYPTION_KEY}
     * @param jwtSecret value of {@code AP_JWT_SECRET}
     * @throws IllegalArgumentException naming the variable whose value is malformed
     * @throws IllegalStateException naming the file that cannot be trusted or understood
     */
    public static ServerSecrets load(Path dataDir, Optional<String> encryptionKey, Optional<String> jwtSecret) {
        encryptionKey.ifPresent(ServerSecrets::checkEncryptionKey);
        jwtSecret.ifPresent(ServerSecrets::checkJwtSecret);
        if (encryptionKey.isPresent() && jwtSecret.isPresent()) {
            return new ServerSecrets(encryptionKey.get(), jwtSecret.get());
        }
        try {
            var kept = kept(dataDir);
            return new ServerSecrets(encryptionKey.orElse(kept.encryptionKey()), jwtSecret.orElse(kept.jwtSecret()));
        } catch (IOException unusable) {
            throw new UncheckedIOException(
                    "cannot keep the server's secrets in " + dataDir + "; give AP_ENCRYPTION_KEY and AP_JWT_SECRET",
                    unusable);
        }
    }

    /** Says nothing: records print their fields, and these must never be printed. */
    @Override
    public String toString() {
        return "ServerSecrets[***]";
    }

    private static void checkEncryptionKey(String value) {
        if (!SecretBox.KEY.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "AP_ENCRYPTION_KEY: expected 32 hexadecimal characters, found " + value.length() + " characters");
        }
    }

    private static void checkJwtSecret(String value) {
        if (value.isBlank()) {
            throw new IllegalArgumentException("AP_JWT_SECRET: expected a text, found nothing but blanks");
        }
    }

    private static ServerSecrets kept(Path dataDir) throws IOException {
        if (!Files.exists(dataDir)) {
            Files.createDirectories(dataDir, DIRECTORY_MODE);
        }
        var file = dataDir.resolve(FILE);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            create(file);
        }
        return read(file);
    }

    /**
     * Written aside and then linked to its name: a link fails where a file already is, so of two servers that start
     * together one wins and both read the same.
     */
    private static void create(Path file) throws IOException {
        var fresh = Json.object().put(ENCRYPTION_KEY, randomHex(16)).put(JWT_SECRET, Ids.random(64));
        var aside = Files.createTempFile(file.getParent(), FILE, ".new", FILE_MODE);
        try {
            try (var channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
                var bytes = ByteBuffer.wrap(Json.bytes(fresh));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            link(file, aside);
        } finally {
            Files.delete(aside);
        }
        try (var directory = FileChannel.open(file.getParent(), StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static void link(Path file, Path aside) throws IOException {
        try {
            Files.createLink(file, aside);
        } catch (FileAlreadyExistsException anotherWasFirst) {
            // The other server's secrets are as good as ours; they are read next.
            return;
        }
    }

    private static ServerSecrets read(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new IllegalStateException(file + ": expected a regular file of the server's own");
        }
        close(file);
        try {
            var json = Json.parse(Files.readAllBytes(file));
            return new ServerSecrets(field(json, ENCRYPTION_KEY, file), field(json, JWT_SECRET, file));
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(file + ": expected JSON as the server wrote it");
        }
    }

    /** Takes away what group and others may do with the file, and refuses a file where that is not possible. */
    private static void close(Path file) throws IOException {
        if (OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            return;
        }
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        } catch (IOException notOurs) {
            throw new IllegalStateException(
                    file + ": others may read it and its mode cannot be changed to 600", notOurs);
        }
    }

    private static String field(JsonNode json, String name, Path file) {
        var value = json.path(name).asText("");
        var valid = name.equals(ENCRYPTION_KEY) ? SecretBox.KEY.matcher(value).matches() : !value.isBlank();
        if (!valid) {
            throw new IllegalStateException(file + ": field " + name + " is missing or malformed");
        }
        return value;
    }

    private static String randomHex(int bytes) {
        var random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
