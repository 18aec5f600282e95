package io.millrace.account.mail;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.config.SmtpSettings;
import io.millrace.base.core.Json;
import io.millrace.base.net.Fence;
import io.millrace.base.persistence.PollingVerticle;
import io.millrace.base.secret.SecretBox;
import io.millrace.base.secret.UnreadableSecretException;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers queued mails of all nodes to the mail server. A temporary failure is retried with backoff until the mail expires;
 * a permanent refusal ends the attempts. Should the process end between the server's last reply and the removal of the row,
 * the mail is sent again with the same message id, by which mail programs detect the duplicate.
 */
public final class MailDeliveryWorker extends PollingVerticle {
    private static final Logger LOG = LoggerFactory.getLogger(MailDeliveryWorker.class);

    private static final long ROUND_MS = 1_000;
    private static final long ASK_DEADLINE_MS = 30_000;
    private static final int AT_ONCE_MAX = 8;
    private static final int ROUNDS_UNTIL_FORGETTING = 600;
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration CLAIM = Duration.ofMinutes(3);
    private static final Duration FIRST_WAIT = Duration.ofSeconds(15);
    private static final int DOUBLINGS_MAX = 8;

    private final SmtpSettings settings;
    private final SmtpServer server;
    private final Bus bus;
    private final SmtpClient client;
    private final SecretBox box;
    private final InstantSource clock;

    /** @param client may connect to any address, because the operator's mail server may be in a private network */
    public MailDeliveryWorker(SmtpSettings settings, Bus bus, SmtpClient client, SecretBox box, InstantSource clock) {
        super("cannot send mail", ROUND_MS, ROUNDS_UNTIL_FORGETTING);
        this.settings = settings;
        this.server = new SmtpServer(
                settings.host(),
                settings.port(),
                settings.port() == SmtpServer.TLS_PORT
                        ? SmtpServer.Encryption.FROM_THE_START
                        : SmtpServer.Encryption.IF_OFFERED,
                settings.username().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new SmtpServer.Login(settings.username(), settings.password())),
                settings.rejectsUnauthorized());
        this.bus = bus;
        this.client = client;
        this.box = box;
        this.clock = clock;
    }

    @Override
    protected Future<Boolean> round() {
        // Started before the database call, so that the fence expires before the claim.
        var fence = Fence.lasting(CLAIM, System::nanoTime);
        return ask(new MailQueue.Claim(CLAIM, AT_ONCE_MAX))
                .compose(letters -> handOver(letters, fence))
                .map(count -> count == AT_ONCE_MAX);
    }

    @Override
    protected Future<Void> tidy() {
        return ask(new MailQueue.Forget()).map(count -> {
            if (count > 0) {
                LOG.warn("{} mails were dropped after the last attempt: the mail server accepted none of them", count);
            }
            return null;
        });
    }

    private Future<Integer> handOver(List<MailStore.QueuedMail> letters, Fence fence) {
        return Future.join(
                        letters.stream().map(letter -> handOver(letter, fence)).toList())
                .map(letters.size());
    }

    private Future<Void> handOver(MailStore.QueuedMail letter, Fence fence) {
        Mail mail;
        try {
            mail = mailOf(letter);
        } catch (UnreadableSecretException | IllegalArgumentException unsendable) {
            return givenUp(letter, unsendable.getMessage());
        }
        return client.send(server, mail, SEND_TIMEOUT, fence)
                .transform(sent -> sent.succeeded()
                        ? recorded(CLAIM, () -> ask(new MailQueue.Sent(letter.id())))
                                .<Void>mapEmpty()
                        : failed(letter, sent.cause()));
    }

    private Mail mailOf(MailStore.QueuedMail letter) {
        var content = content(letter);
        var domain = settings.senderEmail().substring(settings.senderEmail().indexOf('@') + 1);
        var sender = settings.senderName().orElse(content.path("sender").asText());
        return Mail.of(
                        new Mailbox(settings.senderEmail(), Optional.of(sender)),
                        Mailbox.of(content.path("to").asText()),
                        content.path("subject").asText(),
                        content.path("text").asText(),
                        content.path("html").asText())
                .withHeader("Message-ID", "<" + letter.id() + "@" + domain + ">")
                .withHeader("Auto-Submitted", "auto-generated");
    }

    private JsonNode content(MailStore.QueuedMail letter) {
        var plain = box.open(letter.sealedContent().getBytes(), MailOutbox.place(letter.id()));
        return Json.trusted(new String(plain, StandardCharsets.UTF_8));
    }

    private Future<Void> failed(MailStore.QueuedMail letter, Throwable cause) {
        if (cause instanceof MailFailure failure && failure.kind() == MailFailure.Kind.REFUSED) {
            return givenUp(letter, cause.getMessage());
        }
        var wait = FIRST_WAIT.multipliedBy(1L << Math.min(letter.attempts() - 1, DOUBLINGS_MAX));
        LOG.warn("mail {} was not accepted, attempt {}: {}", letter.id(), letter.attempts(), cause.getMessage());
        return postponed(letter, Optional.of(wait), String.valueOf(cause.getMessage()));
    }

    private Future<Void> givenUp(MailStore.QueuedMail letter, String reason) {
        LOG.warn("mail {} cannot be sent: {}", letter.id(), reason);
        return postponed(letter, Optional.empty(), String.valueOf(reason));
    }

    private Future<Void> postponed(MailStore.QueuedMail letter, Optional<Duration> wait, String reason) {
        var again = wait.map(clock.instant()::plus);
        return ask(new MailQueue.Postpone(letter.id(), again, reason)).mapEmpty();
    }

    private <R> Future<R> ask(BusRequest<R> request) {
        return bus.ask(request, ASK_DEADLINE_MS);
    }
}
