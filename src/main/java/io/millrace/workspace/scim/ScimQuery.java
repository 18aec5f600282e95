package io.millrace.workspace.scim;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Query of a list of resources, with the shown attributes (RFC 7644, 3.4.2).
 *
 * @param startIndex of the first one, from 1
 * @param shown requested attributes; empty for all
 * @param hidden excluded attributes
 */
record ScimQuery(Optional<ScimFilter> filter, int startIndex, int count, List<String> shown, List<String> hidden) {
    private static final int COUNT_DEFAULT = 100;
    private static final int COUNT_MAX = 1_000;
    private static final Set<String> ALWAYS = Set.of("schemas", "id");

    ScimQuery {
        shown = List.copyOf(shown);
        hidden = List.copyOf(hidden);
    }

    /** Values below the minimum are raised to it (RFC 7644, 3.4.2.4). */
    static ScimQuery read(Fields query) {
        var start = query.optionalInteger("startIndex", Integer.MIN_VALUE, Integer.MAX_VALUE)
                .orElse(1);
        var count = query.optionalInteger("count", Integer.MIN_VALUE, Integer.MAX_VALUE)
                .orElse(COUNT_DEFAULT);
        return new ScimQuery(
                query.optionalText("filter").filter(text -> !text.isBlank()).map(ScimFilter::parse),
                Math.max(1, start),
                Math.clamp(count, 0, COUNT_MAX),
                names(query.optionalText("attributes")),
                names(query.optionalText("excludedAttributes")));
    }

    private static List<String> names(Optional<String> list) {
        return list.stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .toList();
    }

    int offset() {
        return startIndex - 1;
    }

    boolean hides(String attribute) {
        return hidden.stream().anyMatch(attribute::equalsIgnoreCase);
    }

    ObjectNode trimmed(ObjectNode resource) {
        resource.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !ALWAYS.contains(name))
                .filter(name ->
                        hides(name) || !shown.isEmpty() && shown.stream().noneMatch(wanted -> isOf(wanted, name)))
                .toList()
                .forEach(resource::remove);
        return resource;
    }

    private static boolean isOf(String wanted, String attribute) {
        return wanted.equalsIgnoreCase(attribute)
                || wanted.regionMatches(true, 0, attribute + ".", 0, attribute.length() + 1);
    }

    ScimPage page(List<ObjectNode> all) {
        var matching = all.stream()
                .filter(resource ->
                        filter.map(wanted -> wanted.matches(resource)).orElse(true))
                .toList();
        var from = Math.min(offset(), matching.size());
        var to = Math.min(from + count, matching.size());
        return new ScimPage(matching.size(), startIndex, matching.subList(from, to));
    }

    /** One page of a list (RFC 7644, 3.4.2). */
    record ScimPage(int totalResults, int startIndex, List<ObjectNode> resources) {
        ScimPage {
            resources = List.copyOf(resources);
        }

        ObjectNode toJson() {
            var json = Json.object();
            json.putArray("schemas").add("urn:ietf:params:scim:api:messages:2.0:ListResponse");
            json.put("totalResults", totalResults).put("startIndex", startIndex).put("itemsPerPage", resources.size());
            resources.forEach(json.putArray("Resources")::add);
            return json;
        }
    }
}
