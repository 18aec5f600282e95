package io.millrace.piece.builtin.webhook;

import io.millrace.piece.Piece;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.catalogue.PieceCategory;
import java.time.InstantSource;
import java.util.List;

/** Webhook: starts a flow with an HTTP request, and sends the response (contract pieces 14.1). */
public final class WebhookPiece {
    private WebhookPiece() {}

    public static Piece create(InstantSource clock) {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "webhook",
                        "Webhook",
                        "Start a flow with an HTTP request and answer the caller.",
                        "new-core/webhooks.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.1.29", "0.1.25")),
                List.of(new ReturnResponse(), new AnswerAndWait(clock)),
                List.of(new CatchWebhook()));
    }
}
