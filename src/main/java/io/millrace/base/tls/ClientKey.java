package io.millrace.base.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.X509KeyManager;

public final class ClientKey {
    private static final char[] NO_PASSWORD = {};
    private static final byte[] CHALLENGE = {1, 2, 3, 4};

    private ClientKey() {}

    /**
     * Manager of one key.
     *
     * @param chain certificate of the key first
     * @throws IllegalArgumentException when the key does not belong to the certificate
     */
    public static X509KeyManager of(List<X509Certificate> chain, PrivateKey key) {
        try {
            if (!isPair(key, chain.getFirst().getPublicKey())) {
                throw new IllegalArgumentException("expected a key that belongs to the certificate, found another one");
            }
            var store = TlsContext.emptyStore();
            store.setKeyEntry("client", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
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
}
