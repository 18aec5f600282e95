package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.Optional;

/**
 * Requests about stored values. Handled by {@link StoreService}. All fail with INVALID_INPUT when the key is empty or
 * has more than 128 characters.
 */
public sealed interface StoreEntries {
    /** Writes or replaces a value. Fails with BODY_TOO_LARGE, or ENTITY_NOT_FOUND when the project was deleted. */
    record Put(String projectId, String key, JsonNode value) implements StoreEntries, BusRequest<StoreEntry> {}

    record Find(String projectId, String key) implements StoreEntries, BusRequest<Optional<StoreEntry>> {}

    /** Removes a value; no effect when it does not exist. */
    record Delete(String projectId, String key) implements StoreEntries, BusRequest<Nothing> {}

    /**
     * Changes a value atomically with respect to other writers. A repetition with the same receipt returns the first
     * answer and changes nothing. Fails as {@link Put}, and with the exception of the edit.
     *
     * @param receipt idempotency key of the change
     */
    record Change(String projectId, String key, String receipt, StoreEdit edit)
            implements StoreEntries, BusRequest<Optional<JsonNode>> {}
}
