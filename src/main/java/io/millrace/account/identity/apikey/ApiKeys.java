package io.millrace.account.identity.apikey;

import io.millrace.base.access.KeyScopes;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Requests about API keys. Answered by {@link ApiKeyService}. */
public sealed interface ApiKeys {
    /** Creates a key; its expiry must be in the future. */
    record Create(Principal by, String displayName, KeyScopes scopes, Optional<Instant> expiresAt)
            implements ApiKeys, BusRequest<NewApiKey> {}

    /** All keys of the platform, oldest first. */
    record ListAll(Principal by) implements ApiKeys, BusRequest<List<ApiKey>> {}

    record Delete(Principal by, String id) implements ApiKeys, BusRequest<Nothing> {}

    /**
     * A new key with its value, which is shown this once.
     *
     * @param value the whole key
     */
    record NewApiKey(ApiKey key, String value) {
        @Override
        public String toString() {
            return "NewApiKey[" + key + "]";
        }
    }
}
