package io.millrace.base.secret;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.config.BadSetting;
import io.millrace.base.core.Ids;
import io.millrace.base.core.IoReason;
import io.millrace.base.core.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secrets of the server itself (contract admin-api 1.8, 1.14, 37.1).
 *
 * <p>Secrets that are not given are generated once and kept in {@code server-secrets.json} in the data directory: readable by
 * its owner alone from its first byte on, and written atomically.
 *
 * @param encryptionKey 32 hexadecimal characters, the key of {@link SecretBox}
 * @param knownKeys keys that values may still be sealed with
 * @param keyIsKept true if the encryption key is the one of the file, which {@link #replaceKeptKey} can replace
 * @param jwtSecret signs tokens
 */
public record ServerSecrets(String encryptionKey, List<String> knownKeys, boolean keyIsKept, String jwtSecret) {
    private static final Logger LOG = LoggerFactory.getLogger(ServerSecrets.class);
    private static final String FILE = "server-secrets.json";
    private static final int KEY_CHARACTERS = 32;
    private static final int JWT_CHARACTERS_MIN = 16;
    private static final String ENCRYPTION_KEY = "encryptionKey";
    private static final String KNOWN_KEYS = "knownEncryptionKeys";
    private static final String JWT_SECRET = "jwtSecret";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> FILE_MODE =
            PosixFilePermissions.asFileAttribute(OWNER_ONLY);
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_MODE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /**
     * The given secrets, completed by kept or newly generated ones. Blocks; called once, at start.
     *
     * @param encryptionKey value of {@code AP_ENCRYPTION_KEY}
     * @param knownKeys values of {@code AP_KNOWN_ENCRYPTION_KEYS}
     * @param jwtSecret value of {@code AP_JWT_SECRET}
     * @throws BadSetting naming the variable whose value is malformed, or the file that cannot be trusted or understood
     */
    public static ServerSecrets load(
            Path dataDir, Optional<String> encryptionKey, List<String> knownKeys, Optional<String> jwtSecret) {
        check(encryptionKey, knownKeys, jwtSecret);
        if (encryptionKey.isPresent() && jwtSecret.isPresent()) {
            return new ServerSecrets(encryptionKey.get(), knownKeys, false, jwtSecret.get());
        }
        try {
            var kept = kept(dataDir);
            var known = new ArrayList<>(knownKeys);
            known.addAll(kept.knownKeys());
            encryptionKey.ifPresent(_ -> known.add(kept.encryptionKey()));
            return new ServerSecrets(
                    encryptionKey.orElse(kept.encryptionKey()),
                    known,
                    encryptionKey.isEmpty(),
                    jwtSecret.orElse(kept.jwtSecret()));
        } catch (IOException unusable) {
            LOG.debug("the secrets file is unusable", unusable);
            throw new BadSetting("cannot store the server's secrets in " + dataDir + " (" + IoReason.of(unusable)
                    + "); make " + FILE + " readable and its folder writable for the user of the server, or set"
                    + " AP_ENCRYPTION_KEY and AP_JWT_SECRET");
        }
    }

    /** Returns true if {@link #load} would generate secrets and write their file. */
    public static boolean isFileMissing(Path dataDir, Optional<String> encryptionKey, Optional<String> jwtSecret) {
        return (encryptionKey.isEmpty() || jwtSecret.isEmpty())
                && !Files.exists(dataDir.resolve(FILE), LinkOption.NOFOLLOW_LINKS);
    }

    /** Refuses malformed values with {@link BadSetting}, as {@link #load} does; touches no file. */
    public static void check(Optional<String> encryptionKey, List<String> knownKeys, Optional<String> jwtSecret) {
        encryptionKey.ifPresent(key -> checkEncryptionKey("AP_ENCRYPTION_KEY", key));
        knownKeys.forEach(key -> checkEncryptionKey("AP_KNOWN_ENCRYPTION_KEYS", key));
        jwtSecret.ifPresent(ServerSecrets::checkJwtSecret);
    }

    public ServerSecrets {
        knownKeys = List.copyOf(knownKeys);
    }

    /**
     * Replaces the kept encryption key by a new one; the present one stays known. Blocks; the file is replaced atomically.
     *
     * @return the new key
     */
    public static String replaceKeptKey(Path dataDir) {
        var file = dataDir.resolve(FILE);
        try {
            var present = read(file);
            var fresh = randomHex(KEY_CHARACTERS / 2);
            var known = new ArrayList<>(present.knownKeys());
            known.add(present.encryptionKey());
            var aside = written(file, jsonOf(fresh, known, present.jwtSecret()));
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE);
            force(file.getParent());
            return fresh;
        } catch (IOException unusable) {
            throw new UncheckedIOException("cannot store another encryption key in " + file, unusable);
        }
    }

    private static JsonNode jsonOf(String encryptionKey, List<String> knownKeys, String jwtSecret) {
        var json = Json.object().put(ENCRYPTION_KEY, encryptionKey).put(JWT_SECRET, jwtSecret);
        knownKeys.forEach(json.putArray(KNOWN_KEYS)::add);
        return json;
    }

    /** Hides the secrets: records print their fields by default. */
    @Override
    public String toString() {
        return "ServerSecrets[***]";
    }

    private static void checkEncryptionKey(String variable, String value) {
        if (!SecretBox.KEY.matcher(value).matches()) {
            throw new BadSetting(
                    variable + ": expected 32 hexadecimal characters, found " + value.length() + " characters");
        }
    }

    private static void checkJwtSecret(String value) {
        var length = value.strip().length();
        if (length < JWT_CHARACTERS_MIN) {
            throw new BadSetting("AP_JWT_SECRET: expected at least " + JWT_CHARACTERS_MIN
                    + " characters (openssl rand -hex 32), found " + length
                    + "; put the former value into AP_JWT_SECRET_PREVIOUS to keep issued links valid");
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
     * Written to a temporary file and then linked to its name: a link fails where a file already is, so of two servers that
     * start together one wins and both read the same.
     */
    private static void create(Path file) throws IOException {
        var aside = written(file, jsonOf(randomHex(KEY_CHARACTERS / 2), List.of(), Ids.random(64)));
        try {
            link(file, aside);
        } finally {
            Files.delete(aside);
        }
        force(file.getParent());
    }

    /** A durable temporary file in the directory of the file that it will replace. */
    private static Path written(Path file, JsonNode content) throws IOException {
        var aside = Files.createTempFile(file.getParent(), FILE, ".new", FILE_MODE);
        try (var channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            var bytes = ByteBuffer.wrap(Json.bytes(content));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        return aside;
    }

    private static void force(Path directory) throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
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
            throw refusal(file + ": expected a regular file owned by the user of the server");
        }
        close(file);
        try {
            var json = Json.parse(Files.readAllBytes(file));
            var known = new ArrayList<String>();
            json.path(KNOWN_KEYS).forEach(key -> known.add(checkedKey(key.asText(), KNOWN_KEYS, file)));
            return new ServerSecrets(
                    checkedKey(json.path(ENCRYPTION_KEY).asText(), ENCRYPTION_KEY, file),
                    known,
                    true,
                    field(json, JWT_SECRET, file));
        } catch (JsonProcessingException malformed) {
            throw refusal(file + ": expected the JSON that the server wrote");
        }
    }

    /** Removes the rights of group and others on the file, and refuses a file where that is not possible. */
    private static void close(Path file) throws IOException {
        if (OWNER_ONLY.containsAll(Files.getPosixFilePermissions(file))) {
            return;
        }
        try {
            Files.setPosixFilePermissions(file, OWNER_ONLY);
        } catch (IOException notOurs) {
            LOG.debug("cannot change the mode of {}", file, notOurs);
            throw new BadSetting(file + ": other users can read it and its mode cannot be changed to 600");
        }
    }

    private static String field(JsonNode json, String name, Path file) {
        return checked(json.path(name).asText(), text -> !text.isBlank(), name, file);
    }

    private static String checkedKey(String value, String name, Path file) {
        return checked(value, SecretBox.KEY.asMatchPredicate(), name, file);
    }

    private static String checked(String value, Predicate<String> isValid, String name, Path file) {
        if (!isValid.test(value)) {
            throw refusal(file + ": field " + name + " is missing or malformed");
        }
        return value;
    }

    /** Refuses the start: with new secrets, existing values could not be decrypted. */
    private static BadSetting refusal(String problem) {
        return new BadSetting(
                problem
                        + "; restore the file from a backup, or set AP_ENCRYPTION_KEY and AP_JWT_SECRET to their former values");
    }

    private static String randomHex(int bytes) {
        var random = new byte[bytes];
        new SecureRandom().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
