package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

final class ConnectionAddress {
    /** Field of the plans with the variables: {@code {variable: {prop, choices}}}. */
    static final String FIELDS = "addressFields";

    private static final int SHOWN_LENGTH_MAX = 100;

    private ConnectionAddress() {}

    static ObjectNode stored(List<ServerVariables.AddressVariable> variables, Set<String> taken) {
        var stored = Json.object();
        for (var variable : variables) {
            var field = stored.putObject(variable.name()).put("prop", Texts.unique(variable.name(), taken));
            var choices = field.putArray("choices");
            variable.choices().forEach(choices::add);
        }
        return stored;
    }

    static void addProps(List<ServerVariables.AddressVariable> variables, ObjectNode stored, ObjectNode props) {
        for (var variable : variables) {
            var prop = props.putObject(stored.path(variable.name()).path("prop").asText())
                    .put("type", variable.choices().isEmpty() ? "SHORT_TEXT" : "STATIC_DROPDOWN")
                    .put("displayName", PropertyMapper.label(variable.name(), ""))
                    .put("required", true);
            var description = Texts.joined(
                    variable.description(),
                    variable.value().map(text -> "For example " + text + ".").orElse(""));
            if (!description.isEmpty()) {
                prop.put("description", description);
            }
            if (!variable.choices().isEmpty()) {
                var options = prop.putObject("options").put("disabled", false).putArray("options");
                variable.choices()
                        .forEach(choice ->
                                options.addObject().put("label", choice).put("value", choice));
            }
        }
    }

    /**
     * The address for a connection; fails with {@link PieceFailure} for values that are missing or do not fit.
     *
     * @param stored the part of the stored description with {@link #FIELDS}
     */
    static String of(String server, JsonNode stored, Optional<JsonNode> auth) {
        var fields = stored.path(FIELDS);
        if (fields.isEmpty()) {
            return server;
        }
        var values = auth.map(value -> value.path("props")).orElseGet(Json::object);
        var filled = new AddressTemplate(server)
                .filled(variable -> fields.has(variable.name())
                        ? value(variable, fields.path(variable.name()), values)
                        : "{" + variable.name() + "}");
        try {
            return AddressTemplate.checked(filled);
        } catch (IllegalArgumentException malformed) {
            throw PieceFailure.named(
                    "ConnectionMismatch",
                    "Expected values of the connection that give a valid address of " + server + ": "
                            + malformed.getMessage());
        }
    }

    private static String value(AddressTemplate.TemplateVariable variable, JsonNode field, JsonNode values) {
        var value = values.path(field.path("prop").asText()).asText("").strip();
        if (value.isEmpty()) {
            throw PieceFailure.named(
                    "ConnectionMismatch",
                    "Expected the field " + field.path("prop").asText()
                            + " of the connection for the address of the API, found none");
        }
        var choices = field.path("choices");
        var fits = choices.isEmpty()
                ? variable.place().permits(value)
                : choices.valueStream().anyMatch(choice -> choice.asText().equals(value));
        if (!fits) {
            var expected = choices.isEmpty()
                    ? variable.place().expected()
                    : "one of "
                            + String.join(
                                    ", ",
                                    choices.valueStream().map(JsonNode::asText).toList());
            throw PieceFailure.named(
                    "ConnectionMismatch",
                    "Expected " + expected + " in the field "
                            + field.path("prop").asText() + " of the connection, found "
                            + Texts.shortened(value, SHOWN_LENGTH_MAX));
        }
        return value;
    }
}
