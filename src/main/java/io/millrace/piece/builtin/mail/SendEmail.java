package io.millrace.piece.builtin.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.account.mail.Mail;
import io.millrace.account.mail.MailFailure;
import io.millrace.account.mail.Mailbox;
import io.millrace.account.mail.SmtpClient;
import io.millrace.account.mail.SmtpServer;
import io.millrace.base.core.Json;
import io.millrace.piece.Action;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.StepContext;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/**
 * Sends one mail (contract pieces 14.4), in up to three attempts when the connection fails. All attempts, including
 * those of a step repeated after a crash, have the same Message-ID, so that receivers can detect duplicates.
 */
final class SendEmail implements Action {
    static final String NAME = "send-email";

    private static final int TRIES_MAX = 3;
    private static final long FIRST_WAIT_MS = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String MESSAGE_ID = "Message-ID";

    private static final ActionSpec SPEC =
            new ActionSpec(NAME, "Send Email", "Sends a mail.", MailInput.PROPS, true, false, false);

    private final SmtpClient client;

    SendEmail(SmtpClient client) {
        this.client = client;
    }

    @Override
    public ActionSpec spec() {
        return SPEC;
    }

    @Override
    public Future<JsonNode> run(StepContext context) {
        try {
            var account = context.auth().orElse(NullNode.instance);
            var server = SmtpAccount.server(account.path("props"));
            var mail = MailInput.read(context.props());
            var named = mail.headers().keySet().stream().anyMatch(MESSAGE_ID::equalsIgnoreCase)
                    ? mail
                    : mail.withHeader(MESSAGE_ID, messageId(context, mail.from()));
            return attempt(context, server, named, 1);
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    private static String messageId(StepContext context, Mailbox from) {
        var id = UUID.nameUUIDFromBytes(context.idempotencyKey().getBytes(StandardCharsets.UTF_8));
        return "<" + id + from.address().substring(from.address().indexOf('@')) + ">";
    }

    private Future<JsonNode> attempt(StepContext context, SmtpServer server, Mail mail, int tries) {
        var timeout = Duration.ofMillis(Math.clamp(context.remainingMs(), 1, TIMEOUT.toMillis()));
        return client.send(server, mail, timeout, context.fence())
                .<JsonNode>map(id -> sent(mail, id))
                .recover(failure -> isBrokenOff(failure) && tries < TRIES_MAX
                        ? context.sleep(FIRST_WAIT_MS << (tries - 1))
                                .compose(_ -> attempt(context, server, mail, tries + 1))
                        : Future.failedFuture(refused(failure)));
    }

    private static boolean isBrokenOff(Throwable failure) {
        return failure instanceof MailFailure broken && broken.kind() == MailFailure.Kind.UNREACHABLE;
    }

    private static Throwable refused(Throwable failure) {
        return failure instanceof MailFailure known
                ? PieceFailure.of(known.getMessage(), Json.object().put("errorName", errorName(known.kind())))
                : failure;
    }

    /** Error names of the published piece. */
    private static String errorName(MailFailure.Kind kind) {
        return switch (kind) {
            case LOGIN_REFUSED -> "EAUTH";
            case UNREACHABLE -> "ECONNECTION";
            case BLOCKED_ADDRESS -> "SSRFBlockedError";
            case REFUSED, REFUSED_FOR_NOW -> "EMESSAGE";
        };
    }

    private static ObjectNode sent(Mail mail, String id) {
        var info = Json.object();
        var accepted = info.putArray("accepted");
        info.putArray("rejected");
        var envelope = info.putObject("envelope").put("from", mail.from().address());
        var to = envelope.putArray("to");
        mail.recipients().all().forEach(mailbox -> {
            accepted.add(mailbox.address());
            to.add(mailbox.address());
        });
        return info.put("messageId", id);
    }
}
