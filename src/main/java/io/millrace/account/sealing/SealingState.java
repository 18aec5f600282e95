package io.millrace.account.sealing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys of the secrets at rest. Ids of keys reveal nothing about the keys.
 *
 * @param keyId key used for sealing now
 * @param keptByServer true when the server generated and stores the key, so that it can generate another one
 * @param values number of sealed values by the id of their key
 */
public record SealingState(String keyId, boolean keptByServer, SortedMap<String, Long> values) {
    public SealingState(String keyId, boolean keptByServer, Map<String, Long> values) {
        this(keyId, keptByServer, new TreeMap<>(values));
    }

    public ObjectNode toJson() {
        var json = Json.object().put("keyId", keyId).put("keptByServer", keptByServer);
        var counts = json.putArray("values");
        values.forEach((id, count) -> counts.addObject().put("keyId", id).put("count", count));
        return json;
    }
}
