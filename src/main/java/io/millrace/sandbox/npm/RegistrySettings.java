package io.millrace.sandbox.npm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registries of the package manager and their credentials. Operators keep them in the npm settings of the account that the server
 * runs under; settings that name programs or files are dropped, except the certificates of {@code cafile}.
 *
 * @param registry address of the default registry; empty for the package manager's own
 * @param lines accepted lines of the operator's settings
 */
record RegistrySettings(Optional<String> registry, List<String> lines) {
    private static final Logger LOG = LoggerFactory.getLogger(RegistrySettings.class);
    private static final int BYTES_MAX = 64 * 1024;
    private static final Pattern REGISTRY = Pattern.compile("\\s*registry\\s*=\\s*(?<address>https?://\\S+)\\s*");
    private static final Pattern OF_SCOPE =
            Pattern.compile("\\s*@[a-z0-9._-]+:registry\\s*=\\s*(?<address>https?://\\S+)\\s*");
    private static final Pattern CREDENTIAL =
            Pattern.compile("\\s*//[^=\\s]+:(_authToken|_auth|username|_password|email)\\s*=.*");
    private static final Pattern AUTHORITIES = Pattern.compile("\\s*cafile\\s*=\\s*\"?(?<file>[^\"]+?)\"?\\s*");
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s]+-----END CERTIFICATE-----");
    private static final int AUTHORITIES_BYTES_MAX = 2 * 1024 * 1024;
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(?<name>[A-Za-z_][A-Za-z0-9_]*)}");

    /**
     * Reads the operator's settings.
     *
     * @param named address by a setting of this server, which takes precedence
     */
    static RegistrySettings read(Optional<String> named) throws IOException {
        var home = System.getenv("HOME");
        var file = home == null ? null : Path.of(home, ".npmrc");
        var lines = file != null && Files.isReadable(file) && Files.size(file) <= BYTES_MAX
                ? Files.readAllLines(file)
                : List.<String>of();
        return of(named, lines);
    }

    static RegistrySettings of(Optional<String> named, List<String> lines) {
        var registry = named;
        var kept = new ArrayList<String>();
        for (var line : lines) {
            var general = REGISTRY.matcher(line);
            if (general.matches() && named.isEmpty()) {
                registry = Optional.of(general.group("address"));
            } else if (OF_SCOPE.matcher(line).matches()
                    || CREDENTIAL.matcher(line).matches()) {
                kept.add(expanded(line));
            } else {
                kept.addAll(authorities(expanded(line)));
            }
        }
        return new RegistrySettings(registry, List.copyOf(kept));
    }

    /**
     * The certificates of a file of authorities, as settings: the package manager can read no file of the operator's. Other content
     * is dropped; a missing file is ignored.
     */
    private static List<String> authorities(String line) {
        var named = AUTHORITIES.matcher(line);
        if (!named.matches()) {
            return List.of();
        }
        var file = Path.of(named.group("file"));
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > AUTHORITIES_BYTES_MAX) {
                LOG.warn("ignoring cafile of ~/.npmrc: expected a file of at most {} bytes", AUTHORITIES_BYTES_MAX);
                return List.of();
            }
            return CERTIFICATE
                    .matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
                    .results()
                    .map(found -> "ca[]=\"" + found.group().strip().replaceAll("\\s*\\R\\s*", "\\\\n") + "\"")
                    .toList();
        } catch (IOException unreadable) {
            LOG.warn("ignoring cafile of ~/.npmrc: it cannot be read", unreadable);
            return List.of();
        }
    }

    /** Expands variables, because the package manager has no access to the environment. */
    private static String expanded(String line) {
        return VARIABLE.matcher(line)
                .replaceAll(found -> Optional.ofNullable(System.getenv(found.group("name")))
                        .map(Matcher::quoteReplacement)
                        .orElse(""));
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    List<String> addresses() {
        var addresses = new ArrayList<String>();
        registry.ifPresent(addresses::add);
        for (var line : lines) {
            var scope = OF_SCOPE.matcher(line);
            if (scope.matches()) {
                addresses.add(scope.group("address"));
            }
        }
        return addresses;
    }

    /** Omits credentials. */
    @Override
    public String toString() {
        return "RegistrySettings[" + registry.orElse("default") + "]";
    }
}
