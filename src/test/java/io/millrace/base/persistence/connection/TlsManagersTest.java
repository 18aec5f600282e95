package io.millrace.base.persistence.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.persistence.connection.DatabaseSettings.Encryption;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Security;
import java.security.interfaces.ECPrivateKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Keys of database clients, with and without a security provider that a library has registered for the whole process.
 */
@ResourceLock(Resources.GLOBAL)
class TlsManagersTest {
    /** One pair for each algorithm and owner: the generation of RSA keys takes seconds. */
    private static final Map<String, KeyPair> PAIRS = new ConcurrentHashMap<>();

    @ParameterizedTest
    @CsvSource({
        "EC, SHA256withECDSA, true, false",
        "EC, SHA256withECDSA, true, true",
        "EC, SHA256withECDSA, false, false",
        "EC, SHA256withECDSA, false, true",
        "RSA, SHA256withRSA, true, false",
        "RSA, SHA256withRSA, true, true",
        "RSA, SHA256withRSA, false, false",
        "RSA, SHA256withRSA, false, true",
        "Ed25519, Ed25519, true, false",
        "Ed25519, Ed25519, true, true"
    })
    void acceptsOnlyTheKeyOfTheCertificate(String kind, String signature, boolean pkcs8, boolean registered)
            throws Exception {
        var own = pair(kind, "own");
        var certificate = certificate(own, signature);
        var provider = new BouncyCastleProvider();
        var added = registered && Security.addProvider(provider) >= 0;
        try {
            assertThat(TlsManagers.key(identity(certificate, pem(own, pkcs8)))).isPresent();
            assertThatThrownBy(() -> TlsManagers.key(identity(certificate, pem(pair(kind, "another"), pkcs8))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("expected a key that belongs to the certificate, found another one");
        } finally {
            if (added) {
                Security.removeProvider(provider.getName());
            }
        }
    }

    private static DatabaseTls identity(String certificate, String key) {
        return new DatabaseTls(
                Encryption.REQUIRE, Optional.empty(), Optional.of(new DatabaseTls.ClientIdentity(certificate, key)));
    }

    private static KeyPair pair(String kind, String owner) {
        return PAIRS.computeIfAbsent(kind + " of " + owner, _ -> {
            try {
                var generator = KeyPairGenerator.getInstance(kind);
                if (kind.equals("RSA")) {
                    generator.initialize(2048);
                }
                return generator.generateKeyPair();
            } catch (GeneralSecurityException impossible) {
                throw new AssertionError(impossible);
            }
        });
    }

    private static String certificate(KeyPair pair, String signature) throws Exception {
        var now = Instant.now();
        var subject = new X500Name("CN=client");
        return pem(new JcaX509v3CertificateBuilder(
                        subject,
                        BigInteger.ONE,
                        Date.from(now.minus(1, ChronoUnit.DAYS)),
                        Date.from(now.plus(1, ChronoUnit.DAYS)),
                        subject,
                        pair.getPublic())
                .build(new JcaContentSignerBuilder(signature).build(pair.getPrivate())));
    }

    /** The key in PKCS #8, or in the format of its algorithm: PKCS #1, or SEC 1 as OpenSSL writes it. */
    private static String pem(KeyPair pair, boolean pkcs8) throws IOException {
        var info = PrivateKeyInfo.getInstance(pair.getPrivate().getEncoded());
        if (pkcs8) {
            return pem(new PemObject("PRIVATE KEY", info.getEncoded()));
        }
        return pair.getPrivate() instanceof ECPrivateKey key
                ? pem(new PemObject(
                        "EC PRIVATE KEY",
                        new org.bouncycastle.asn1.sec.ECPrivateKey(
                                        key.getParams().getOrder().bitLength(),
                                        key.getS(),
                                        info.getPrivateKeyAlgorithm().getParameters())
                                .getEncoded()))
                : pem(info);
    }

    private static String pem(Object content) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(content);
        }
        return text.toString();
    }
}
