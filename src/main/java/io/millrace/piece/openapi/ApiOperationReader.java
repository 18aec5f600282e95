package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

final class ApiOperationReader {
    private static final String JSON_TYPE = "application/json";

    /** Headers that the client sets itself. */
    private static final Set<String> OWN_HEADERS = Set.of("accept", "content-type", "authorization");

    private static final Set<String> PLACES = Set.of("path", "query", "header", "cookie");

    private final DocumentReferences references;
    private final SchemaReader schemas;
    private final PropertyMapper mapper;
    private final ConversionOptions options;

    ApiOperationReader(DocumentReferences references, ConversionOptions options) {
        this.references = references;
        this.schemas = new SchemaReader(references);
        this.mapper = new PropertyMapper(schemas);
        this.options = options;
    }

    /**
     * An operation as an action.
     *
     * @param plan the request
     * @param output schema of the output; empty object for none
     */
    record ReadOperation(Map<String, Property> props, ObjectNode plan, ObjectNode output, List<Gap> gaps) {}

    private static final class Draft {
        final Map<String, Property> props = new LinkedHashMap<>();
        final Set<String> taken = new HashSet<>(Set.of("auth"));
        final List<Gap> gaps = new ArrayList<>();
        final String place;

        Draft(String place) {
            this.place = place;
        }

        String add(String name, String suffix, Property property) {
            var key = taken.contains(name) ? name + "_" + suffix : name;
            var free = Texts.unique(key, taken);
            props.put(free, property);
            return free;
        }

        void gap(String message) {
            gaps.add(new Gap(place, message));
        }
    }

    /** Reads an operation; fails with {@link UnusableDocument} when it cannot be an action. */
    ReadOperation read(DocumentOperation operation, String server) {
        var draft = new Draft(operation.place());
        var plan = Json.object()
                .put("method", operation.method())
                .put("path", operation.path())
                .put("server", server);
        parameters(operation, plan, draft);
        body(operation, plan, draft);
        var output = response(operation, plan);
        pages(operation, plan, draft);
        return new ReadOperation(bounded(draft), plan, output, draft.gaps);
    }

    private void parameters(DocumentOperation operation, ObjectNode plan, Draft draft) {
        var bindings = plan.putArray("parameters");
        var own = new LinkedHashMap<String, JsonNode>();
        for (var list :
                List.of(operation.item().path("parameters"), operation.node().path("parameters"))) {
            list.forEach(given -> {
                var parameter = references.resolve(given);
                own.put(
                        parameter.path("in").asText() + " "
                                + parameter.path("name").asText(),
                        parameter);
            });
        }
        own.values().forEach(parameter -> parameter(parameter, bindings, draft));
        for (var name : RequestPlan.placeholders(operation.path())) {
            if (bindings.valueStream()
                    .noneMatch(one -> one.path("in").asText().equals("path")
                            && one.path("name").asText().equals(name))) {
                var property = Property.of(PropertyType.SHORT_TEXT, PropertyMapper.label(name, ""), true);
                bindings.addObject()
                        .put("prop", draft.add(name, "path", property))
                        .put("name", name)
                        .put("in", "path")
                        .put("style", "simple")
                        .put("explode", false);
                draft.gap("the path has {" + name + "}, which no parameter describes: it is a text");
            }
        }
    }

    private void parameter(JsonNode parameter, ArrayNode bindings, Draft draft) {
        var name = parameter.path("name").asText("");
        var in = parameter.path("in").asText("");
        if (name.isBlank() || name.length() > 200 || !PLACES.contains(in)) {
            draft.gap("a parameter has no name, or a place other than path, query, header and cookie");
            return;
        }
        if (in.equals("header") && OWN_HEADERS.contains(name.toLowerCase(Locale.ROOT))) {
            return;
        }
        var content = parameter.path("content").properties().stream().findFirst();
        var schema = content.map(entry -> entry.getValue().path("schema")).orElse(parameter.path("schema"));
        var required = in.equals("path") || parameter.path("required").asBoolean();
        var property =
                mapper.property(name, schema, parameter.path("description").asText(""), required);
        var style = parameter.path("style").asText(in.equals("query") || in.equals("cookie") ? "form" : "simple");
        bindings.addObject()
                .put("prop", draft.add(name, in, property))
                .put("name", name)
                .put("in", in)
                .put("style", style)
                .put("explode", parameter.path("explode").asBoolean(style.equals("form")))
                .put("reserved", parameter.path("allowReserved").asBoolean())
                .put("json", content.isPresent());
    }

    private void body(DocumentOperation operation, ObjectNode plan, Draft draft) {
        var body = references.resolve(operation.node().path("requestBody"));
        var content = body.path("content");
        if (!content.isObject() || content.isEmpty()) {
            return;
        }
        var type = MediaTypes.preferred(content);
        var media = content.path(type);
        var form = MediaTypes.formOf(type);
        var required = body.path("required").asBoolean();
        var written = plan.putObject("body").put("mediaType", type).put("form", form);
        var schema = schemas.effective(media.path("schema"));
        var isFlat = !schema.path("properties").isEmpty() && !schema.has("oneOf") && !schema.has("anyOf");
        if (form.equals("binary")) {
            var file = Property.of(PropertyType.FILE, "Body", required);
            written.put("whole", draft.add("body", "file", file));
        } else if (form.equals("text")) {
            written.put("whole", draft.add("body", "text", Property.of(PropertyType.LONG_TEXT, "Body", required)));
        } else if (isFlat) {
            fields(schema, media, required, written, draft);
        } else {
            var property = mapper.property(
                    "Body", media.path("schema"), body.path("description").asText(""), required);
            written.put("whole", draft.add("body", "body", property));
        }
    }

    private void fields(ObjectNode schema, JsonNode media, boolean required, ObjectNode written, Draft draft) {
        var fields = written.putArray("fields");
        schema.path("properties").properties().forEach(entry -> {
            var name = entry.getKey();
            var read = schemas.effective(entry.getValue());
            if (read.path("readOnly").asBoolean()) {
                return;
            }
            var isRequired = required && PropertyMapper.isRequired(schema, name);
            var property = property(
                    name,
                    entry.getValue(),
                    read,
                    isRequired,
                    written.path("form").asText());
            var encoding = media.path("encoding").path(name);
            var field = fields.addObject()
                    .put("prop", draft.add(name, "body", property))
                    .put("name", name)
                    .put("type", property.type().name());
            for (var key : List.of("style", "explode", "contentType")) {
                if (encoding.has(key)) {
                    field.set(key, encoding.get(key));
                }
            }
        });
    }

    /** In a multipart form a list of binary texts is a list of files. */
    private Property property(String name, JsonNode schema, ObjectNode read, boolean required, String form) {
        var isFileList = form.equals("multipart")
                && read.path("type").asText().equals("array")
                && PropertyMapper.isFile(schemas.effective(read.path("items")));
        if (isFileList) {
            return Property.of(PropertyType.ARRAY, PropertyMapper.label(name, ""), required)
                    .withItems(Map.of("file", Property.of(PropertyType.FILE, "File", true)));
        }
        return mapper.property(name, schema, "", required);
    }

    /** Schema of the first successful response; its media types choose the Accept header. */
    private ObjectNode response(DocumentOperation operation, ObjectNode plan) {
        var responses = operation.node().path("responses");
        var success = responses.properties().stream()
                .filter(entry -> entry.getKey().startsWith("2"))
                .map(entry -> references.resolve(entry.getValue()))
                .findFirst()
                .orElseGet(() -> references.resolve(responses.path("default")));
        var content = success.path("content");
        if (content.isEmpty()) {
            return Json.object();
        }
        var type = MediaTypes.preferred(content);
        plan.put(
                "accept",
                type.equals(JSON_TYPE) || !MediaTypes.formOf(type).equals("json") ? type : JSON_TYPE + ", " + type);
        return MediaTypes.formOf(type).equals("json")
                ? schemas.plain(content.path(type).path("schema"))
                : Json.object();
    }

    private void pages(DocumentOperation operation, ObjectNode plan, Draft draft) {
        Optional<Pagination> wanted = options.pagination()
                .filter(_ -> operation.method().equals("GET"))
                .filter(pages -> pages.kind() == Pagination.Kind.LINK
                        || plan.path("parameters")
                                .valueStream()
                                .anyMatch(one -> one.path("in").asText().equals("query")
                                        && one.path("name").asText().equals(pages.parameter())));
        wanted.ifPresent(pages -> {
            var written = plan.set("pages", pages.toJson());
            var all = Property.of(PropertyType.CHECKBOX, "All pages", false)
                    .describedAs("Collects the items of all pages, up to the maximum number of items.");
            var most = Property.of(PropertyType.NUMBER, "Maximum number of items", false)
                    .describedAs("1 to " + PageCollector.ITEMS_MAX + "; default: " + PageCollector.ITEMS_DEFAULT + ".");
            ((ObjectNode) written.path("pages"))
                    .put("allProp", draft.add("all_pages", "option", all))
                    .put("itemsProp", draft.add("max_items", "option", most));
        });
    }

    private Map<String, Property> bounded(Draft draft) {
        if (draft.props.size() <= options.propertiesMax()) {
            return draft.props;
        }
        var required = draft.props.values().stream().filter(Property::required).count();
        if (required > options.propertiesMax()) {
            throw new UnusableDocument("it has " + required + " required properties, more than "
                    + options.propertiesMax() + " (AP_OPENAPI_PROPERTIES_MAX)");
        }
        var room = options.propertiesMax() - required;
        var kept = new LinkedHashMap<String, Property>();
        for (var entry : draft.props.entrySet()) {
            if (entry.getValue().required() || room > 0) {
                kept.put(entry.getKey(), entry.getValue());
                room -= entry.getValue().required() ? 0 : 1;
            }
        }
        draft.gap((draft.props.size() - kept.size()) + " optional properties beyond " + options.propertiesMax()
                + " are left out (AP_OPENAPI_PROPERTIES_MAX)");
        return kept;
    }
}
