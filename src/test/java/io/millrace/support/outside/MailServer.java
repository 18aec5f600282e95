package io.millrace.support.outside;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.millrace.support.Waiting;
import jakarta.mail.BodyPart;
import jakarta.mail.MessagingException;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Mail server on 127.0.0.1 that keeps the messages it accepts. Its certificate is self-signed. */
public final class MailServer implements AutoCloseable {
    /** Credentials of the only account that may send. */
    public static final String USER = "flows@acme.example";

    public static final String PASSWORD = "post haste";

    private static final Pattern LINK = Pattern.compile("https?://[^\\s\"<]+");
    private static final Pattern CODE = Pattern.compile("(?m)^\\d{6}$");

    private final GreenMail greenMail;

    private MailServer(String protocol) {
        greenMail = new GreenMail(new ServerSetup(0, "127.0.0.1", protocol));
        greenMail.setUser(USER, USER, PASSWORD);
        greenMail.start();
    }

    /** A server without encryption. */
    public static MailServer start() {
        return new MailServer(ServerSetup.PROTOCOL_SMTP);
    }

    /** A server with TLS from the first byte. */
    public static MailServer startEncrypted() {
        return new MailServer(ServerSetup.PROTOCOL_SMTPS);
    }

    public int port() {
        return Stream.of(greenMail.getSmtp(), greenMail.getSmtps())
                .filter(server -> server != null)
                .findFirst()
                .orElseThrow()
                .getPort();
    }

    /** Settings of a Millrace that sends through it. */
    public Map<String, String> settings() {
        return Map.of(
                "AP_SMTP_HOST",
                "127.0.0.1",
                "AP_SMTP_PORT",
                Integer.toString(port()),
                "AP_SMTP_USERNAME",
                USER,
                "AP_SMTP_PASSWORD",
                PASSWORD,
                "AP_SMTP_SENDER_NAME",
                "Acme Flows");
    }

    /** An accepted message. */
    public record Taken(MimeMessage message) {
        public String header(String name) {
            try {
                return message.getHeader(name, null);
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }

        public String subject() {
            try {
                return message.getSubject();
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            }
        }

        public String to() {
            return header("To");
        }

        /** The text of the first part of a type. */
        public String part(String type) {
            return find(message, type);
        }

        public String text() {
            return part("text/plain").replace("\r\n", "\n");
        }

        /** The one link of the plain text. */
        public String link() {
            var match = LINK.matcher(text());
            if (!match.find()) {
                throw new AssertionError("expected a link in " + text());
            }
            return match.group();
        }

        /** The six-digit code on a separate line. */
        public String code() {
            var match = CODE.matcher(text());
            if (!match.find()) {
                throw new AssertionError("expected a code in " + text());
            }
            return match.group();
        }

        public String raw() {
            return GreenMailUtil.getWholeMessage(message);
        }

        private static String find(Part part, String type) {
            try {
                if (part.isMimeType(type)) {
                    return String.valueOf(part.getContent());
                }
                if (part.getContent() instanceof Multipart parts) {
                    for (var index = 0; index < parts.getCount(); index++) {
                        BodyPart inner = parts.getBodyPart(index);
                        var found = find(inner, type);
                        if (found != null) {
                            return found;
                        }
                    }
                }
                return null;
            } catch (MessagingException broken) {
                throw new AssertionError(broken);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    /** Every accepted message so far, once for each recipient. */
    public List<Taken> taken() {
        return Stream.of(greenMail.getReceivedMessages()).map(Taken::new).toList();
    }

    /** Waits for this number of messages to an address, and returns them. */
    public List<Taken> awaitFor(String address, int count) {
        Waiting.until(count + " letters for " + address, () -> takenFor(address).size() >= count);
        return takenFor(address);
    }

    /** Waits for the nth message to an address, and returns it. */
    public Taken awaitNth(String address, int count) {
        return awaitFor(address, count).get(count - 1);
    }

    public List<Taken> takenFor(String address) {
        return taken().stream().filter(mail -> mail.to().contains(address)).toList();
    }

    @Override
    public void close() {
        greenMail.stop();
    }
}
