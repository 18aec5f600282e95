package io.millrace.workspace.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.base.net.OutboundResponse;
import io.millrace.piece.model.ModelMessage;
import io.millrace.piece.model.ModelRequest;
import io.millrace.piece.model.ModelRequest.ToolUse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request without the optional parts that a server rejects. Servers with a common format support it only in part; a
 * rejected part is named in the refusal, omitted, and the request is sent again. Each retry omits one part, which bounds
 * their number.
 *
 * @param streamed true for a streamed response
 * @param extras true to send optional fields of the format
 */
record RequestVariant(ModelRequest request, boolean streamed, boolean extras) {
    private static final Pattern CHOICE = Pattern.compile("tool[_ -]?choice|toolchoice|allowedfunctionnames");
    private static final Pattern NO_TOOLS =
            Pattern.compile("tools?\\b.{0,40}not (supported|available|enabled|allowed)|not support.{0,40}\\btools?\\b"
                    + "|not support.{0,20}function call|function call.{0,40}not supported");
    private static final Pattern STATE =
            Pattern.compile("reasoning|thinking|signature|extra_content|provider_specific_fields");

    /** The next variant after a refusal; empty when the refusal names no optional part. */
    Optional<RequestVariant> after(OutboundResponse refusal) {
        if (refusal.status() != 400 && refusal.status() != 422) {
            return Optional.empty();
        }
        var said = refusal.body().toString().toLowerCase(Locale.ROOT);
        if (extras && said.contains("encrypted")) {
            return Optional.of(new RequestVariant(request, streamed, false));
        }
        if (streamed && said.contains("stream")) {
            return Optional.of(new RequestVariant(request, false, extras));
        }
        if (request.use() instanceof ToolUse.Forced(var name)) {
            if (NO_TOOLS.matcher(said).find()) {
                return Optional.of(new RequestVariant(asText(name), streamed, extras));
            }
            if (CHOICE.matcher(said).find()) {
                return Optional.of(new RequestVariant(request.using(new ToolUse.Free()), streamed, extras));
            }
        }
        return STATE.matcher(said).find() && hasState()
                ? Optional.of(new RequestVariant(request.saying(withoutState()), streamed, extras))
                : Optional.empty();
    }

    private ModelRequest asText(String name) {
        var schema = request.tools().stream()
                .filter(tool -> tool.name().equals(name))
                .map(tool -> Json.text(tool.schema()))
                .findFirst()
                .orElse("{}");
        var instruction =
                "Answer with one JSON object only, without any other text. It must fit this JSON Schema: " + schema;
        return request.withoutTools(request.system().isBlank() ? instruction : request.system() + "\n\n" + instruction);
    }

    private boolean hasState() {
        return request.messages().stream()
                .anyMatch(message -> message instanceof ModelMessage.AssistantMessage(var _, var _, JsonNode raw)
                        && raw != null
                        && !raw.isEmpty());
    }

    /**
     * Text and calls of the answers. In formats whose state is the message, this also omits thoughts and searches of the
     * provider.
     */
    private List<ModelMessage> withoutState() {
        return request.messages().stream()
                .map(message -> message instanceof ModelMessage.AssistantMessage(var text, var calls, JsonNode _)
                        ? new ModelMessage.AssistantMessage(text, calls, null)
                        : message)
                .toList();
    }
}
