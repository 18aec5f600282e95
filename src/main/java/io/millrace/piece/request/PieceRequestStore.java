package io.millrace.piece.request;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class PieceRequestStore {
    private static final String COLUMNS =
            "id, created, updated, platform_id, user_id, piece_name, piece_version, reason,"
                    + " status, decided_by, note";

    private static final String PAGE = "select " + COLUMNS + " from piece_request where platform_id = $1"
            + " and ($2::text is null or user_id = $2) and ($3::text is null or status = $3)";

    private static final RowMapper<PieceRequest> REQUESTS = RowMapper.of(PieceRequest.class, PAGE);

    /** Updates an open request if one exists, so that the statement returns it. */
    Future<PieceRequest> save(Tx tx, PieceRequest request) {
        return tx.query(
                        """
                        insert into piece_request (id, created, updated, platform_id, user_id, piece_name, piece_version,
                          reason, status)
                        values ($1, $2, $2, $3, $4, $5, $6, $7, 'PENDING')
                        on conflict (platform_id, piece_name, piece_version) where status = 'PENDING'
                          do update set updated = piece_request.updated
                        returning\s""" + COLUMNS,
                        request.id(),
                        request.created(),
                        request.platformId(),
                        request.userId(),
                        request.pieceName(),
                        request.pieceVersion(),
                        request.reason())
                .map(REQUESTS::only);
    }

    Future<Long> countOpen(Tx tx, String platformId, String userId) {
        return tx.query(
                        "select count(*) as open from piece_request"
                                + " where platform_id = $1 and user_id = $2 and status = 'PENDING'",
                        platformId,
                        userId)
                .map(rows -> Rows.first(rows, row -> Rows.whole(row, "open")).orElseThrow());
    }

    Future<Page<PieceRequest>> page(
            Tx tx, String platformId, Optional<String> userId, Optional<PieceRequest.Status> status, PageRequest page) {
        return tx.page(
                PAGE,
                Paging.newestFirst().on("created", "id"),
                page,
                REQUESTS,
                request -> new PageKey(request.created(), request.id()),
                platformId,
                userId,
                status);
    }

    Future<Optional<PieceRequest>> find(Tx tx, String platformId, String id) {
        return tx.query("select " + COLUMNS + " from piece_request where platform_id = $1 and id = $2", platformId, id)
                .map(REQUESTS::first);
    }

    /** Empty when the request is no longer open. */
    Future<Optional<PieceRequest>> decide(Tx tx, PieceRequests.Decide decide, Instant now) {
        return tx.query(
                        "update piece_request set status = $3, decided_by = $4, note = $5, updated = $6"
                                + " where platform_id = $1 and id = $2 and status = 'PENDING' returning " + COLUMNS,
                        decide.by().platform(),
                        decide.id(),
                        decide.decision(),
                        decide.by().actingUser(),
                        decide.note(),
                        now)
                .map(REQUESTS::first);
    }

    Future<Boolean> delete(Tx tx, String platformId, String userId, String id) {
        return tx.query(
                        "delete from piece_request where platform_id = $1 and user_id = $2 and id = $3"
                                + " and status = 'PENDING' returning id",
                        platformId,
                        userId,
                        id)
                .map(rows -> rows.size() > 0);
    }
}
