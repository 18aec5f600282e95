package io.millrace.integration.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import org.apache.sshd.common.NamedResource;
import org.apache.sshd.common.config.keys.FilePasswordProvider;
import org.apache.sshd.common.util.security.SecurityUtils;

/** Reads private keys in the OpenSSH, PKCS#8 and PKCS#1 formats. */
final class SshIdentity {
    private static final NamedResource NAME = () -> "sshPrivateKey";

    private SshIdentity() {}

    static KeyPair read(String privateKey) throws GitFailure {
        // Normalizes line breaks: HTML forms drop the last one, which the parser needs, and Windows uses CRLF.
        var text = privateKey.strip().replace("\r\n", "\n") + "\n";
        try (var bytes = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))) {
            var keys = SecurityUtils.loadKeyPairIdentities(null, NAME, bytes, FilePasswordProvider.EMPTY);
            if (keys != null && keys.iterator().hasNext()) {
                return keys.iterator().next();
            }
        } catch (IOException | GeneralSecurityException | RuntimeException malformed) {
            throw new GitFailure(
                    GitFailure.Kind.REFUSED,
                    "sshPrivateKey cannot be read: expected a private key without a passphrase");
        }
        throw new GitFailure(GitFailure.Kind.REFUSED, "sshPrivateKey is not a private key");
    }
}
