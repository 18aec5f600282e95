package io.millrace.integration.diagnosis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Permission;
import io.millrace.base.core.Json;
import java.util.Optional;

/**
 * A change between the last successful run and the failed one. Contains names and versions, never values of connections and
 * variables.
 *
 * @param name of the changed resource
 * @param stepName the step that it concerns, where it concerns one
 */
record RunChange(
        Kind kind,
        String name,
        Optional<String> stepName,
        Optional<String> before,
        Optional<String> now,
        Evidence evidence) {
    /** Kind of a change, with the permission that its evidence requires. */
    enum Kind {
        FLOW_VERSION("flowVersion", Permission.READ_FLOW),
        PIECE_VERSION("pieceVersion", Permission.READ_FLOW),
        CONNECTION("connection", Permission.READ_APP_CONNECTION),
        CONNECTION_STATUS("connectionStatus", Permission.READ_APP_CONNECTION),
        VARIABLE("variable", Permission.READ_VARIABLE),
        SETTING("setting", Permission.READ_RUN);

        private final String text;
        private final Permission permission;

        Kind(String text, Permission permission) {
            this.text = text;
            this.permission = permission;
        }

        Permission permission() {
            return permission;
        }
    }

    String sentence() {
        return switch (kind) {
            case FLOW_VERSION -> "The flow has another version.";
            case PIECE_VERSION ->
                "The piece " + name + " has version " + now.orElse("") + " instead of " + before.orElse("") + ".";
            case CONNECTION -> "The connection \"" + name + "\" was changed.";
            case CONNECTION_STATUS -> "The connection \"" + name + "\" has the status " + now.orElse("") + ".";
            case VARIABLE -> "The variable \"" + name + "\" was changed.";
            case SETTING -> name + " was changed from " + before.orElse("") + " to " + now.orElse("") + ".";
        };
    }

    ObjectNode toJson() {
        var json = Json.object().put("kind", kind.text).put("name", name).put("text", sentence());
        stepName.ifPresent(step -> json.put("stepName", step));
        before.ifPresent(value -> json.put("before", value));
        now.ifPresent(value -> json.put("now", value));
        json.putArray("evidence").add(evidence.toJson());
        return json;
    }
}
