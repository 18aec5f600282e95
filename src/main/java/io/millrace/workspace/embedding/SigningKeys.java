package io.millrace.workspace.embedding;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;

/** Requests about signing keys. Answered by {@link SigningKeyService}. */
public sealed interface SigningKeys {
    /** Generates a pair of keys; takes seconds. */
    record Create(Principal by, String displayName) implements SigningKeys, BusRequest<NewSigningKey> {}

    /** All keys of the principal's platform, oldest first. */
    record ListAll(Principal by) implements SigningKeys, BusRequest<List<SigningKey>> {}

    record Find(Principal by, String id) implements SigningKeys, BusRequest<SigningKey> {}

    /** Deletes a key: its signatures are no longer accepted. */
    record Delete(Principal by, String id) implements SigningKeys, BusRequest<Nothing> {}

    /**
     * A new key with its private half, which is shown this once.
     *
     * @param privateKey PKCS#1 in PEM
     */
    record NewSigningKey(SigningKey key, String privateKey) {
        @Override
        public String toString() {
            return "NewSigningKey[" + key + "]";
        }
    }
}
