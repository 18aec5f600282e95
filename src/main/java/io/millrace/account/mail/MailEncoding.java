package io.millrace.account.mail;

import io.millrace.base.core.Ids;
import jakarta.activation.DataHandler;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import jakarta.mail.util.ByteArrayDataSource;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.stream.Collectors;

/** Converts a message for the mail library, which builds the MIME parts; headers are written here. */
final class MailEncoding {
    private static final int ID_LENGTH = 32;

    private MailEncoding() {}

    static MimeMessage of(Session session, Mail mail, Date sent) throws MessagingException {
        var message = new Message(session, mail.from().address());
        message.setHeader("From", mail.from().header());
        message.setHeader("Subject", HeaderText.unstructured(mail.subject()));
        message.setSentDate(sent);
        if (!mail.recipients().to().isEmpty()) {
            message.setHeader("To", list(mail.recipients().to()));
        }
        if (!mail.recipients().cc().isEmpty()) {
            message.setHeader("Cc", list(mail.recipients().cc()));
        }
        if (mail.replyTo().isPresent()) {
            message.setHeader("Reply-To", mail.replyTo().get().header());
        }
        for (var header : mail.headers().entrySet()) {
            message.setHeader(header.getKey(), HeaderText.unstructured(header.getValue()));
        }
        message.setContent(content(mail));
        message.saveChanges();
        return message;
    }

    /** Sets the id, because the library would reveal the names of this machine and of its user. */
    private static final class Message extends MimeMessage {
        private final String from;

        private Message(Session session, String from) {
            super(session);
            this.from = from;
        }

        @Override
        protected void updateMessageID() throws MessagingException {
            if (getMessageID() == null) {
                setHeader("Message-ID", "<" + Ids.random(ID_LENGTH) + from.substring(from.indexOf('@')) + ">");
            }
        }
    }

    /** One mailbox per line, so that no line becomes too long. */
    private static String list(List<Mailbox> mailboxes) {
        return mailboxes.stream().map(Mailbox::header).collect(Collectors.joining(",\r\n "));
    }

    private static MimeMultipart content(Mail mail) throws MessagingException {
        var texts = new MimeMultipart("alternative");
        if (mail.content().text().isPresent() || mail.content().html().isEmpty()) {
            texts.addBodyPart(text(mail.content().text().orElse(""), "plain"));
        }
        if (mail.content().html().isPresent()) {
            texts.addBodyPart(text(mail.content().html().get(), "html"));
        }
        if (mail.attachments().isEmpty()) {
            return texts;
        }
        var whole = new MimeMultipart("mixed");
        var body = new MimeBodyPart();
        body.setContent(texts);
        whole.addBodyPart(body);
        for (var file : mail.attachments()) {
            whole.addBodyPart(attachment(file));
        }
        return whole;
    }

    private static MimeBodyPart text(String text, String type) throws MessagingException {
        var part = new MimeBodyPart();
        part.setText(text, StandardCharsets.UTF_8.name(), type);
        return part;
    }

    private static MimeBodyPart attachment(Mail.Attachment file) throws MessagingException {
        var ascii = file.name().replaceAll("[^\\x20-\\x7e]", "_");
        var extended = URLEncoder.encode(file.name(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        var part = new MimeBodyPart();
        part.setDataHandler(new DataHandler(new ByteArrayDataSource(file.data().getBytes(), file.contentType())));
        part.setHeader("Content-Type", file.contentType());
        part.setHeader("Content-Transfer-Encoding", "base64");
        part.setHeader(
                "Content-Disposition",
                "attachment;\r\n filename=" + HeaderText.quoted(ascii) + ";\r\n filename*=UTF-8''" + extended);
        return part;
    }
}
