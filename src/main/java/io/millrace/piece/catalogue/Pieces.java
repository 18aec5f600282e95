package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.piece.IssuedToken;
import io.millrace.piece.property.OptionsQuestion;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

/** Requests about the pieces of this server (contract flows-and-engine 29). Handled by {@link PieceService}. */
public sealed interface Pieces {
    String LATEST = "latest";

    /**
     * Summaries of the pieces that are offered.
     *
     * @param scope scope of the caller; the general one for a caller without a token
     * @param projectId project whose plan chooses; empty for none
     */
    record Find(PieceQuery query, PieceScope scope, Optional<String> projectId, Extras extras)
            implements Pieces, BusRequest<ArrayNode> {}

    /**
     * Optional parts of a list.
     *
     * @param hiddenToo true to include pieces that the platform hides
     * @param tags true to add the platform's tags to each piece
     * @param locale as for {@link Get}
     * @param installableToo true to include published pieces that are not installed; empty to include them exactly
     *     when naming a piece installs it
     */
    record Extras(boolean hiddenToo, boolean tags, Optional<String> locale, Optional<Boolean> installableToo) {
        public static final Extras NONE = new Extras(false, false, Optional.empty(), Optional.empty());
    }

    /** Every piece with every version, as {@code {name, version}}. */
    record FindRegistered(PieceScope scope) implements Pieces, BusRequest<ArrayNode> {}

    /**
     * The whole description of a piece; fails with ENTITY_NOT_FOUND.
     *
     * @param version exact, or with {@code ~} or {@code ^} for the newest compatible one; empty for the newest
     * @param locale language of the texts, if the piece has them in it
     * @param scope as in {@link Find}
     */
    record Get(PieceScope scope, String name, Optional<String> version, Optional<String> locale)
            implements Pieces, BusRequest<ObjectNode> {}

    /** Exact versions of a piece, newest first; fails with ENTITY_NOT_FOUND. */
    record FindVersions(PieceScope scope, String name) implements Pieces, BusRequest<List<String>> {}

    /** Compares two exact versions of a piece; fails with ENTITY_NOT_FOUND where one is unavailable. */
    record Compare(PieceScope scope, String name, String from, String to) implements Pieces, BusRequest<PieceChanges> {}

    /** Logo of a piece; fails with ENTITY_NOT_FOUND when there is none or it is not an image. */
    record FindLogo(PieceScope scope, String name) implements Pieces, BusRequest<PieceLogo> {}

    /** Options of a property for the input so far; fails with ENTITY_NOT_FOUND. */
    record FindOptions(PieceScope scope, String name, String version, OptionsQuestion question)
            implements Pieces, BusRequest<ObjectNode> {}

    /**
     * Installs a package as a piece of a platform and returns its description. Fails with VALIDATION when it is
     * installed already, and with ENGINE_OPERATION_FAILURE when the package is not a piece.
     *
     * @param version exact; {@link #LATEST} for the newest of the registry
     * @param archive a {@code .tgz}; empty to take the package from the registry
     */
    record Install(String platformId, String name, String version, Optional<Buffer> archive)
            implements Pieces, BusRequest<ObjectNode> {}

    /**
     * Adds a piece whose description was made from an OpenAPI document, and returns its description. Fails with VALIDATION
     * when the platform has that version.
     *
     * @param metadata description with the requests of the actions
     * @param document text of the document
     */
    record AddDescribed(String platformId, String name, String version, ObjectNode metadata, Buffer document)
            implements Pieces, BusRequest<ObjectNode> {}

    /** Removes a piece that a platform has installed; fails with ENTITY_NOT_FOUND. */
    record Remove(String platformId, String id) implements Pieces, BusRequest<Nothing> {}

    /** Installs a version that a flow pins, if it is missing and available; never fails. */
    record Provide(PieceScope scope, String name, String version) implements Pieces, BusRequest<Nothing> {}

    /** Reloads the installed pieces, which another node may have changed. */
    record Reload() implements Pieces, BusRequest<Nothing> {}

    /**
     * Completes when the installed pieces have been read for the first time; that read is retried until it succeeds.
     */
    record AwaitLoad() implements Pieces, BusRequest<Nothing> {}

    /** Fetches a newer index of published pieces now; fails with ENGINE_OPERATION_FAILURE when it is unavailable. */
    record RefreshIndex() implements Pieces, BusRequest<Nothing> {}

    /** Descriptions of pieces, whole or in brief, with their texts in another language where they have them. */
    record Translate(String locale, List<ObjectNode> descriptions) implements Pieces, BusRequest<List<ObjectNode>> {}

    record Changed() implements Pieces, Notice {}

    /** Some node has installed or removed a piece: this node must reload. */
    record RowsChanged() implements Pieces, Notice {}

    /** Authentication of a piece; fails with ENTITY_NOT_FOUND. Version and scope are as for {@link Get}. */
    record FindAuth(PieceScope scope, String name, Optional<String> version) implements Pieces, BusRequest<Auth> {}

    /**
     * Validates credentials with the piece and returns the problem. Fails with ENTITY_NOT_FOUND, or with
     * ENGINE_OPERATION_FAILURE when the check could not be run.
     *
     * @param projectId the project for which the piece looks
     */
    record Validate(PieceScope scope, String name, String version, ObjectNode value, Optional<String> projectId)
            implements Pieces, BusRequest<Optional<String>> {
        @Override
        public String toString() {
            return "Validate[" + name + ", " + version + "]";
        }
    }

    /**
     * Has the piece issue a token for credentials of the type CUSTOM_AUTH. Fails with ENTITY_NOT_FOUND, or with
     * ENGINE_OPERATION_FAILURE when the piece could not be asked or did not answer.
     *
     * @param projectId the project for which the piece acts
     */
    record IssueToken(PieceScope scope, String name, String version, ObjectNode value, Optional<String> projectId)
            implements Pieces, BusRequest<IssueOutcome> {
        @Override
        public String toString() {
            return "IssueToken[" + name + ", " + version + "]";
        }
    }

    /** Answer to {@link IssueToken}. */
    sealed interface IssueOutcome {
        record Issued(IssuedToken token) implements IssueOutcome {}

        /** The credentials need no token. */
        record Needless() implements IssueOutcome {}

        /** @param message error of the piece, without the credentials */
        record Refused(String message) implements IssueOutcome {}
    }

    /**
     * Authentication definition of a piece version.
     *
     * @param version exact
     * @param definition an object, a list of objects, or null for a piece without authentication
     */
    record Auth(String name, String version, JsonNode definition) {}
}
