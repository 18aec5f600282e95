package io.millrace.account.mail;

import io.millrace.account.mail.MailFailure.Kind;
import io.millrace.base.net.HostGuard;
import io.millrace.base.net.OutboundFailure;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.ext.mail.LoginOption;
import io.vertx.ext.mail.MailClient;
import io.vertx.ext.mail.MailConfig;
import io.vertx.ext.mail.SMTPException;
import io.vertx.ext.mail.StartTLSOptions;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Hands messages to mail servers, one connection for each.
 *
 * <p>Promises: the server's address passed the guard and is the one connected to; sending ends within its time, whatever
 * the server does; a message that is refused for one recipient is refused whole. A failure is a {@link MailFailure}.
 */
public final class SmtpClient {
    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final int AUTHENTICATION_FAILED = 535;
    private static final int REPLY_LENGTH_MAX = 300;

    private final Vertx vertx;
    private final HostGuard hosts;

    public SmtpClient(Vertx vertx, HostGuard hosts) {
        this.vertx = vertx;
        this.hosts = hosts;
    }

    /**
     * Sends a message.
     *
     * @param timeout of the whole, from the name's resolution to the server's last word
     * @return the message's id
     */
    public Future<String> send(SmtpServer server, Mail mail, Duration timeout) {
        return hosts.find(server.host())
                .compose(addresses -> send(server, addresses.getFirst(), mail, timeout))
                .recover(cause -> Future.failedFuture(failure(server, cause)));
    }

    /** Whether the server has an address that may be connected to; says nothing to it. */
    public Future<Void> look(SmtpServer server) {
        return hosts.find(server.host()).<Void>mapEmpty().recover(cause -> Future.failedFuture(failure(server, cause)));
    }

    private Future<String> send(SmtpServer server, InetAddress address, Mail mail, Duration timeout) {
        var pinned = new PinnedVertx(vertx, address);
        var client =
                MailClient.builder(pinned.view()).with(config(server, timeout)).build();
        var sent = Promise.<String>promise();
        var timer = vertx.setTimer(
                timeout.toMillis(),
                _ -> sent.tryFail(new MailFailure(
                        Kind.UNREACHABLE,
                        "no answer of " + server.host() + " within " + timeout.toSeconds() + " seconds")));
        client.sendMail(MailEncoding.of(mail)).onComplete((result, failure) -> {
            if (failure == null) {
                sent.tryComplete(String.valueOf(result.getMessageID()));
            } else {
                sent.tryFail(failure);
            }
        });
        return sent.future().eventually(() -> {
            vertx.cancelTimer(timer);
            pinned.close();
            client.close();
            return Future.succeededFuture();
        });
    }

    private static MailConfig config(SmtpServer server, Duration timeout) {
        var config = new MailConfig(server.host(), server.port())
                .setStarttls(startTls(server.encryption()))
                .setSsl(server.encryption() == SmtpServer.Encryption.FROM_THE_START)
                .setTrustAll(!server.checksCertificate())
                .setLogin(server.login().isPresent() ? LoginOption.REQUIRED : LoginOption.DISABLED)
                .setOwnHostname("millrace")
                .setUserAgent("millrace")
                .setMaxPoolSize(1)
                .setKeepAlive(false)
                .setConnectTimeout(CONNECT_TIMEOUT_MS);
        config.setIdleTimeout(Math.toIntExact(Math.max(1, timeout.toSeconds())));
        server.login().ifPresent(login -> config.setUsername(login.username()).setPassword(login.password()));
        return config;
    }

    private static StartTLSOptions startTls(SmtpServer.Encryption encryption) {
        return switch (encryption) {
            case NEVER, FROM_THE_START -> StartTLSOptions.DISABLED;
            case IF_OFFERED -> StartTLSOptions.OPTIONAL;
            case UPGRADED -> StartTLSOptions.REQUIRED;
        };
    }

    private static MailFailure failure(SmtpServer server, Throwable cause) {
        var place = server.host() + ":" + server.port();
        return switch (cause) {
            case MailFailure known -> known;
            case OutboundFailure blocked ->
                new MailFailure(
                        blocked.kind() == OutboundFailure.Kind.BLOCKED_ADDRESS
                                ? Kind.BLOCKED_ADDRESS
                                : Kind.UNREACHABLE,
                        blocked.getMessage());
            case SMTPException refused -> new MailFailure(kindOf(refused), place + " answered " + reply(refused));
            default ->
                new MailFailure(Kind.UNREACHABLE, place + ": " + HeaderText.shown(String.valueOf(cause.getMessage())));
        };
    }

    private static Kind kindOf(SMTPException refused) {
        if (refused.getReplyCode() == AUTHENTICATION_FAILED) {
            return Kind.LOGIN_REFUSED;
        }
        return refused.isPermanent() ? Kind.REFUSED : Kind.REFUSED_FOR_NOW;
    }

    private static String reply(SMTPException refused) {
        var text = refused.getReplyMessage().replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
        return text.length() <= REPLY_LENGTH_MAX ? text : text.substring(0, REPLY_LENGTH_MAX) + "…";
    }
}
