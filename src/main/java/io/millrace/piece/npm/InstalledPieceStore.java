package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Rows;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.Values;
import io.millrace.piece.catalogue.PieceScope;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Statements of installed pieces. Descriptions are kept as text: their order is the order that editors show. */
final class InstalledPieceStore {
    private static final String COLUMNS =
            "id, created, updated, platform_id, name, version, package_type, integrity, metadata";

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
                .map(rows -> piece(rows.iterator().next()));
    }

    Future<List<InstalledPiece>> all(Tx tx) {
        return tx.query("select " + COLUMNS + " from installed_piece order by name, updated, platform_id nulls first")
                .map(rows -> Rows.all(rows, InstalledPieceStore::piece));
    }

    Future<Optional<InstalledPiece>> find(Tx tx, PackageId id, Optional<String> platformId) {
        return tx.query(
                        "select " + COLUMNS + " from installed_piece"
                                + " where name = $1 and version = $2 and platform_id is not distinct from $3",
                        id.name(),
                        id.version(),
                        platformId)
                .map(rows -> Rows.first(rows, InstalledPieceStore::piece));
    }

    /** The rows of a name and version that a scope has. */
    Future<List<InstalledPiece>> findWithin(Tx tx, PackageId id, PieceScope scope) {
        return tx.query(
                        "select " + COLUMNS + " from installed_piece where name = $1 and version = $2"
                                + " and (platform_id is null or platform_id = $3)",
                        id.name(),
                        id.version(),
                        scope.platformId())
                .map(rows -> Rows.all(rows, InstalledPieceStore::piece));
    }

    Future<Optional<InstalledPiece>> delete(Tx tx, String id, String platformId) {
        return tx.query(
                        "delete from installed_piece where id = $1 and platform_id = $2 returning " + COLUMNS,
                        id,
                        platformId)
                .map(rows -> Rows.first(rows, InstalledPieceStore::piece));
    }

    Future<Optional<PackageContent>> content(Tx tx, String id) {
        return tx.query("select archive, lock from installed_piece where id = $1", id)
                .map(rows -> Rows.first(
                        rows,
                        row -> new PackageContent(
                                Rows.optionalBuffer(row, "archive"), Rows.optionalText(row, "lock"))));
    }

    /** Records the dependencies of a package that was installed before they were recorded. */
    Future<Void> addLock(Tx tx, String id, String lock) {
        return tx.query("update installed_piece set lock = $2 where id = $1 and lock is null", id, lock)
                .mapEmpty();
    }

    /** Texts of a language by source text, for each of these pieces that has any. */
    Future<Map<String, JsonNode>> translations(Tx tx, List<String> ids, String locale) {
        return tx.query("""
                        select id, (translations::json -> $2)::text as texts from installed_piece
                         where id = any($1) and translations::json -> $2 is not null
                        """, Values.texts(ids), locale)
                .map(rows ->
                        Rows.all(rows, row -> Map.entry(Rows.text(row, "id"), Json.trusted(Rows.text(row, "texts"))))
                                .stream()
                                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
    }

    private static InstalledPiece piece(Row row) {
        return new InstalledPiece(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.optionalText(row, "platform_id"),
                new PackageId(Rows.text(row, "name"), Rows.text(row, "version")),
                Rows.option(row, "package_type", InstalledPiece.PackageType.class),
                Rows.text(row, "integrity"),
                (ObjectNode) Json.trusted(Rows.text(row, "metadata")));
    }
}
