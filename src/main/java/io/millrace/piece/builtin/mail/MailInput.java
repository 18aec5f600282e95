package io.millrace.piece.builtin.mail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.account.mail.Mail;
import io.millrace.account.mail.Mailbox;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.builtin.data.FileHelperPiece;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.ScriptValues;
import io.millrace.piece.property.Property;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

final class MailInput {
    private static final long ATTACHMENTS_BYTES_MAX = 50L * 1024 * 1024;

    private static final Property BODY_TYPE = Props.choice(
                    "Body Type", true, "plain text", "plain_text", "html", "html")
            .defaultingTo(TextNode.valueOf("plain_text"));

    static final Map<String, Property> PROPS = Props.of(
            Props.named("from", Props.shortText("From Email", true)),
            Props.named("senderName", Props.shortText("Sender Name", false)),
            Props.named("to", Props.list("To", true)),
            Props.named("cc", Props.list("CC", false)),
            Props.named("replyTo", Props.shortText("Reply To", false)),
            Props.named("bcc", Props.list("BCC", false)),
            Props.named("subject", Props.shortText("Subject", true)),
            Props.named("body_type", BODY_TYPE),
            Props.named("body", Props.longText("Body", true)),
            Props.named("customHeaders", Props.object("Custom Headers", false)),
            Props.named(
                    "attachments",
                    Props.list("Attachments", false)
                            .withItems(Props.of(
                                    Props.named("file", Props.file("File", true).describedAs("The file to send.")),
                                    Props.named(
                                            "name",
                                            Props.shortText("Attachment Name", false)
                                                    .describedAs("Overrides the name of the file."))))));

    private MailInput() {}

    /**
     * Reads the input.
     *
     * @throws PieceFailure naming the invalid input
     */
    static Mail read(ObjectNode input) {
        try {
            var html = Props.chosen(input, "body_type", BODY_TYPE, "plain_text").equals("html");
            var body = text(input, "body");
            return new Mail(
                    named("from", () -> from(input)),
                    new Mail.Recipients(mailboxes(input, "to"), mailboxes(input, "cc"), mailboxes(input, "bcc")),
                    Optional.of(text(input, "replyTo").strip())
                            .filter(given -> !given.isEmpty())
                            .map(given -> named("replyTo", () -> Mailbox.parse(given))),
                    text(input, "subject"),
                    new Mail.Content(
                            html ? Optional.empty() : Optional.of(body), html ? Optional.of(body) : Optional.empty()),
                    attachments(input.path("attachments")),
                    headers(input.path("customHeaders")));
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.of(malformed.getMessage());
        }
    }

    private static <T> T named(String property, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.of(property + ": " + malformed.getMessage());
        }
    }

    private static Mailbox from(ObjectNode input) {
        var given = Mailbox.parse(text(input, "from"));
        var name = text(input, "senderName").strip();
        return name.isEmpty() ? given : new Mailbox(given.address(), Optional.of(name));
    }

    private static String text(JsonNode input, String name) {
        return input.hasNonNull(name) ? input.path(name).asText() : "";
    }

    /** Addresses from a list or a text; a text, also an item of the list, may hold several. */
    private static List<Mailbox> mailboxes(JsonNode input, String property) {
        var found = new ArrayList<Mailbox>();
        collect(property, input.path(property), found);
        return found;
    }

    private static void collect(String property, JsonNode given, List<Mailbox> found) {
        if (given.isArray()) {
            given.forEach(item -> collect(property, item, found));
        } else if (given.isTextual()) {
            found.addAll(named(property, () -> Mailbox.parseAll(given.textValue())));
        } else if (!given.isNull() && !given.isMissingNode()) {
            throw PieceFailure.of(property + ": expected e-mail addresses as texts, found "
                    + (given.isObject() ? "an object" : given.asText()));
        }
    }

    private static List<Mail.Attachment> attachments(JsonNode given) {
        var attachments = new ArrayList<Mail.Attachment>();
        var bytes = 0L;
        for (var item : given) {
            var file = FileHelperPiece.fileIn(item, "file");
            bytes += file.data().length();
            if (bytes > ATTACHMENTS_BYTES_MAX) {
                throw PieceFailure.of("attachments: expected at most " + ATTACHMENTS_BYTES_MAX + " bytes, found more");
            }
            var name = text(item, "name").strip();
            attachments.add(new Mail.Attachment(
                    name.isEmpty() ? file.fileName() : name, FileNames.mediaTypeOf(file.fileName()), file.data()));
        }
        return attachments;
    }

    private static Map<String, String> headers(JsonNode given) {
        var headers = new LinkedHashMap<String, String>();
        given.properties().forEach(header -> {
            if (!header.getValue().isNull()) {
                headers.put(header.getKey(), ScriptValues.text(header.getValue()));
            }
        });
        return headers;
    }
}
