package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.millrace.base.core.text.Base64Text;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Starts a run for every request to the flow's webhook with valid credentials (contract flows-and-engine 17.9). A
 * request with wrong ones yields no item; credentials are compared in constant time.
 */
final class CatchWebhook implements PieceTrigger {
    private static final Map<String, Property> BASIC_FIELDS = Props.of(
            Props.named("username", Props.shortText("Username", true).describedAs("The username callers must send.")),
            Props.named("password", Props.shortText("Password", true).describedAs("The password callers must send.")));

    private static final Map<String, Property> HEADER_FIELDS = Props.of(
            Props.named(
                    "headerName", Props.shortText("Header Name", true).describedAs("The header callers must send.")),
            Props.named("headerValue", Props.shortText("Header Value", true).describedAs("The required value.")));

    private static final TriggerSpec SPEC = new TriggerSpec(
            "catch_webhook",
            "Catch Webhook",
            "Starts the flow with any HTTP request to its webhook URL.",
            Props.of(
                    Props.named(
                            "liveMarkdown",
                            Props.markdown(
                                    "**Live URL:**\n```text\n{{webhookUrl}}\n```\nStarts the published flow and keeps"
                                            + " the request as sample data.\n",
                                    "BORDERLESS")),
                    Props.named(
                            "syncMarkdown",
                            Props.markdown(
                                    "**Synchronous requests:**\n\nAdd `/sync` to the URL to wait for the flow's"
                                            + " response, which the Return Response action sends. Without one in time"
                                            + " the answer is 408.\n",
                                    "INFO")),
                    Props.named(
                            "testMarkdown",
                            Props.markdown(
                                    "**Test URL:**\n\nAdd `/test` to the URL to keep the request as sample data without"
                                            + " starting the flow.\n",
                                    "INFO")),
                    Props.named(
                            "authType",
                            Props.choice(
                                            "Authentication",
                                            true,
                                            "None",
                                            "none",
                                            "Basic Auth",
                                            "basic",
                                            "Header Auth",
                                            "header")
                                    .defaultingTo(TextNode.valueOf("none"))),
                    Props.named(
                            "authFields",
                            Property.of(PropertyType.DYNAMIC, "Authentication Fields", false)
                                    .refreshedBy(List.of("authType"), CatchWebhook::fieldsFor))),
            true,
            TriggerSpec.Strategy.WEBHOOK,
            NullNode.instance,
            TriggerSpec.TestStrategy.SIMULATION);

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        var fields = context.props().path("authFields");
        var headers = context.payload().path("headers");
        var allowed = switch (context.props().path("authType").asText("none")) {
            case "none" -> true;
            case "basic" -> hasBasicCredentials(headers, fields);
            case "header" -> hasHeader(headers, fields);
            // An unknown kind of authentication rejects the request.
            default -> false;
        };
        return Future.succeededFuture(allowed ? List.of(context.payload()) : List.of());
    }

    private static Map<String, Property> fieldsFor(ObjectNode input) {
        return switch (input.path("authType").asText()) {
            case "basic" -> BASIC_FIELDS;
            case "header" -> HEADER_FIELDS;
            default -> Map.of();
        };
    }

    private static boolean hasHeader(JsonNode headers, JsonNode fields) {
        var name = fields.path("headerName").asText().strip().toLowerCase(Locale.ROOT);
        var expected = fields.path("headerValue");
        var sent = headers.path(name);
        return expected.isTextual() && sent.isTextual() && same(sent.asText(), expected.asText());
    }

    private static boolean hasBasicCredentials(JsonNode headers, JsonNode fields) {
        var header = headers.path("authorization").asText();
        var username = fields.path("username");
        var password = fields.path("password");
        if (!header.regionMatches(true, 0, "basic ", 0, 6) || !username.isTextual() || !password.isTextual()) {
            return false;
        }
        var sent = decoded(header.substring(6).strip());
        // The separator makes the pair unambiguous only because an HTTP user name contains no colon.
        return same(sent, username.asText() + ":" + password.asText());
    }

    /** Clients disagree about the charset of credentials (RFC 7617, 2.1): UTF-8 if valid, else Latin-1. */
    private static String decoded(String base64) {
        try {
            var bytes = Base64Text.decoded(base64);
            return ReceivedText.decoded(bytes, StandardCharsets.UTF_8)
                    .orElseGet(() -> new String(bytes, StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException notBase64) {
            return "";
        }
    }

    private static boolean same(String sent, String expected) {
        return MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }
}
