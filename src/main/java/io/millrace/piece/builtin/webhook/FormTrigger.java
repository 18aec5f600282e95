package io.millrace.piece.builtin.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.PieceTrigger;
import io.millrace.piece.TriggerContext;
import io.millrace.piece.TriggerSpec;
import io.millrace.piece.builtin.action.Props;
import io.millrace.piece.property.Property;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** Starts a flow with each submitted form (contract flows-and-engine 24). */
public final class FormTrigger implements PieceTrigger {
    public static final String NAME = "form_submission";

    /** A match begins only at the first blank, so that a run of blanks is read once. */
    private static final Pattern NEXT_WORD = Pattern.compile("(?<!\\s)\\s++([a-z0-9_])");

    private static final Pattern LEFT_OUT = Pattern.compile("[\\\\\"'\\n\\r\\t]");

    static final Property WAITS = Props.checkbox("Wait for Response", false).defaultingTo(BooleanNode.FALSE);

    private static final Property INPUTS = Props.list("Inputs", true)
            .withItems(
                    FormFields.of(Map.of("description", Props.shortText("Field Description", false)), "File", "file"));

    private static final TriggerSpec SPEC = new TriggerSpec(
            NAME,
            "Web Form",
            "Starts the flow with a submitted form.",
            Props.of(
                    Props.named("about", addresses("form")),
                    Props.named(
                            "response",
                            Props.markdown(
                                    "With **Wait for Response** the form shows the response of the action **Respond on UI**.",
                                    "WARNING")),
                    Props.named("waitForResponse", WAITS),
                    Props.named("inputs", INPUTS)),
            true,
            TriggerSpec.Strategy.WEBHOOK,
            Json.object(),
            TriggerSpec.TestStrategy.SIMULATION);

    /** Property that shows the address of a flow's page; editors insert the address. */
    static Property addresses(String kind) {
        return Props.markdown(
                "**Published:**\n```text\n{{" + kind + "Url}}\n```\nThe published version.\n\n**Draft:**\n```text\n{{"
                        + kind
                        + "Url}}?useDraft=true\n```\nThe draft version; input is stored as sample"
                        + " data.\n",
                "BORDERLESS");
    }

    @Override
    public TriggerSpec spec() {
        return SPEC;
    }

    @Override
    public Future<List<JsonNode>> run(TriggerContext context) {
        var sent = context.payload().path("body");
        if (!(sent instanceof ObjectNode form)) {
            return Future.failedFuture(PieceFailure.of("Expected a form with fields, found another body"));
        }
        var item = form.deepCopy();
        for (var input : context.props().path("inputs")) {
            var key = keyOf(input.path("displayName").asText());
            if (input.path("type").asText().equals("toggle") && item.hasNonNull(key)) {
                var toggled = toggled(item.get(key));
                if (toggled == null) {
                    return Future.failedFuture(PieceFailure.of(key + ": expected true or false, found another value"));
                }
                item.set(key, toggled);
            }
        }
        return Future.succeededFuture(List.of(item));
    }

    /** Null for other values. */
    private static BooleanNode toggled(JsonNode value) {
        if (value instanceof BooleanNode known) {
            return known;
        }
        return switch (value.asText().toLowerCase(Locale.ROOT)) {
            case "true" -> BooleanNode.TRUE;
            case "false" -> BooleanNode.FALSE;
            default -> null;
        };
    }

    /** The field of a form that an input is sent in (24.2): small letters, words run together, no quotes. */
    public static String keyOf(String displayName) {
        var joined = NEXT_WORD
                .matcher(displayName.toLowerCase(Locale.ROOT))
                .replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
        return LEFT_OUT.matcher(joined).replaceAll("");
    }
}
