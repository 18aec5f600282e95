package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Json;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import java.util.Map;
import java.util.Optional;

/**
 * Options and dynamic properties for editors: values that depend on other properties (contract flows-and-engine 29,
 * options).
 */
public final class PieceOptions {
    private PieceOptions() {}

    /**
     * Child definitions of a DYNAMIC property, or the state of a drop-down.
     *
     * @return {@code {options, type}}
     * @throws ApiException when the action or trigger has no such property
     */
    public static ObjectNode answer(Piece piece, String actionOrTrigger, String propertyName, ObjectNode input) {
        var property = propsOf(piece, actionOrTrigger)
                .map(props -> props.get(propertyName))
                .orElseThrow(() -> ApiException.notFound("property", actionOrTrigger + "." + propertyName));
        var answer = Json.object();
        answer.set("options", property.children() == null ? noChoices() : childrenOf(property, input));
        return answer.put("type", property.type().name());
    }

    private static Optional<Map<String, Property>> propsOf(Piece piece, String actionOrTrigger) {
        return Optional.ofNullable(piece.actions().get(actionOrTrigger))
                .map(action -> action.spec().props())
                .or(() -> Optional.ofNullable(piece.triggers().get(actionOrTrigger))
                        .map(trigger -> trigger.spec().props()));
    }

    private static ObjectNode childrenOf(Property property, ObjectNode input) {
        return PropertyDefinitions.write(property.children().apply(input));
    }

    private static ObjectNode noChoices() {
        var state = Json.object().put("disabled", true);
        state.putArray("options");
        return state;
    }
}
