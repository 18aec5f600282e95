package io.millrace.workspace.connection;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.workspace.connection.credential.Credentials;
import java.util.Optional;

/**
 * Requested properties of a connection (contract admin-api 7.2, 8).
 *
 * @param externalId empty to generate one
 * @param pieceVersion empty for the newest one
 * @param metadata when absent, existing metadata is kept
 * @param preSelectForNewProjects empty to keep the present value, and in a scope without this property
 */
public record NewConnection(
        Optional<String> externalId,
        String displayName,
        String pieceName,
        Optional<String> pieceVersion,
        FieldChange<ObjectNode> metadata,
        Optional<Boolean> preSelectForNewProjects,
        Credentials credentials) {
    /** Limits the length of names: an index cannot hold texts of any length. */
    private static final int NAME_LENGTH_MAX = 255;

    static NewConnection read(Fields body) {
        return read(body, Optional.of(body.text("externalId", 1, NAME_LENGTH_MAX)), Optional.empty(), true);
    }

    static NewConnection readGlobal(Fields body) {
        var externalId = body.has("externalId")
                ? Optional.of(body.text("externalId", 1, NAME_LENGTH_MAX))
                : Optional.<String>empty();
        return read(body, externalId, body.optionalFlag("preSelectForNewProjects"), false);
    }

    private static NewConnection read(
            Fields body, Optional<String> externalId, Optional<Boolean> preSelect, boolean placeholderAllowed) {
        return new NewConnection(
                externalId,
                body.text("displayName"),
                body.text("pieceName", 1, NAME_LENGTH_MAX),
                body.optionalText("pieceVersion"),
                body.changedObject("metadata"),
                preSelect,
                Credentials.read(body, placeholderAllowed));
    }
}
