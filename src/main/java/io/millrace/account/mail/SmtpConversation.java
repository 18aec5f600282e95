package io.millrace.account.mail;

import io.millrace.base.net.Fence;
import io.millrace.base.net.HostGuard;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Instant;
import java.util.Date;
import java.util.Properties;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * One connection to a mail server, for one message (RFC 5321). It blocks, so it needs a thread for itself.
 *
 * <p>Guarantees: connects to the given address without a name lookup; verifies certificates against the server's name;
 * {@link #close} ends any wait, from any thread.
 */
final class SmtpConversation implements AutoCloseable {
    private static final int CONNECT_TIMEOUT_MS = 10_000;
    private static final String OWN_NAME = "millrace";

    /** By name: the check is that of RFC 2830, whose rules for certificates are SMTP's too (RFC 3207). */
    private static final String IDENTIFICATION = "LDAPS";

    private final SmtpServer server;
    private final InetAddress address;
    private final Supplier<SSLSocketFactory> tls;
    private final Fence fence;
    private final BoundedSocket socket = new BoundedSocket();
    private SMTPTransport transport;

    /**
     * @param address of the server, which {@link HostGuard} let pass
     * @param tls socket factory with the trusted certificates
     * @param fence permission to send, checked before the envelope and before the content
     */
    SmtpConversation(SmtpServer server, InetAddress address, Supplier<SSLSocketFactory> tls, Fence fence) {
        this.server = server;
        this.address = address;
        this.tls = tls;
        this.fence = fence;
    }

    /** Sends the message; returns its id. */
    String send(Mail mail, Instant now) throws MessagingException, IOException {
        var session = Session.getInstance(properties(mail));
        var message = MailEncoding.of(session, mail, Date.from(now));
        transport = new Transport(session);
        var peer = connected();
        requireFence();
        transport.connect(peer);
        requireFence();
        var recipients = mail.recipients().all().map(Mailbox::address).map(SmtpConversation::recipient);
        transport.sendMessage(message, recipients.toArray(InternetAddress[]::new));
        transport.close();
        return message.getMessageID();
    }

    private void requireFence() throws IOException {
        if (!fence.isHeld()) {
            throw new IOException("the message was not sent: this server lost its claim before sending");
        }
    }

    /** Not parsed: a {@link Mailbox} holds only an address. */
    private static InternetAddress recipient(String text) {
        var recipient = new InternetAddress();
        recipient.setAddress(text);
        return recipient;
    }

    /** Last reply of the server; 0 and null before the first. */
    record Reply(int code, String text) {}

    Reply lastReply() {
        return transport == null
                ? new Reply(0, null)
                : new Reply(transport.getLastReturnCode(), transport.getLastServerResponse());
    }

    /** The library asks the socket for the name of its peer, so the address carries the configured name. */
    private Socket connected() throws IOException {
        var named = InetAddress.getByAddress(server.host(), address.getAddress());
        socket.connect(new InetSocketAddress(named, server.port()), CONNECT_TIMEOUT_MS);
        return server.encryption() == SmtpServer.Encryption.FROM_THE_START ? encrypted() : socket;
    }

    private Socket encrypted() throws IOException {
        var encrypted = (SSLSocket) tls.get().createSocket(socket, server.host(), server.port(), true);
        if (server.checksCertificate()) {
            var parameters = encrypted.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm(IDENTIFICATION);
            encrypted.setSSLParameters(parameters);
        }
        encrypted.startHandshake();
        return encrypted;
    }

    private Properties properties(Mail mail) {
        var properties = new Properties();
        properties.setProperty("mail.smtp.from", mail.from().address());
        properties.setProperty("mail.smtp.localhost", OWN_NAME);
        properties.setProperty("mail.smtp.sendpartial", "false");
        properties.setProperty("mail.smtp.quitwait", "false");
        properties.setProperty(
                "mail.smtp.starttls.enable",
                String.valueOf(server.encryption() != SmtpServer.Encryption.NEVER
                        && server.encryption() != SmtpServer.Encryption.FROM_THE_START));
        properties.setProperty(
                "mail.smtp.starttls.required", String.valueOf(server.encryption() == SmtpServer.Encryption.UPGRADED));
        properties.setProperty("mail.smtp.ssl.checkserveridentity", String.valueOf(server.checksCertificate()));
        if (server.encryption() != SmtpServer.Encryption.NEVER) {
            properties.put("mail.smtp.ssl.socketFactory", tls.get());
        }
        properties.setProperty("mail.smtp.auth", String.valueOf(server.login().isPresent()));
        // Prefers a mechanism that does not transmit the password; the other two are the fallback.
        properties.setProperty("mail.smtp.sasl.enable", "true");
        properties.setProperty("mail.smtp.sasl.mechanisms", "DIGEST-MD5 CRAM-MD5");
        properties.setProperty("mail.smtp.auth.mechanisms", "PLAIN LOGIN");
        return properties;
    }

    @Override
    public void close() {
        socket.close();
    }

    /** Uses the server's own login: the library would look for one in the session, by name. */
    private final class Transport extends SMTPTransport {
        private Transport(Session session) {
            super(session, null);
        }

        @Override
        protected OutputStream data() throws MessagingException {
            try {
                requireFence();
            } catch (IOException lost) {
                throw new MessagingException(lost.getMessage(), lost);
            }
            return super.data();
        }

        @Override
        protected synchronized boolean protocolConnect(String host, int port, String user, String password)
                throws MessagingException {
            var login = server.login();
            var isIn = super.protocolConnect(
                    server.host(),
                    server.port(),
                    login.map(SmtpServer.Login::username).orElse(null),
                    login.map(SmtpServer.Login::password).orElse(null));
            if (isIn && login.isPresent() && !supportsExtension("AUTH") && !supportsExtension("AUTH=LOGIN")) {
                throw new MessagingException("the mail server offers no supported login (AUTH PLAIN or LOGIN)");
            }
            return isIn;
        }
    }
}
