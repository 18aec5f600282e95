package io.millrace.piece.property;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Request of an editor for the options of a property that depends on others (contract flows-and-engine 29).
 *
 * @param step name of an action or a trigger
 * @param input input so far, with expressions
 * @param searchValue search text of a searchable drop-down
 */
public record OptionsQuestion(
        String projectId,
        String flowId,
        String flowVersionId,
        String step,
        String property,
        ObjectNode input,
        Optional<String> searchValue) {
    /** Drop-down with the choices whose label contains the search text, ignoring case. */
    public ObjectNode dropDown(List<Property.Option> all) {
        var wanted = searchValue.orElse("").toLowerCase(Locale.ROOT);
        var answer = Json.object();
        var options = answer.putObject("options").put("disabled", false).putArray("options");
        all.stream()
                .filter(option -> option.label().toLowerCase(Locale.ROOT).contains(wanted))
                .forEach(option ->
                        options.addObject().put("label", option.label()).set("value", option.value()));
        return answer.put("type", PropertyType.DROPDOWN.name());
    }
}
