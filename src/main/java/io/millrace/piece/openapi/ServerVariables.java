package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Variables in addresses of servers: values of the caller, or defaults of the document. */
final class ServerVariables {
    static final Pattern VARIABLE = Pattern.compile("\\{([^{}]{1,100})}");

    private static final int LISTED_MAX = 20;

    private static final int CHOICES_MAX = 300;
    private static final int TEXT_MAX = 200;

    private final Map<String, String> given;
    private final Set<String> ofConnections;

    ServerVariables(Map<String, String> given, Set<String> ofConnections) {
        this.given = given;
        this.ofConnections = ofConnections;
    }

    /**
     * A variable of a server.
     *
     * @param value value in use; empty for none
     * @param choices permitted values; empty if any is
     * @param byConnection true if each connection has a value
     */
    record AddressVariable(
            String name,
            Optional<String> value,
            Optional<String> byDefault,
            List<String> choices,
            String description,
            boolean byConnection) {
        ObjectNode toJson() {
            var json = Json.object().put("name", name);
            value.ifPresent(text -> json.put("value", text));
            byDefault.ifPresent(text -> json.put("default", text));
            var listed = json.putArray("choices");
            choices.forEach(listed::add);
            json.put("description", description);
            return byConnection ? json.put("byConnection", true) : json;
        }
    }

    /** Variables of a server in the order of its address, each once. */
    List<AddressVariable> of(JsonNode server) {
        return namesIn(server).stream()
                .limit(LISTED_MAX)
                .map(name -> variable(name, server))
                .toList();
    }

    private static List<String> namesIn(JsonNode server) {
        return VARIABLE.matcher(server.path("url").asText(""))
                .results()
                .map(match -> match.group(1))
                .distinct()
                .toList();
    }

    private AddressVariable variable(String name, JsonNode server) {
        var definition = server.path("variables").path(name);
        var byDefault = Optional.of(definition.path("default"))
                .filter(JsonNode::isValueNode)
                .map(JsonNode::asText);
        return new AddressVariable(
                name,
                Optional.ofNullable(given.get(name)).or(() -> byDefault),
                byDefault,
                definition
                        .path("enum")
                        .valueStream()
                        .limit(CHOICES_MAX)
                        .map(JsonNode::asText)
                        .toList(),
                Texts.shortened(definition.path("description").asText(""), TEXT_MAX),
                ofConnections.contains(name));
    }

    /** Variables of these servers that connections fill, each once; the first definition applies. */
    List<AddressVariable> ofConnections(List<JsonNode> servers) {
        var found = new LinkedHashMap<String, AddressVariable>();
        servers.forEach(server -> of(server).stream()
                .filter(AddressVariable::byConnection)
                .forEach(variable -> found.putIfAbsent(variable.name(), variable)));
        return List.copyOf(found.values());
    }

    /**
     * Address with values, except for variables that connections fill; fails with {@link UnusableDocument} for a variable without a
     * value or with one that is not permitted.
     */
    String filled(String url, JsonNode server) {
        return VARIABLE.matcher(url).replaceAll(match -> {
            var variable = variable(match.group(1), server);
            if (variable.byConnection()) {
                return Matcher.quoteReplacement(match.group());
            }
            var field = field(variable.name());
            var value = variable.value()
                    .orElseThrow(() -> new UnusableDocument(
                            field, "Required: the document has no default of the server variable " + variable.name()));
            if (given.containsKey(variable.name())
                    && !variable.choices().isEmpty()
                    && !variable.choices().contains(value)) {
                throw new UnusableDocument(
                        field,
                        "Expected " + String.join(", ", variable.choices()) + "; found "
                                + Texts.shortened(value, TEXT_MAX));
            }
            return Matcher.quoteReplacement(value);
        });
    }

    /** Fails with {@link UnusableDocument} if the caller gives a value of a variable that no server has. */
    void refuseUnknown(List<JsonNode> servers, String baseUrl) {
        Set<String> known = new TreeSet<>(namesIn(Json.object().put("url", baseUrl)));
        servers.forEach(server -> known.addAll(namesIn(server)));
        refuseUnknown(given.keySet(), known, "serverVariables/");
        refuseUnknown(ofConnections, known, "connectionVariables/");
    }

    private static void refuseUnknown(Set<String> names, Set<String> known, String field) {
        names.stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .findFirst()
                .ifPresent(name -> {
                    throw new UnusableDocument(
                            field + Texts.shortened(name, TEXT_MAX),
                            known.isEmpty()
                                    ? "Expected no value: the servers of the document have no variables"
                                    : "Expected a variable of a server: "
                                            + Texts.shortened(String.join(", ", known), TEXT_MAX));
                });
    }

    private static String field(String name) {
        return "serverVariables/" + Texts.shortened(name, TEXT_MAX);
    }
}
