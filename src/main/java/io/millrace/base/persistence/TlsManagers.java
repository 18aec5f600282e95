package io.millrace.base.persistence;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;

/** Key and trust managers of a {@link DatabaseTls}: the same for the server's connections and for JDBC. */
final class TlsManagers {
    private static final char[] NO_PASSWORD = {};
    private static final byte[] CHALLENGE = {1, 2, 3, 4};

    private TlsManagers() {}

    /** Trust in the given authorities, or in those of the JDK; in any certificate where verification is off. */
    static TrustManager trust(DatabaseTls tls) {
        if (!tls.verifiesCertificate()) {
            return new Unverified();
        }
        try {
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(tls.authorities().isPresent() ? store(tls.authorities().get()) : null);
            return Stream.of(factory.getTrustManagers())
                    .filter(X509ExtendedTrustManager.class::isInstance)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException impossible) {
            throw new IllegalStateException("every Java platform has X.509 trust managers", impossible);
        }
    }

    private static KeyStore store(String authorities) throws GeneralSecurityException, IOException {
        var store = empty();
        var number = 0;
        for (var authority : PemText.certificates(authorities)) {
            store.setCertificateEntry("authority-" + number++, authority);
        }
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Manager of the client's key; empty without one. Refuses a malformed certificate or key with IllegalArgumentException. */
    static Optional<X509KeyManager> key(DatabaseTls tls) {
        return tls.identity().map(TlsManagers::manager);
    }

    private static X509KeyManager manager(DatabaseTls.ClientIdentity identity) {
        var chain = PemText.certificates(identity.certificates()).toArray(Certificate[]::new);
        var key = PemText.key(identity.key());
        try {
            if (!isPair(key, chain[0].getPublicKey())) {
                throw new IllegalArgumentException("expected a key that belongs to the certificate, found another one");
            }
            var store = empty();
            store.setKeyEntry("client", key, NO_PASSWORD, chain);
            var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, NO_PASSWORD);
            return Stream.of(factory.getKeyManagers())
                    .filter(X509KeyManager.class::isInstance)
                    .map(X509KeyManager.class::cast)
                    .findFirst()
                    .orElseThrow();
        } catch (GeneralSecurityException | IOException unfit) {
            throw new IllegalArgumentException("expected a key that belongs to the certificate", unfit);
        }
    }

    private static boolean isPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certified.getAlgorithm())) {
            return false;
        }
        var algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC", "ECDSA" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        var signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(CHALLENGE);
        var signed = signature.sign();
        signature.initVerify(certified);
        signature.update(CHALLENGE);
        return signature.verify(signed);
    }

    /** Context of a socket of JDBC. */
    static SSLContext context(DatabaseTls tls) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(
                    key(tls).map(key -> new X509KeyManager[] {key}).orElse(null),
                    new TrustManager[] {trust(tls)},
                    null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has TLS", impossible);
        }
    }

    /** Accepts any certificate, as sslmode=require without a root certificate does. */
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
