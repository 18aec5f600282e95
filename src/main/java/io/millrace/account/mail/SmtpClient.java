package io.millrace.account.mail;

import io.millrace.account.mail.MailFailure.Kind;
import io.millrace.base.core.CutText;
import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import io.millrace.base.net.OutboundFailure;
import io.millrace.base.tls.ServerTrust;
import io.millrace.base.tls.TlsContext;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import jakarta.mail.AuthenticationFailedException;
import jakarta.mail.MessagingException;
import java.io.IOException;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;

/**
 * Sends messages to mail servers, one connection for each.
 *
 * <p>Guarantees: the server's address passed the guard and is the one connected to; sending ends within its deadline, even if
 * the server hangs; a message that is refused for one recipient is refused whole. A failure is a {@link MailFailure}. Each
 * connection blocks a separate virtual thread.
 */
public final class SmtpClient {
    private static final int AUTHENTICATION_FAILED = 535;
    private static final int FAILURES = 400;
    private static final int PERMANENT = 500;
    private static final int REPLY_LENGTH_MAX = 300;

    private final Vertx vertx;
    private final HostGuard hosts;
    private final InstantSource clock;
    private final Supplier<SSLSocketFactory> tls;

    public SmtpClient(Vertx vertx, HostGuard hosts, InstantSource clock) {
        this(vertx, hosts, clock, () -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    }

    public static SmtpClient trusting(
            List<X509Certificate> authorities, Vertx vertx, HostGuard hosts, InstantSource clock) {
        var tls = TlsContext.of(ServerTrust.of(authorities), Optional.empty()).getSocketFactory();
        return new SmtpClient(vertx, hosts, clock, () -> tls);
    }

    /**
     * @param tls socket factory with the trusted certificates; loaded for the first message, because the JDK's trust store is
     *     large
     */
    SmtpClient(Vertx vertx, HostGuard hosts, InstantSource clock, Supplier<SSLSocketFactory> tls) {
        this.vertx = vertx;
        this.hosts = hosts;
        this.clock = clock;
        this.tls = tls;
    }

    /**
     * Sends a message.
     *
     * @param timeout of the whole, from the name's resolution to the server's last word
     * @param fence permission to send, checked before the envelope and before the content
     * @return the message's id
     */
    public Future<String> send(SmtpServer server, Mail mail, Duration timeout, Fence fence) {
        return hosts.find(server.host())
                .compose(addresses -> send(server, addresses.getFirst(), mail, timeout, fence))
                .recover(cause -> Future.failedFuture(failure(server, cause)));
    }

    /** Checks that the server has a permitted address, without a connection. */
    public Future<Void> look(SmtpServer server) {
        return hosts.find(server.host()).<Void>mapEmpty().recover(cause -> Future.failedFuture(failure(server, cause)));
    }

    private Future<String> send(SmtpServer server, InetAddress address, Mail mail, Duration timeout, Fence fence) {
        var conversation =
                new SmtpConversation(server, address, server.checksCertificate() ? tls : SmtpClient::trusting, fence);
        var sent = Promise.<String>promise();
        var timer = vertx.setTimer(
                timeout.toMillis(),
                _ -> sent.tryFail(new MailFailure(
                        Kind.UNREACHABLE,
                        "no reply from " + server.host() + " within " + timeout.toSeconds() + " seconds")));
        var context = vertx.getOrCreateContext();
        Thread.ofVirtual().name("smtp").start(() -> {
            var result = converse(server, conversation, mail);
            context.runOnContext(_ -> result.onSuccess(sent::tryComplete).onFailure(sent::tryFail));
        });
        return sent.future().eventually(() -> {
            vertx.cancelTimer(timer);
            conversation.close();
            return Future.succeededFuture();
        });
    }

    /** An already completed future; blocks until then. */
    private Future<String> converse(SmtpServer server, SmtpConversation conversation, Mail mail) {
        try {
            return Future.succeededFuture(conversation.send(mail, clock.instant()));
        } catch (MessagingException | IOException | RuntimeException failure) {
            return Future.failedFuture(failure(server, conversation.lastReply(), failure));
        }
    }

    /** Trusts any server certificate. */
    private static SSLSocketFactory trusting() {
        return TlsContext.of(ServerTrust.ofAny(), Optional.empty()).getSocketFactory();
    }

    private static MailFailure failure(SmtpServer server, SmtpConversation.Reply last, Exception cause) {
        var refused = refusal(last, cause);
        if (refused.code() < FAILURES || isBrokenOff(cause)) {
            return failure(server, cause);
        }
        return new MailFailure(kindOf(refused.code()), place(server) + " answered " + shown(refused.text()));
    }

    /** The library reports a refused recipient in a cause, after it has reset the session; that reply is the reason. */
    private static SmtpConversation.Reply refusal(SmtpConversation.Reply last, Exception cause) {
        for (var each = cause; each instanceof MessagingException failure; each = failure.getNextException()) {
            if (each instanceof SMTPAddressFailedException recipient && recipient.getReturnCode() >= FAILURES) {
                return new SmtpConversation.Reply(recipient.getReturnCode(), recipient.getMessage());
            }
        }
        return last;
    }

    private static boolean isBrokenOff(Exception cause) {
        return cause instanceof IOException
                || cause instanceof MessagingException failure && failure.getNextException() instanceof IOException;
    }

    private static MailFailure failure(SmtpServer server, Throwable cause) {
        return switch (cause) {
            case MailFailure known -> known;
            case OutboundFailure blocked ->
                new MailFailure(
                        blocked.kind() == OutboundFailure.Kind.BLOCKED_ADDRESS
                                ? Kind.BLOCKED_ADDRESS
                                : Kind.UNREACHABLE,
                        blocked.getMessage());
            case AuthenticationFailedException refused ->
                new MailFailure(Kind.LOGIN_REFUSED, place(server) + ": " + shown(refused.getMessage()));
            default -> new MailFailure(Kind.UNREACHABLE, place(server) + ": " + shown(reason(cause)));
        };
    }

    private static String reason(Throwable cause) {
        return cause instanceof MessagingException failure && failure.getNextException() instanceof IOException behind
                ? String.valueOf(behind.getMessage())
                : String.valueOf(cause.getMessage());
    }

    private static String place(SmtpServer server) {
        return server.host() + ":" + server.port();
    }

    private static Kind kindOf(int code) {
        if (code == AUTHENTICATION_FAILED) {
            return Kind.LOGIN_REFUSED;
        }
        return code >= PERMANENT ? Kind.REFUSED : Kind.REFUSED_FOR_NOW;
    }

    private static String shown(String reply) {
        var text = reply.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return CutText.marked(text, REPLY_LENGTH_MAX, "…");
    }
}
