package io.millrace.base.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.List;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;

/** Parses certificates and private keys in PEM form. Refuses other texts with {@link IllegalArgumentException}. */
public final class PemText {
    private PemText() {}

    /** Parses at least one certificate. */
    public static List<X509Certificate> certificates(String text) {
        try {
            var found = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
            if (!found.isEmpty()) {
                return found.stream().map(X509Certificate.class::cast).toList();
            }
        } catch (GeneralSecurityException malformed) {
            throw new IllegalArgumentException("expected certificates in PEM form, found other text", malformed);
        }
        throw new IllegalArgumentException("expected certificates in PEM form, found none");
    }

    /**
     * Parses a private key of PKCS #8, PKCS #1 or SEC 1 without a passphrase. The key comes from the first provider of the
     * platform: a converter of Bouncy Castle asks for "ECDSA", which only its own provider has, and libraries register that one.
     */
    public static PrivateKey key(String text) {
        try (var parser = new PEMParser(new StringReader(text))) {
            for (var found = parser.readObject(); found != null; found = parser.readObject()) {
                switch (found) {
                    case PEMKeyPair pair -> {
                        return key(pair.getPrivateKeyInfo());
                    }
                    case PrivateKeyInfo info -> {
                        return key(info);
                    }
                    default -> {
                        // Parameters of an elliptic curve precede its key.
                    }
                }
            }
        } catch (IOException | GeneralSecurityException malformed) {
            throw new IllegalArgumentException("expected a private key in PEM form, found other text", malformed);
        }
        throw new IllegalArgumentException("expected a private key in PEM form and without a passphrase, found none");
    }

    private static PrivateKey key(PrivateKeyInfo info) throws IOException, GeneralSecurityException {
        return KeyFactory.getInstance(
                        info.getPrivateKeyAlgorithm().getAlgorithm().getId())
                .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
    }
}
