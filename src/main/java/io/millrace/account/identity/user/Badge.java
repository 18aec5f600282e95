package io.millrace.account.identity.user;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/** Award for the first completion of an action (contract admin-api 15.3). */
public record Badge(String name, Instant created) {
    ObjectNode toJson() {
        return Json.object().put("name", name).put("created", Json.timestamp(created));
    }
}
