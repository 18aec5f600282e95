package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Statements of installed pieces. Descriptions are kept as text: their order is the order that editors show. */
final class InstalledPieceStore {
    private static final String COLUMNS =
            "id, created, updated, platform_id, name, version, package_type, integrity, metadata";

    private static final RowMapper<InstalledPiece> PIECES =
            RowMapper.of(InstalledPiece.class, "select " + COLUMNS + " from installed_piece");

    private static final String CONTENT = "select archive, lock from installed_piece where id = $1";

    private static final RowMapper<PackageContent> CONTENTS = RowMapper.of(PackageContent.class, CONTENT);

    private static final String TRANSLATIONS = """
            select id, (translations::json -> $2)::text as texts from installed_piece
             where id = any($1) and translations::json -> $2 is not null
            """;

    private static final RowMapper<Translation> TRANSLATION_ROWS = RowMapper.of(Translation.class, TRANSLATIONS);

    private record Translation(String id, JsonNode texts) {}

    /** Returns the stored piece: a new version has the creation time of the oldest one (contract pieces 13.4). */
    Future<InstalledPiece> insert(Tx tx, InstalledPiece piece, ObjectNode translations, PackageContent content) {
        return tx.query(
                        """
                        insert into installed_piece (id, created, updated, platform_id, name, version, package_type,
                          integrity, metadata, translations, archive, lock)
                        select $1, coalesce(min(created), $2), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
                          from installed_piece where name = $4 and platform_id is not distinct from $3
                        returning\s""" + COLUMNS,
                        piece.id(),
                        piece.updated(),
                        piece.platformId(),
                        piece.packageId().name(),
                        piece.packageId().version(),
                        piece.packageType(),
                        piece.integrity(),
                        Json.text(piece.metadata()),
                        Json.text(translations),
                        content.archive(),
                        content.lock())
                .map(PIECES::only);
    }

    Future<List<InstalledPiece>> all(Tx tx) {
        return tx.query("select " + COLUMNS + " from installed_piece order by name, updated, platform_id nulls first")
                .map(PIECES::all);
    }

    Future<Optional<InstalledPiece>> find(Tx tx, PackageId id, Optional<String> platformId) {
        return tx.query(
                        "select " + COLUMNS + " from installed_piece"
                                + " where name = $1 and version = $2 and platform_id is not distinct from $3",
                        id.name(),
                        id.version(),
                        platformId)
                .map(PIECES::first);
    }

    Future<List<InstalledPiece>> findWithin(Tx tx, PackageId id, PieceScope scope) {
        return tx.query(
                        "select " + COLUMNS + " from installed_piece where name = $1 and version = $2"
                                + " and (platform_id is null or platform_id = $3)",
                        id.name(),
                        id.version(),
                        scope.platformId())
                .map(PIECES::all);
    }

    Future<Optional<InstalledPiece>> delete(Tx tx, String id, String platformId) {
        return tx.query(
                        "delete from installed_piece where id = $1 and platform_id = $2 returning " + COLUMNS,
                        id,
                        platformId)
                .map(PIECES::first);
    }

    Future<Optional<PackageContent>> content(Tx tx, String id) {
        return tx.query(CONTENT, id).map(CONTENTS::first);
    }

    /** Records the dependencies of a package that was installed before they were recorded. */
    Future<Void> addLock(Tx tx, String id, String lock) {
        return tx.query("update installed_piece set lock = $2 where id = $1 and lock is null", id, lock)
                .mapEmpty();
    }

    /** Texts of a language by source text, for each of these pieces that has any. */
    Future<Map<String, JsonNode>> translations(Tx tx, List<String> ids, String locale) {
        return tx.query(TRANSLATIONS, Values.texts(ids), locale)
                .map(rows -> TRANSLATION_ROWS.all(rows).stream()
                        .collect(Collectors.toMap(Translation::id, Translation::texts)));
    }
}
