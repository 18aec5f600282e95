package io.millrace.base.persistence.connection;

import io.millrace.base.tls.ClientKey;
import io.millrace.base.tls.PemText;
import io.millrace.base.tls.ServerTrust;
import io.millrace.base.tls.TlsContext;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;

/** Key and trust managers of a {@link DatabaseTls}: the same for the server's connections and for JDBC. */
final class TlsManagers {
    private TlsManagers() {}

    /** Trust in the given authorities, or in those of the JDK; in any certificate where verification is off. */
    static X509ExtendedTrustManager trust(DatabaseTls tls) {
        if (!tls.verifiesCertificate()) {
            return ServerTrust.ofAny();
        }
        return tls.authorities()
                .map(pem -> ServerTrust.of(PemText.certificates(pem)))
                .orElseGet(ServerTrust::ofSystem);
    }

    /** Refuses a malformed certificate or key with IllegalArgumentException. */
    static Optional<X509KeyManager> key(DatabaseTls tls) {
        return tls.identity()
                .map(identity ->
                        ClientKey.of(PemText.certificates(identity.certificates()), PemText.key(identity.key())));
    }

    static SSLContext context(DatabaseTls tls) {
        return TlsContext.of(trust(tls), key(tls));
    }
}
