package io.millrace.base.persistence.connection;

import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import io.millrace.base.persistence.connection.DatabaseTls.ClientIdentity;
import io.millrace.base.tls.PemText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads {@code sslmode}, {@code sslrootcert}, {@code sslcert} and {@code sslkey} of a PostgreSQL URL as libpq does, with two
 * differences: no file is looked for in the home directory, and certificates are verified by the trust store of the JDK where
 * no root certificate is given. Files are read and parsed at once, so that a start fails as early as a check of its settings.
 */
final class TlsParameters {
    private static final String SYSTEM = "system";
    private static final Set<PosixFilePermission> FORBIDDEN = PosixFilePermissions.fromString("---rwxrwx");
    private static final Set<PosixFilePermission> FORBIDDEN_OF_ROOT = PosixFilePermissions.fromString("----wxrwx");

    private TlsParameters() {}

    /**
     * Encryption settings of a URL.
     *
     * @param parameter values of the query by name
     * @throws IllegalArgumentException naming the parameter, what was expected and found
     */
    static DatabaseTls read(Function<String, Optional<String>> parameter) {
        var root = parameter.apply("sslrootcert").filter(value -> !value.isEmpty());
        var isSystem = root.filter(SYSTEM::equals).isPresent();
        var mode = mode(parameter, isSystem);
        if (isSystem && mode != Encryption.VERIFY_FULL) {
            throw new IllegalArgumentException(
                    "expected sslmode=verify-full with sslrootcert=system, found " + mode.word());
        }
        var authorities = isSystem ? Optional.<String>empty() : root.map(path -> certificates("sslrootcert", path));
        var tls = new DatabaseTls(mode, authorities, identity(parameter));
        checkKey(tls);
        return tls;
    }

    private static Encryption mode(Function<String, Optional<String>> parameter, boolean isSystem) {
        var word = parameter.apply("sslmode");
        if (word.isEmpty()) {
            if (isSystem) {
                return Encryption.VERIFY_FULL;
            }
            return parameter.apply("ssl").filter("true"::equals).isPresent() ? Encryption.REQUIRE : Encryption.PREFER;
        }
        return Encryption.parse(word.get())
                .orElseThrow(() -> new IllegalArgumentException("expected sslmode to be one of disable, allow, prefer,"
                        + " require, verify-ca, verify-full, found " + word.get()));
    }

    private static Optional<ClientIdentity> identity(Function<String, Optional<String>> parameter) {
        var certificate = parameter.apply("sslcert").filter(value -> !value.isEmpty());
        var key = parameter.apply("sslkey").filter(value -> !value.isEmpty());
        if (certificate.isEmpty() && key.isEmpty()) {
            return Optional.empty();
        }
        if (certificate.isEmpty() || key.isEmpty()) {
            throw new IllegalArgumentException(
                    "expected sslcert and sslkey together, found only " + (key.isEmpty() ? "sslcert" : "sslkey"));
        }
        return Optional.of(new ClientIdentity(certificates("sslcert", certificate.get()), key(key.get())));
    }

    private static String certificates(String name, String path) {
        var text = text(name, path);
        try {
            PemText.certificates(text);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(name + "=" + path + ": " + malformed.getMessage(), malformed);
        }
        return text;
    }

    private static String key(String path) {
        var text = text("sslkey", path);
        try {
            PemText.key(text);
            refuseReaders(Path.of(path));
        } catch (IOException unreadable) {
            throw unreadable("sslkey", path, unreadable);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException("sslkey=" + path + ": " + malformed.getMessage(), malformed);
        }
        return text;
    }

    /** As libpq: 0600 or less, or 0640 or less where root owns the file. */
    private static void refuseReaders(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        var forbidden = Files.getOwner(file).getName().equals("root") ? FORBIDDEN_OF_ROOT : FORBIDDEN;
        if (Files.getPosixFilePermissions(file).stream().anyMatch(forbidden::contains)) {
            throw new IllegalArgumentException(
                    "expected a file that only its owner can read, found one that other users can access;"
                            + " chmod 600 " + file);
        }
    }

    private static String text(String name, String path) {
        try {
            return Files.readString(Path.of(path), StandardCharsets.ISO_8859_1);
        } catch (IOException | InvalidPathException unreadable) {
            throw unreadable(name, path, unreadable);
        }
    }

    private static IllegalArgumentException unreadable(String name, String path, Exception cause) {
        return new IllegalArgumentException(
                name + "=" + path + ": expected a readable file in PEM form, found "
                        + (cause instanceof NoSuchFileException ? "none" : "one that cannot be read")
                        + "; the path is that of the machine or container that the server runs on",
                cause);
    }

    private static void checkKey(DatabaseTls tls) {
        try {
            TlsManagers.key(tls);
        } catch (IllegalArgumentException unfit) {
            throw new IllegalArgumentException("sslcert and sslkey: " + unfit.getMessage(), unfit);
        }
    }
}
