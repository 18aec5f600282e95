package io.millrace.account.mail;

import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One message. Invalid ones cannot be constructed: header injection, no recipient.
 *
 * @param headers more headers; those that the message writes itself are refused
 */
public record Mail(
        Mailbox from,
        Recipients recipients,
        Optional<Mailbox> replyTo,
        String subject,
        Content content,
        List<Attachment> attachments,
        Map<String, String> headers) {
    public record Recipients(List<Mailbox> to, List<Mailbox> cc, List<Mailbox> bcc) {
        public Recipients {
            to = List.copyOf(to);
            cc = List.copyOf(cc);
            bcc = List.copyOf(bcc);
            var size = to.size() + cc.size() + bcc.size();
            if (size == 0 || size > RECIPIENTS_MAX) {
                throw new IllegalArgumentException("expected 1 to " + RECIPIENTS_MAX + " recipients, found " + size);
            }
        }

        public Stream<Mailbox> all() {
            return Stream.of(to, cc, bcc).flatMap(List::stream);
        }
    }

    public record Content(Optional<String> text, Optional<String> html) {}

    private static final int SUBJECT_LENGTH_MAX = 998;
    private static final int HEADER_LENGTH_MAX = 8_000;
    private static final int RECIPIENTS_MAX = 500;
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9-]{1,76}");
    private static final Pattern OWN_HEADERS = Pattern.compile(
            "from|to|cc|bcc|reply-to|subject|date|mime-version|content-.*|sender|return-path",
            Pattern.CASE_INSENSITIVE);

    public Mail {
        attachments = List.copyOf(attachments);
        headers = Map.copyOf(headers);
        HeaderText.check("subject", subject, SUBJECT_LENGTH_MAX);
        headers.forEach(Mail::checkHeader);
    }

    public static Mail of(Mailbox from, Mailbox to, String subject, String text, String html) {
        return new Mail(
                from,
                new Recipients(List.of(to), List.of(), List.of()),
                Optional.empty(),
                subject,
                new Content(Optional.of(text), Optional.of(html)),
                List.of(),
                Map.of());
    }

    /**
     * A file.
     *
     * @param contentType a type and subtype, without parameters
     */
    public record Attachment(String name, String contentType, Buffer data) {
        private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9!#$&^_.+-]{1,127}/[A-Za-z0-9!#$&^_.+-]{1,127}");
        private static final int NAME_LENGTH_MAX = 255;

        public Attachment {
            HeaderText.check("a file name", name, NAME_LENGTH_MAX);
            if (!TYPE.matcher(contentType).matches()) {
                throw new IllegalArgumentException(
                        "expected a content type such as text/plain, found " + HeaderText.shown(contentType));
            }
        }
    }

    public Mail withHeader(String name, String value) {
        var more = new HashMap<>(headers);
        more.put(name, value);
        return new Mail(from, recipients, replyTo, subject, content, attachments, more);
    }

    private static void checkHeader(String name, String value) {
        if (!HEADER_NAME.matcher(name).matches() || OWN_HEADERS.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "expected a header name that mail does not set itself, found " + HeaderText.shown(name));
        }
        HeaderText.check("a value of header " + name, value, HEADER_LENGTH_MAX);
    }
}
