package io.millrace.base.persistence.connection;

import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.postgresql.ssl.WrappedFactory;

/**
 * Encrypted sockets of JDBC with the {@link DatabaseTls} of the server, passed by the driver as connection properties: the
 * driver's own factory reads keys of PKCS #8 in DER form only and verifies nothing under sslmode=require. The driver compares
 * host names itself.
 */
public final class JdbcSocketFactory extends WrappedFactory {
    private static final String AUTHORITIES = "millraceAuthorities";
    private static final String CERTIFICATES = "millraceCertificates";
    private static final String KEY = "millraceKey";

    /** Called by the driver. */
    public JdbcSocketFactory(Properties properties) {
        factory = TlsManagers.context(tls(properties)).getSocketFactory();
    }

    private static DatabaseTls tls(Properties properties) {
        var certificates = properties.getProperty(CERTIFICATES);
        return new DatabaseTls(
                Encryption.parse(properties.getProperty("sslmode")).orElseThrow(),
                Optional.ofNullable(properties.getProperty(AUTHORITIES)),
                certificates == null
                        ? Optional.empty()
                        : Optional.of(new DatabaseTls.ClientIdentity(certificates, properties.getProperty(KEY))));
    }

    /** Adds the properties that the constructor reads. */
    static void describe(DatabaseTls tls, Map<String, String> properties) {
        properties.put("sslmode", tls.mode().word());
        if (tls.mode() == Encryption.DISABLE) {
            return;
        }
        properties.put("sslfactory", JdbcSocketFactory.class.getName());
        tls.authorities().ifPresent(pem -> properties.put(AUTHORITIES, pem));
        tls.identity().ifPresent(identity -> {
            properties.put(CERTIFICATES, identity.certificates());
            properties.put(KEY, identity.key());
        });
    }
}
