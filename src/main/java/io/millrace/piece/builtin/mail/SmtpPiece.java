package io.millrace.piece.builtin.mail;

import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.mail.MailFailure;
import io.millrace.account.mail.SmtpClient;
import io.millrace.piece.Action;
import io.millrace.piece.Piece;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceSpec;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** SMTP: sends mail through a server of the author's choice (contract pieces 14.4). */
public final class SmtpPiece implements Piece {
    private static final Map<String, Property> CREDENTIALS = Props.of(
            Props.named("host", Props.shortText("Host", true)),
            Props.named("email", Props.shortText("Email", true)),
            Props.named("password", Property.of(PropertyType.SECRET_TEXT, "Password", true)),
            Props.named("port", Props.shortText("Port", true)),
            Props.named("TLS", Props.checkbox("Use TLS", true).defaultingTo(BooleanNode.FALSE)));

    private static final PieceSpec SPEC = new PieceSpec(
            "@activepieces/piece-smtp",
            "SMTP",
            "Sends mail.",
            "https://cdn.activepieces.com/pieces/new-core/smtp.svg",
            List.of("millrace"),
            List.of(PieceCategory.CORE.name()),
            List.of("0.4.0", "0.3.11"),
            PropertyDefinitions.customAuth(CREDENTIALS));

    private final SmtpClient client;
    private final Map<String, Action> actions;

    public SmtpPiece(SmtpClient client) {
        this.client = client;
        this.actions = Map.of(SendEmail.NAME, new SendEmail(client));
    }

    @Override
    public PieceSpec spec() {
        return SPEC;
    }

    @Override
    public Map<String, Action> actions() {
        return actions;
    }

    /** Checks the connection to the server only; the login is checked when a mail is sent. */
    @Override
    public Future<Optional<String>> validate(ObjectNode value) {
        try {
            return client.look(SmtpAccount.server(value.path("props")))
                    .map(Optional.<String>empty())
                    .recover(failure -> failure instanceof MailFailure refused
                            ? Future.succeededFuture(Optional.of(refused.getMessage()))
                            : Future.failedFuture(failure));
        } catch (PieceFailure refused) {
            return Future.succeededFuture(Optional.of(refused.getMessage()));
        }
    }
}
