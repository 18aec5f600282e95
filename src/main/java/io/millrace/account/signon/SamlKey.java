package io.millrace.account.signon;

import io.vertx.core.buffer.Buffer;
import java.security.PrivateKey;

/**
 * The key to which identity providers encrypt. Its text never shows the private half.
 *
 * @param certificate of its public half, as DER; self-signed
 */
record SamlKey(PrivateKey key, Buffer certificate) {
    @Override
    public String toString() {
        return "SamlKey[]";
    }
}
