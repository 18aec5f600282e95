package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.piece.property.OptionsQuestion;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A connector with triggers and actions. Common interface of built-in pieces and installed packages. */
public interface Piece {
    PieceSpec spec();

    /** Actions by name, in the order they are shown. */
    Map<String, Action> actions();

    /** Triggers by name, in the order they are shown; none by default. */
    default Map<String, PieceTrigger> triggers() {
        return Map.of();
    }

    /** Event parser of the app of this piece; empty when the app has no shared address for events (25). */
    default Optional<AppEvents> appEvents() {
        return Optional.empty();
    }

    /**
     * Validates credentials (contract pieces 3, 5.1). The default accepts every value.
     *
     * @param value the connection's value with its {@code type}, which is one that the piece takes
     * @return the problem, empty for valid credentials; fails when the check itself cannot be completed
     */
    default Future<Optional<String>> validate(ObjectNode value) {
        return Future.succeededFuture(Optional.empty());
    }

    /**
     * Validates credentials with the project, for example to assume a cloud role in the project's name.
     *
     * @param projectId empty where there is none
     */
    default Future<Optional<String>> validate(ObjectNode value, Optional<String> projectId) {
        return validate(value);
    }

    /**
     * Issues a token for credentials of the type CUSTOM_AUTH (contract pieces 3, admin-api 7.9). Fails with
     * {@link PieceFailure} and its error name when the piece refuses.
     *
     * @param value the connection's value with its {@code type}
     * @param projectId empty where there is none
     * @return empty from a piece whose credentials need no token
     */
    default Future<Optional<IssuedToken>> issueToken(ObjectNode value, Optional<String> projectId) {
        return Future.succeededFuture(Optional.empty());
    }

    /** Platform that owns the piece; empty for a piece visible to all platforms. */
    default Optional<String> platformId() {
        return Optional.empty();
    }

    /** Time of the first installation on this server; for built-ins, the release. */
    default Instant created() {
        return PieceMetadata.CREATED;
    }

    default Instant updated() {
        return created();
    }

    /** Reason why the piece cannot run at the moment, for authors of flows; empty when it can. */
    default Future<Optional<String>> trouble() {
        return Future.succeededFuture(Optional.empty());
    }

    /** The whole description of the piece under an exact version it answers for; the caller may change it. */
    default ObjectNode describe(String version) {
        return PieceMetadata.full(this, version);
    }

    /**
     * Child definitions of a DYNAMIC property, or the state of a drop-down: {@code {options, type}}. Fails with
     * ENTITY_NOT_FOUND when there is no such property.
     */
    default Future<ObjectNode> options(OptionsQuestion question) {
        return Future.succeededFuture(
                PieceOptions.answer(this, question.step(), question.property(), question.input()));
    }
}
