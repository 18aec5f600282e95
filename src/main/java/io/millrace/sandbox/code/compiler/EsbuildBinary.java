package io.millrace.sandbox.code.compiler;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

/**
 * The transpiler's executable in the jar, unpacked on first use. An existing file of the same version and length is used
 * again.
 */
final class EsbuildBinary {
    private static final Set<PosixFilePermission> EVERYBODY = PosixFilePermissions.fromString("rwxr-xr-x");

    private EsbuildBinary() {}

    /** Writes the executable into the directory; empty if the jar has none for this platform. */
    static Optional<Path> unpack(Path directory) throws IOException {
        String platform = "linux-" + architecture();
        Optional<String> version = version(platform);
        if (version.isEmpty()) {
            return Optional.empty();
        }
        String resource = "/META-INF/resources/_static/" + platform + "/" + version.get() + "/bin/esbuild";
        Path target = directory.resolve("esbuild-" + version.get() + "-" + platform);
        try (InputStream packed = EsbuildBinary.class.getResourceAsStream(resource)) {
            if (packed == null) {
                return Optional.empty();
            }
            byte[] bytes = packed.readAllBytes();
            if (!isUsable(target, bytes.length)) {
                install(bytes, target);
            }
        }
        return Optional.of(target);
    }

    /** Checks that all users can execute the file: the compiler may run as another user than this server. */
    private static boolean isUsable(Path target, int bytes) throws IOException {
        return Files.isExecutable(target)
                && Files.size(target) == bytes
                && Files.getPosixFilePermissions(target).equals(EVERYBODY);
    }

    /** Installs the file. If another process does the same, the last move wins; both files are complete. */
    private static void install(byte[] bytes, Path target) throws IOException {
        Path directory = target.toAbsolutePath().getParent();
        Files.createDirectories(directory);
        Path part = Files.createTempFile(directory, "esbuild", ".part");
        try {
            Files.write(part, bytes);
            Files.setPosixFilePermissions(part, EVERYBODY);
            Files.move(part, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static Optional<String> version(String platform) throws IOException {
        String resource = "/META-INF/maven/org.mvnpm.at.esbuild/" + platform + "/pom.properties";
        try (InputStream text = EsbuildBinary.class.getResourceAsStream(resource)) {
            if (text == null) {
                return Optional.empty();
            }
            Properties properties = new Properties();
            properties.load(text);
            return Optional.ofNullable(properties.getProperty("version"));
        }
    }

    private static String architecture() {
        return switch (System.getProperty("os.arch").toLowerCase(Locale.ROOT)) {
            case "aarch64" -> "arm64";
            case "amd64", "x86_64" -> "x64";
            case String other -> other;
        };
    }
}
