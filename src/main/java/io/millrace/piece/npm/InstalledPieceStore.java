package io.millrace.piece.npm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.core.Json;
import io.millrace.persistence.Rows;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.Optional;

/** Statements of installed pieces. Descriptions are kept as text: their order is the order that editors show. */
final class InstalledPieceStore {
    private static final String COLUMNS = "id, created, platform_id, name, version, package_type, integrity, metadata";

    Future<Void> insert(Tx tx, InstalledPiece piece, ObjectNode translations, Optional<Buffer> archive) {
        return tx.query(
                        """
                        insert into installed_piece (id, created, platform_id, name, version, package_type, integrity,
                          metadata, translations, archive)
                        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
                        """,
                        piece.id(),
                        piece.created(),
                        piece.platformId(),
                        piece.packageId().name(),
                        piece.packageId().version(),
                        piece.packageType(),
                        piece.integrity(),
                        Json.text(piece.metadata()),
                        Json.text(translations),
                        archive)
                .mapEmpty();
    }

    Future<List<InstalledPiece>> all(Tx tx) {
        return tx.query("select " + COLUMNS + " from installed_piece order by name, created, platform_id nulls first")
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

    /** The rows of a name and version, whosever they are; a platform's own come last and win. */
    Future<List<InstalledPiece>> findAny(Tx tx, PackageId id) {
        return tx.query(
                        "select " + COLUMNS + " from installed_piece where name = $1 and version = $2"
                                + " order by platform_id nulls first",
                        id.name(),
                        id.version())
                .map(rows -> Rows.all(rows, InstalledPieceStore::piece));
    }

    /**
     * Whether a name and version must be refused to a platform, because flows of another platform could get its code: where
     * platforms share a server, one of them has the name and version with other bytes, or the name is an official one and
     * the bytes do not come from the registry.
     */
    Future<Boolean> isTaken(Tx tx, InstalledPiece piece) {
        var isForged = piece.packageType() == InstalledPiece.PackageType.ARCHIVE
                && piece.packageId().isOfficial();
        return tx.query(
                        """
                        select (select count(*) from platform) > 1 and ($5 or exists (
                          select 1 from installed_piece where name = $1 and version = $2 and integrity <> $3
                            and platform_id is distinct from $4)) as taken
                        """,
                        piece.packageId().name(),
                        piece.packageId().version(),
                        piece.integrity(),
                        piece.platformId(),
                        isForged)
                .map(rows -> rows.iterator().next().getBoolean("taken"));
    }

    Future<Optional<InstalledPiece>> delete(Tx tx, String id, String platformId) {
        return tx.query(
                        "delete from installed_piece where id = $1 and platform_id = $2 returning " + COLUMNS,
                        id,
                        platformId)
                .map(rows -> Rows.first(rows, InstalledPieceStore::piece));
    }

    Future<Optional<Buffer>> archive(Tx tx, String id) {
        return tx.query("select archive from installed_piece where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Rows.optionalBuffer(row, "archive"))
                        .flatMap(archive -> archive));
    }

    /** Texts of a language by source text; empty when there are none. */
    Future<JsonNode> translations(Tx tx, String id, String locale) {
        return tx.query("select translations from installed_piece where id = $1", id)
                .map(rows -> Rows.first(rows, row -> Json.trusted(Rows.text(row, "translations")))
                        .<JsonNode>map(all -> all.path(locale))
                        .orElseGet(Json::object));
    }

    private static InstalledPiece piece(Row row) {
        return new InstalledPiece(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.optionalText(row, "platform_id"),
                new PackageId(Rows.text(row, "name"), Rows.text(row, "version")),
                Rows.option(row, "package_type", InstalledPiece.PackageType.class),
                Rows.text(row, "integrity"),
                (ObjectNode) Json.trusted(Rows.text(row, "metadata")));
    }
}
