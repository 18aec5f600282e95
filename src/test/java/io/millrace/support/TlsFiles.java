package io.millrace.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Date;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Certificate authority of a test, with files of certificates and keys that it has issued. */
public final class TlsFiles {
    private static final Base64.Encoder PEM = Base64.getMimeEncoder(64, new byte[] {'\n'});

    private final Path directory;
    private final String name;
    private final KeyPair authority = keys();

    /** @param name name of the authority and of its file */
    public TlsFiles(Path directory, String name) {
        this.directory = directory;
        this.name = name;
        write(name + ".crt", "CERTIFICATE", certificate(name, authority, true));
    }

    /** File of the authority's own certificate. */
    public Path authority() {
        return directory.resolve(name + ".crt");
    }

    /**
     * Issues {@code <name>.crt} and {@code <name>.key} for a host or a client of that name; returns the certificate
     * file.
     */
    public Path issue(String subject) {
        var keys = keys();
        var key = write(subject + ".key", "PRIVATE KEY", keys.getPrivate().getEncoded());
        try {
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        return write(subject + ".crt", "CERTIFICATE", certificate(subject, keys, false));
    }

    private byte[] certificate(String subject, KeyPair keys, boolean isAuthority) {
        var now = Instant.now();
        try {
            var builder = new JcaX509v3CertificateBuilder(
                    new X500Name("CN=" + name),
                    BigInteger.valueOf(System.nanoTime()),
                    Date.from(now.minus(1, ChronoUnit.DAYS)),
                    Date.from(now.plus(1, ChronoUnit.DAYS)),
                    new X500Name("CN=" + subject),
                    keys.getPublic());
            if (isAuthority) {
                builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            } else {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(new GeneralName(GeneralName.dNSName, subject)));
            }
            return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.getPrivate()))
                    .getEncoded();
        } catch (IOException | OperatorCreationException failure) {
            throw new IllegalStateException("expected to issue a certificate", failure);
        }
    }

    private static KeyPair keys() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(256);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform has EC", impossible);
        }
    }

    private Path write(String file, String label, byte[] content) {
        try {
            return Files.writeString(
                    directory.resolve(file),
                    "-----BEGIN " + label + "-----\n" + PEM.encodeToString(content) + "\n-----END " + label
                            + "-----\n");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
