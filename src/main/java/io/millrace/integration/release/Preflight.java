package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.integration.release.ProjectDocument.RequiredPiece;
import io.millrace.piece.catalogue.PieceScope;
import io.millrace.piece.catalogue.Pieces;
import io.millrace.workspace.connection.ConnectionStates.StoredConnection;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks that a document can be applied (contract admin-api 11, pre-check failures). Installs missing pieces if possible, as
 * for any flow that pins them.
 */
final class Preflight {
    private static final long DEADLINE_MS = 10_000;
    private static final long INSTALL_DEADLINE_MS = 60_000;
    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.\\d{1,6}\\.\\d{1,6}(?:[-+].{0,50})?");

    private final Bus bus;
    private final String version;

    /** @param version of this server */
    Preflight(Bus bus, String version) {
        this.bus = bus;
        this.version = version;
    }

    record Findings(List<ObjectNode> errors, List<RequiredPiece> installed) {}

    Future<Findings> look(Principal by, ProjectDocument document, List<StoredConnection> held) {
        var findings = new Findings(new ArrayList<>(), new ArrayList<>());
        checkVersion(document.sourceVersion(), findings);
        for (var mismatch : StateDiff.mismatches(held, document.state().connections())) {
            findings.errors()
                    .add(Json.object()
                            .put("kind", "CONNECTION_PIECE_MISMATCH")
                            .put("externalId", mismatch.wanted().externalId())
                            .put("expectedPieceName", mismatch.wanted().pieceName())
                            .put("foundPieceName", mismatch.current().state().pieceName()));
        }
        var done = Future.<Void>succeededFuture();
        for (var piece : document.pieces()) {
            done = done.compose(_ -> check(by, piece, findings));
        }
        return done.map(findings);
    }

    /** A major release may change the meaning of fields; minor releases are compatible in both directions. */
    private void checkVersion(String sourceVersion, Findings findings) {
        var source = VERSION.matcher(sourceVersion);
        var own = VERSION.matcher(version);
        if (!source.matches() || !own.matches() || !source.group(1).equals(own.group(1))) {
            findings.errors()
                    .add(Json.object()
                            .put("kind", "AP_VERSION_MISMATCH")
                            .put("sourceVersion", sourceVersion)
                            .put("destVersion", version)
                            .put("message", "expected a document of the same major release"));
        }
    }

    private Future<Void> check(Principal by, RequiredPiece piece, Findings findings) {
        return isHere(by, piece)
                .compose(isHere -> isHere
                        ? Future.succeededFuture()
                        : bus.ask(
                                        new Pieces.Provide(PieceScope.of(by.platform()), piece.name(), piece.version()),
                                        INSTALL_DEADLINE_MS)
                                .otherwiseEmpty()
                                .compose(_ -> isHere(by, piece))
                                .compose(isInstalled -> {
                                    if (isInstalled) {
                                        findings.installed().add(piece);
                                        return Future.succeededFuture();
                                    }
                                    return newest(by, piece).map(newest -> {
                                        findings.errors()
                                                .add(Json.object()
                                                        .put("kind", "PIECE_VERSION_MISMATCH")
                                                        .put("pieceName", piece.name())
                                                        .put("sourceVersion", piece.version())
                                                        .put("destVersion", newest));
                                        return null;
                                    });
                                }));
    }

    private Future<Boolean> isHere(Principal by, RequiredPiece piece) {
        return found(by, piece, Optional.of(piece.version()))
                .map(found -> found.filter(piece.version()::equals).isPresent());
    }

    private Future<String> newest(Principal by, RequiredPiece piece) {
        return found(by, piece, Optional.empty()).map(found -> found.orElse(""));
    }

    private Future<Optional<String>> found(Principal by, RequiredPiece piece, Optional<String> wanted) {
        return bus.ask(new Pieces.FindAuth(PieceScope.of(by.platform()), piece.name(), wanted), DEADLINE_MS)
                .map(auth -> Optional.of(auth.version()))
                .recover(failure -> ApiException.isNotFound(failure)
                        ? Future.succeededFuture(Optional.empty())
                        : Future.failedFuture(failure));
    }
}
