package io.millrace.base.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Trust of a client in certificates of servers. */
public final class ServerTrust {
    private ServerTrust() {}

    /** Trust in certificates of these authorities only. */
    public static X509ExtendedTrustManager of(List<X509Certificate> authorities) {
        try {
            var store = TlsContext.emptyStore();
            for (var index = 0; index < authorities.size(); index++) {
                store.setCertificateEntry("authority-" + index, authorities.get(index));
            }
            return manager(store);
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("every Java platform has PKCS #12 stores", impossible);
        }
    }

    /** Trust in the authorities of the JDK. */
    public static X509ExtendedTrustManager ofSystem() {
        return manager(null);
    }

    /** Trust in any certificate, for a user who has turned verification off. */
    public static X509ExtendedTrustManager ofAny() {
        return new Unverified();
    }

    /** @param store null for that of the JDK */
    private static X509ExtendedTrustManager manager(KeyStore store) {
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .map(X509ExtendedTrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has X.509 trust managers", impossible);
        }
    }

    private static final class Unverified extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
