package io.millrace.piece.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;

/** A stored value (contract flows-and-engine 23). */
public record StoreEntry(String id, Instant created, Instant updated, String projectId, String key, JsonNode value) {}
