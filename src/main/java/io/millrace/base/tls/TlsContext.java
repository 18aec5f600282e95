package io.millrace.base.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;

public final class TlsContext {
    private TlsContext() {}

    /**
     * A context.
     *
     * @param key of the client, if the server asks for one
     */
    public static SSLContext of(X509ExtendedTrustManager trust, Optional<X509KeyManager> key) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    key.map(manager -> new X509KeyManager[] {manager}).orElse(null), new TrustManager[] {trust}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has TLS", impossible);
        }
    }

    static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
