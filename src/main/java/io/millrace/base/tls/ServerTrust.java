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

public final class ServerTrust {
    private ServerTrust() {}

    public static X509ExtendedTrustManager of(List<X509Certificate> authorities) {
        try {
            var store = TlsContext.emptyStore();
            for (var index = 0; index < authorities.size(); index++) {
                store.setCertificateEntry("authority-" + index, authorities.get(index));
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return manager(factory);
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("every Java platform has X.509 trust managers", impossible);
        }
    }

    /** Trust in the authorities of the JDK. They are read once: a probe of the database asks for them on an event loop. */
    public static X509ExtendedTrustManager ofSystem() {
        return SystemTrust.MANAGER;
    }

    private static X509ExtendedTrustManager loaded() {
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init((KeyStore) null);
            return manager(factory);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has X.509 trust managers", impossible);
        }
    }

    /** Trust in any certificate, for a user who has turned verification off. */
    public static X509ExtendedTrustManager ofAny() {
        return new TrustAllManager();
    }

    private static X509ExtendedTrustManager manager(TrustManagerFactory factory) {
        return Stream.of(factory.getTrustManagers())
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static final class SystemTrust {
        private static final X509ExtendedTrustManager MANAGER = loaded();
    }

    private static final class TrustAllManager extends X509ExtendedTrustManager {
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
