package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Json;
import io.millrace.piece.ActionSpec;
import io.millrace.piece.HttpAnswer;
import io.millrace.piece.Piece;
import io.millrace.piece.StepContext;
import io.millrace.piece.builtin.action.BuiltinPiece;
import io.millrace.piece.builtin.action.ContextAction;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.catalogue.PieceCategory;
import io.millrace.piece.input.FileNames;
import io.millrace.piece.input.FileValue;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Human Input: forms and chats for users, and the responses to them (contract flows-and-engine 24). */
public final class FormsPiece {
    public static final String NAME = "@activepieces/piece-forms";

    private FormsPiece() {}

    public static Piece create() {
        return BuiltinPiece.of(
                BuiltinPiece.spec(
                        "forms",
                        "Human Input",
                        "Starts a flow with a form or a chat.",
                        "new-core/human-input.svg",
                        List.of(PieceCategory.CORE),
                        List.of("0.5.0", "0.4.7", "0.3.0")),
                List.of(respond()),
                List.of(new FormTrigger(), new FileFormTrigger(), new ChatTrigger()));
    }

    private static ContextAction respond() {
        var props = Props.of(
                Props.named("markdown", Props.longText("Text (Markdown)", false)),
                Props.named("file", Props.file("Attachment", false)));
        return new ContextAction(
                new ActionSpec(
                        "return_response",
                        "Respond on UI",
                        "Answers the form or the chat with a text and a file.",
                        props,
                        true,
                        false,
                        false),
                FormsPiece::respond);
    }

    private static Future<JsonNode> respond(StepContext context) {
        var answer = Json.object().put("type", "markdown");
        answer.put("value", context.props().path("markdown").asText(""));
        var files = answer.putArray("files");
        var file = FileValue.of(context.props().path("file"));
        return kept(context, file).map(url -> {
            url.ifPresent(address -> files.addObject()
                    .put("url", address)
                    .put("mimeType", FileNames.mediaTypeOf(file.orElseThrow().fileName())));
            context.respond(new HttpAnswer(200, Map.of(), answer));
            return answer;
        });
    }

    private static Future<Optional<String>> kept(StepContext context, Optional<FileValue> file) {
        return file.map(given ->
                        context.writeFile(given.fileName(), given.data()).map(Optional::of))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }
}
