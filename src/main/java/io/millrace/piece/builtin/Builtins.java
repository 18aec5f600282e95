package io.millrace.piece.builtin;

import io.millrace.piece.Piece;
import io.millrace.piece.builtin.data.CryptoPiece;
import io.millrace.piece.builtin.data.CsvPiece;
import io.millrace.piece.builtin.data.DataMapperPiece;
import io.millrace.piece.builtin.data.FileHelperPiece;
import io.millrace.piece.builtin.data.JsonPiece;
import io.millrace.piece.builtin.data.MathHelperPiece;
import io.millrace.piece.builtin.data.XmlPiece;
import io.millrace.piece.builtin.date.DateHelperPiece;
import io.millrace.piece.builtin.schedule.DelayPiece;
import io.millrace.piece.builtin.schedule.ManualTriggerPiece;
import io.millrace.piece.builtin.schedule.SchedulePiece;
import io.millrace.piece.builtin.store.ConnectionsPiece;
import io.millrace.piece.builtin.store.QueuePiece;
import io.millrace.piece.builtin.store.StorePiece;
import io.millrace.piece.builtin.store.TagsPiece;
import io.millrace.piece.builtin.text.TextHelperPiece;
import io.millrace.piece.builtin.webhook.ApprovalPiece;
import io.millrace.piece.builtin.webhook.FormsPiece;
import io.millrace.piece.builtin.webhook.McpPiece;
import io.millrace.piece.builtin.webhook.WebhookPiece;
import java.time.InstantSource;
import java.util.List;
import java.util.random.RandomGenerator;

/** Built-in pieces without dependencies on other modules (contract pieces 14). */
public final class Builtins {
    private Builtins() {}

    /** All of them, in the order lists show them. */
    public static List<Piece> all(InstantSource clock, RandomGenerator random) {
        return List.of(
                WebhookPiece.create(clock),
                SchedulePiece.create(),
                ManualTriggerPiece.create(),
                DelayPiece.create(clock),
                ApprovalPiece.create(clock),
                McpPiece.create(),
                StorePiece.create(),
                DataMapperPiece.create(),
                TagsPiece.create(),
                ConnectionsPiece.create(),
                FormsPiece.create(),
                TextHelperPiece.create(),
                MathHelperPiece.create(random),
                DateHelperPiece.create(clock),
                CryptoPiece.create(),
                CsvPiece.create(),
                JsonPiece.create(),
                XmlPiece.create(),
                FileHelperPiece.create(),
                QueuePiece.create());
    }
}
