package io.millrace.engine.trigger;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A stored value that a hook has changed.
 *
 * @param key with its scope
 * @param value null when removed
 */
record StoreChange(String key, JsonNode value) {}
