package io.millrace.base.persistence.connection;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Blocking connections, for long sequential work outside the event loops: migrations, and copies of whole tables. */
public final class JdbcConnections {
    /** Class of SQL states that are about the connection itself. */
    private static final String CONNECTION_CLASS = "08";

    private JdbcConnections() {}

    /**
     * Opens an unpooled connection. Its statements have no deadline: a copy takes time in proportion to the data. Fails with
     * UNAVAILABLE when the server does not answer.
     *
     * @param application name in the database's list of sessions
     */
    public static Connection open(DatabaseSettings settings, String application) throws SQLException {
        try {
            return connect(settings, application);
        } catch (SQLException refused) {
            if (isAway(refused)) {
                throw ApiException.of(ErrorCode.UNAVAILABLE, refused.getMessage());
            }
            throw refused;
        }
    }

    /**
     * Reason for which the certificate of the database is not trusted; empty if it is trusted or not verified, or if no connection
     * was possible for another reason.
     */
    public static Optional<String> certificateRefusal(DatabaseSettings settings) {
        if (!settings.tls().verifiesCertificate()) {
            return Optional.empty();
        }
        try (var _ = connect(settings, "certificate check")) {
            return Optional.empty();
        } catch (SQLException refused) {
            var reason = Optional.<String>empty();
            for (Throwable cause = refused; cause != null; cause = cause.getCause()) {
                if (cause instanceof CertificateException || isOfHostName(cause)) {
                    reason = Optional.of(String.valueOf(cause.getMessage()));
                }
            }
            return reason;
        }
    }

    /** The driver compares host names itself; its message has the class of the verifier in every language. */
    private static boolean isOfHostName(Throwable refused) {
        return refused instanceof SQLException
                && String.valueOf(refused.getMessage()).contains("HostnameVerifier");
    }

    private static Connection connect(DatabaseSettings settings, String application) throws SQLException {
        var properties = new Properties();
        properties.putAll(properties(settings, application));
        properties.put("user", settings.user());
        properties.put("password", settings.password());
        properties.put(
                "connectTimeout", Long.toString(settings.pool().connectTimeout().toSeconds()));
        properties.put("options", "-c statement_timeout=0 -c timezone=UTC -c synchronize_seqscans=off");
        return DriverManager.getConnection(url(settings), properties);
    }

    private static boolean isAway(SQLException refused) {
        return refused.getSQLState() != null && refused.getSQLState().startsWith(CONNECTION_CLASS);
    }

    /** JDBC has no Unix sockets: an embedded or local server is reached by its port, which also names the socket. */
    public static String url(DatabaseSettings settings) {
        var host = settings.isSocket() ? "127.0.0.1" : settings.host();
        return "jdbc:postgresql://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + settings.port() + "/"
                + URLEncoder.encode(settings.database(), StandardCharsets.UTF_8);
    }

    public static Map<String, String> properties(DatabaseSettings settings, String application) {
        var properties = new HashMap<String, String>();
        properties.put("ApplicationName", application);
        properties.put("tcpKeepAlive", "true");
        JdbcSocketFactory.describe(settings.tls(), properties);
        return properties;
    }

    public interface Reading<T> {
        T of(ResultSet row) throws SQLException;
    }

    public static <T> List<T> all(Connection connection, String query, Reading<T> reading) throws SQLException {
        var found = new ArrayList<T>();
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            while (rows.next()) {
                found.add(reading.of(rows));
            }
        }
        return found;
    }
}
