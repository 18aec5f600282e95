package io.millrace.piece.request;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.Optional;

/** Messages about requests for pieces. Handled by {@link PieceRequestService}. */
public sealed interface PieceRequests {
    /**
     * Requests a piece; an open request for the same piece is returned unchanged. Fails with VALIDATION when the
     * platform has the piece, or when the user has too many requests.
     */
    record Create(Principal by, String pieceName, String pieceVersion, String reason)
            implements PieceRequests, BusRequest<PieceRequest> {}

    /** Newest first: all of the platform for administrators, their own for others. */
    record ListOf(Principal by, Optional<PieceRequest.Status> status, PageRequest page)
            implements PieceRequests, BusRequest<Page<PieceRequest>> {}

    /**
     * Decides about an open request of the platform; an approved piece is installed first. Fails as
     * {@link io.millrace.piece.catalogue.Pieces.Install} does, with ENTITY_NOT_FOUND, and with VALIDATION when it is
     * already decided.
     */
    record Decide(Principal by, String id, PieceRequest.Decision decision, Optional<String> note)
            implements PieceRequests, BusRequest<PieceRequest> {}

    /** Withdraws the user's own open request; fails with ENTITY_NOT_FOUND. */
    record Withdraw(Principal by, String id) implements PieceRequests, BusRequest<Nothing> {}
}
