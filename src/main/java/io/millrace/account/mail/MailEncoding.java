package io.millrace.account.mail;

import io.vertx.core.MultiMap;
import io.vertx.ext.mail.MailAttachment;
import io.vertx.ext.mail.MailMessage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** A message in the words of the mail client, which makes the MIME parts of it; headers are written here. */
final class MailEncoding {
    private MailEncoding() {}

    static MailMessage of(Mail mail) {
        var message = new MailMessage()
                .setFrom(mail.from().address())
                .setHeaders(headers(mail))
                .setAttachment(mail.attachments().stream()
                        .map(MailEncoding::attachment)
                        .toList());
        if (!mail.to().isEmpty()) {
            message.setTo(addresses(mail.to()));
        }
        if (!mail.cc().isEmpty()) {
            message.setCc(addresses(mail.cc()));
        }
        message.setBcc(addresses(mail.bcc()));
        mail.text().ifPresent(message::setText);
        mail.html().ifPresent(message::setHtml);
        return message;
    }

    private static List<String> addresses(List<Mailbox> mailboxes) {
        return mailboxes.stream().map(Mailbox::address).toList();
    }

    private static MultiMap headers(Mail mail) {
        var headers = MultiMap.caseInsensitiveMultiMap()
                .set("From", mail.from().header())
                .set("Subject", HeaderText.unstructured(mail.subject()));
        if (!mail.to().isEmpty()) {
            headers.set("To", list(mail.to()));
        }
        if (!mail.cc().isEmpty()) {
            headers.set("Cc", list(mail.cc()));
        }
        mail.replyTo().ifPresent(mailbox -> headers.set("Reply-To", mailbox.header()));
        mail.headers().forEach((name, value) -> headers.set(name, HeaderText.unstructured(value)));
        return headers;
    }

    /** Each on a line of its own, so that no line grows too long. */
    private static String list(List<Mailbox> mailboxes) {
        return mailboxes.stream().map(Mailbox::header).collect(Collectors.joining(",\r\n "));
    }

    private static MailAttachment attachment(Mail.Attachment file) {
        var ascii = file.name().replaceAll("[^\\x20-\\x7e]", "_");
        var extended = URLEncoder.encode(file.name(), StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("*", "%2A");
        return MailAttachment.create()
                .setContentType(file.contentType())
                .setDisposition(
                        "attachment;\r\n filename=" + HeaderText.quoted(ascii) + ";\r\n filename*=UTF-8''" + extended)
                .setData(file.data());
    }
}
