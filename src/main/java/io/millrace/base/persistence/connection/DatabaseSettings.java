package io.millrace.base.persistence.connection;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Connection settings of a database.
 *
 * @param host name or address, or the directory of a Unix socket when it starts with a slash
 * @param port port, and part of a socket's name
 * @param tls encryption of connections
 * @param statementTimeout time limit of a statement, and of an idle transaction
 */
public record DatabaseSettings(
        String host,
        int port,
        String database,
        String user,
        String password,
        DatabaseTls tls,
        Pool pool,
        Duration statementTimeout) {
    /**
     * Connections of this process.
     *
     * @param size connections of this process at most
     * @param idleTimeout after which an unused connection is closed
     * @param connectTimeout time limit of a caller's wait for a connection
     */
    public record Pool(int size, Duration idleTimeout, Duration connectTimeout) {}

    /** The words of {@code sslmode}, with PostgreSQL's meaning. */
    public enum Encryption {
        DISABLE,
        ALLOW,
        PREFER,
        REQUIRE,
        VERIFY_CA,
        VERIFY_FULL;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Optional<Encryption> parse(String word) {
            for (var candidate : values()) {
                if (candidate.word().equals(word)) {
                    return Optional.of(candidate);
                }
            }
            return Optional.empty();
        }
    }

    public static final int PORT_DEFAULT = 5432;

    private static final Pattern URL = Pattern.compile(
            "postgres(?:ql)?://(?:(?<user>[^/?]*)@)?(?<place>[^/?@]*)(?:/(?<database>[^?]*))?(?:\\?(?<query>.*))?");
    private static final Pattern PLACE = Pattern.compile("(?<host>\\[[0-9a-fA-F:.]+]|[^:]*)(?::(?<port>[0-9]{1,5}))?");

    public DatabaseSettings {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("expected a port from 1 to 65535, found " + port);
        }
        if (host.isEmpty() || database.isEmpty() || user.isEmpty()) {
            throw new IllegalArgumentException("expected a host, a database and a user, found an empty one");
        }
        if (pool.size() < 1) {
            throw new IllegalArgumentException("expected a pool of at least 1 connection, found " + pool.size());
        }
    }

    /** A database with the usual pool, not encrypted. */
    public static DatabaseSettings of(String host, int port, String database, String user, String password) {
        return new DatabaseSettings(
                host,
                port,
                database,
                user,
                password,
                DatabaseTls.NONE,
                new Pool(10, Duration.ofMinutes(5), Duration.ofSeconds(10)),
                Duration.ofMinutes(1));
    }

    /**
     * Reads {@code postgres://user:password@host:port/database?sslmode=word}. Parts may be percent-encoded; a {@code host} in
     * the query names a socket's directory, {@link TlsParameters} reads its encryption, and other parameters are ignored.
     *
     * @throws IllegalArgumentException with a text that names the part and never the password
     */
    public static DatabaseSettings parse(String url) {
        var whole = URL.matcher(url);
        if (!whole.matches()) {
            throw new IllegalArgumentException("expected postgres://user:password@host:port/database");
        }
        var credentials = Optional.ofNullable(whole.group("user")).orElse("postgres");
        var colon = credentials.indexOf(':');
        var user = decoded("user", colon < 0 ? credentials : credentials.substring(0, colon));
        var password = colon < 0 ? "" : decoded("password", credentials.substring(colon + 1));
        var place = PLACE.matcher(whole.group("place"));
        if (!place.matches()) {
            throw new IllegalArgumentException("expected host:port, found " + whole.group("place"));
        }
        var query = Optional.ofNullable(whole.group("query")).orElse("");
        var host = parameter(query, "host")
                .orElseGet(() -> decoded("host", place.group("host").replaceAll("[\\[\\]]", "")));
        var port = place.group("port") == null ? PORT_DEFAULT : Integer.parseInt(place.group("port"));
        var database =
                decoded("database", Optional.ofNullable(whole.group("database")).orElse(""));
        return of(host.isEmpty() ? "localhost" : host, port, database.isEmpty() ? user : database, user, password)
                .withTls(TlsParameters.read(name -> parameter(query, name)));
    }

    private static Optional<String> parameter(String query, String name) {
        for (var pair : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return Optional.of(decoded(name, pair.substring(name.length() + 1)));
            }
        }
        return Optional.empty();
    }

    private static String decoded(String part, String text) {
        try {
            // A plus sign is literal outside of forms.
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            throw new IllegalArgumentException(
                    "expected percent-encoded text as the " + part + " of the URL", malformed);
        }
    }

    public DatabaseSettings withTls(DatabaseTls changed) {
        return new DatabaseSettings(host, port, database, user, password, changed, pool, statementTimeout);
    }

    public DatabaseSettings withPool(int size, Duration idle, Duration connect) {
        return new DatabaseSettings(
                host, port, database, user, password, tls, new Pool(size, idle, connect), statementTimeout);
    }

    public DatabaseSettings withStatementTimeout(Duration changed) {
        return new DatabaseSettings(host, port, database, user, password, tls, pool, changed);
    }

    public DatabaseSettings withDatabase(String name) {
        return new DatabaseSettings(host, port, name, user, password, tls, pool, statementTimeout);
    }

    public boolean isSocket() {
        return host.startsWith("/");
    }

    /** Everything but the password, which must not reach a log. */
    @Override
    public String toString() {
        return "DatabaseSettings[" + user + "@" + host + ":" + port + "/" + database + ", sslmode="
                + tls.mode().word() + ", poolSize=" + pool.size() + "]";
    }
}
