package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;

/** Portable form of a connection for transfers between projects: its names, and never its value (contract admin-api 11). */
public record ConnectionState(String externalId, String pieceName, String displayName) {
    private static final int NAME_LENGTH_MAX = 255;

    /** Parses the output of {@link #toJson}; violations are recorded in the fields. */
    public static ConnectionState read(Fields given) {
        return new ConnectionState(
                given.text("externalId", 1, NAME_LENGTH_MAX),
                given.text("pieceName", 1, NAME_LENGTH_MAX),
                given.text("displayName"));
    }

    public ObjectNode toJson() {
        return Json.object()
                .put("externalId", externalId)
                .put("pieceName", pieceName)
                .put("displayName", displayName);
    }
}
