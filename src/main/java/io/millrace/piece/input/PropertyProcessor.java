package io.millrace.piece.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.PieceFailure;
import io.millrace.piece.property.Property;
import io.millrace.piece.property.PropertyDefinitions;
import io.millrace.piece.property.PropertyType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Converts a step's resolved input into the input of its action or trigger: values are coerced to their types and
 * validated (contract flows-and-engine 8, pieces 6). Compiled once for a step, then used by every run of it; immutable.
 *
 * <p>Input fields without a property are passed unchanged. An absent required property takes its default; without a
 * default it is an error. The input is never modified; without coercions it is returned itself.
 */
public final class PropertyProcessor {
    /** Extra of a DYNAMIC property that names its child of type JSON that also accepts numbers, booleans and null. */
    public static final String ANY_JSON = "anyJson";

    private static final String AUTH = "auth";

    private static final FileValue SOME_FILE = new FileValue("unknown.bin", "bin", Buffer.buffer());

    private final List<Field> fields;

    private PropertyProcessor(List<Field> fields) {
        this.fields = fields;
    }

    /**
     * A property that needs processing.
     *
     * @param items processor of an ARRAY's items, null when the items are not objects
     * @param saved processor of a DYNAMIC property's saved schema, null when none was saved; of the properties of an
     *     authentication
     */
    record Field(String name, Property property, PropertyProcessor items, PropertyProcessor saved) {
        boolean isOfAuth() {
            return name.equals(AUTH);
        }

        /** Processor of the children of a DYNAMIC property for an input; empty for other types. */
        Optional<PropertyProcessor> childrenFor(JsonNode input) {
            return saved == null && property.children() != null && input instanceof ObjectNode object
                    ? Optional.of(compile(property.children().apply(object)))
                    : Optional.ofNullable(saved);
        }
    }

    List<Field> fields() {
        return fields;
    }

    /**
     * Messages about given values that processing replaced by nothing, because an optional property accepts that (contract
     * flows-and-engine 8.3): dates, objects and files that cannot be read. Each names its field.
     */
    public List<String> dropped(ObjectNode given, ObjectNode processed) {
        return DroppedValues.of(this, given, processed);
    }

    /** The messages for values before a run. Remote files count as readable; values of required properties are not checked. */
    public List<String> dropped(ObjectNode given) {
        return dropped(given, process(given, PropertyProcessor::assumed, Json.object()));
    }

    private static Optional<FileValue> assumed(String text) {
        return PropertyCoercion.isRemoteFile(text) ? Optional.of(SOME_FILE) : FileValue.ofDataUri(text);
    }

    public static PropertyProcessor compile(Map<String, Property> props) {
        return compile(props, Json.object());
    }

    /**
     * A processor of a step's properties.
     *
     * @param propertySettings the step's settings by property; {@code schema} of a DYNAMIC one defines its children
     */
    public static PropertyProcessor compile(Map<String, Property> props, JsonNode propertySettings) {
        var fields = new ArrayList<Field>();
        props.forEach((name, property) -> {
            if (needsWork(property)) {
                var schema = propertySettings.path(name).path("schema");
                fields.add(new Field(name, property, itemsOf(property), savedOf(property, schema)));
            }
        });
        return new PropertyProcessor(List.copyOf(fields));
    }

    /**
     * Returns a processor for a step with a connection: the connection's value is processed too, when the piece's
     * authentication has properties (8.1).
     *
     * @param auth definition of the authentication, a list of definitions, or null
     */
    public PropertyProcessor withAuth(JsonNode auth) {
        var definitions = auth == null
                ? List.<JsonNode>of()
                : auth.isArray() ? auth.valueStream().toList() : List.of(auth);
        var all = new ArrayList<>(fields);
        for (var definition : definitions) {
            Stream.of(PropertyType.CUSTOM_AUTH, PropertyType.OAUTH2)
                    .filter(type -> type.name().equals(definition.path("type").asText()))
                    .filter(_ -> definition.path("props").isObject())
                    .forEach(type -> all.add(new Field(
                            AUTH,
                            Property.of(type, AUTH, false),
                            null,
                            compile(PropertyDefinitions.read(definition.path("props"))))));
        }
        return new PropertyProcessor(List.copyOf(all));
    }

    /**
     * Processes an input without remote files; a FILE given by URL becomes null.
     *
     * @throws PieceFailure when a value does not fit; the message is the indented JSON of all problems
     */
    public ObjectNode apply(ObjectNode input) {
        return checked(
                input, text -> PropertyCoercion.isRemoteFile(text) ? Optional.empty() : FileValue.ofDataUri(text));
    }

    /**
     * Processes an input, reading remote files first. Completes at once when there are none.
     *
     * @return the processed input; fails with {@link PieceFailure} when a value does not fit
     */
    public Future<ObjectNode> apply(ObjectNode input, FileFetcher fetcher) {
        try {
            var wanted = new LinkedHashMap<String, Future<Optional<FileValue>>>();
            // The first pass collects the required files, and rejects invalid values before any download.
            var processed = checked(input, text -> {
                if (!PropertyCoercion.isRemoteFile(text)) {
                    return held(text, fetcher);
                }
                wanted.put(text, null);
                return Optional.of(SOME_FILE);
            });
            return wanted.isEmpty() ? Future.succeededFuture(processed) : withFiles(input, wanted, fetcher);
        } catch (PieceFailure refused) {
            return Future.failedFuture(refused);
        }
    }

    private Future<ObjectNode> withFiles(
            ObjectNode input, Map<String, Future<Optional<FileValue>>> wanted, FileFetcher fetcher) {
        wanted.replaceAll((url, unread) -> fetcher.fetch(url));
        return Future.all(List.copyOf(wanted.values()))
                .map(read -> checked(
                        input,
                        text -> wanted.containsKey(text) ? wanted.get(text).result() : held(text, fetcher)));
    }

    private static Optional<FileValue> held(String text, FileFetcher fetcher) {
        var file = FileValue.ofDataUri(text);
        file.ifPresent(fetcher::requireAllowed);
        return file;
    }

    private ObjectNode checked(ObjectNode input, Function<String, Optional<FileValue>> files) {
        var errors = Json.object();
        var processed = process(input, files, errors);
        if (!errors.isEmpty()) {
            throw PieceFailure.of(Json.pretty(errors));
        }
        return processed;
    }

    /** @param errors problems by field are added to it */
    ObjectNode process(ObjectNode asked, Function<String, Optional<FileValue>> files, ObjectNode errors) {
        var input = withDefaults(asked);
        ObjectNode changed = null;
        for (var field : fields) {
            var given = input.get(field.name());
            if (given == null) {
                checkAbsent(field, errors);
                continue;
            }
            var value = valueOf(field, given, input, files, errors);
            PropertyCheck.problem(field.property(), value, given)
                    .ifPresent(problem -> errors.putArray(field.name()).add(problem));
            if (!Objects.equals(value, given)) {
                changed = changed == null ? Json.object().setAll(input) : changed;
                set(changed, field.name(), value);
            }
        }
        return changed == null ? input : changed;
    }

    private ObjectNode withDefaults(ObjectNode asked) {
        ObjectNode changed = null;
        for (var field : fields) {
            if (takesDefault(field.property()) && !asked.has(field.name())) {
                changed = changed == null ? Json.object().setAll(asked) : changed;
                changed.set(field.name(), field.property().defaultValue().deepCopy());
            }
        }
        return changed == null ? asked : changed;
    }

    private static boolean takesDefault(Property property) {
        return property.required()
                && property.defaultValue() != null
                && !property.defaultValue().isNull();
    }

    private static void checkAbsent(Field field, ObjectNode errors) {
        PropertyCheck.problem(field.property(), null, null)
                .ifPresent(problem -> errors.putArray(field.name()).add(problem));
    }

    private static JsonNode valueOf(
            Field field,
            JsonNode given,
            ObjectNode input,
            Function<String, Optional<FileValue>> files,
            ObjectNode errors) {
        if (field.name().equals(AUTH) && field.saved() != null) {
            return given instanceof ObjectNode values ? NestedInput.credentials(field, values, files, errors) : given;
        }
        if (field.property().type() == PropertyType.DYNAMIC) {
            return given instanceof ObjectNode values
                    ? NestedInput.children(field, values, input, files, errors)
                    : given;
        }
        if (field.items() != null) {
            return NestedInput.items(field, given, files, errors);
        }
        return PropertyCoercion.coerce(field.property(), given, files);
    }

    private static void set(ObjectNode target, String name, JsonNode value) {
        if (value == null) {
            target.remove(name);
        } else {
            target.set(name, value);
        }
    }

    private static boolean needsWork(Property property) {
        return property.type() == PropertyType.SECRET_TEXT
                || property.type() == PropertyType.DYNAMIC
                || takesDefault(property)
                || !property.options().isEmpty()
                || PropertyCheck.kindOf(property.type()).isPresent();
    }

    private static PropertyProcessor itemsOf(Property property) {
        return property.properties().isEmpty() ? null : compile(property.properties());
    }

    private static PropertyProcessor savedOf(Property property, JsonNode schema) {
        if (property.type() != PropertyType.DYNAMIC) {
            return null;
        }
        if (schema.isObject() && !schema.isEmpty()) {
            return compile(PropertyDefinitions.read(schema));
        }
        // Without a schema and without a function, the children are passed unchanged.
        return property.children() == null ? compile(Map.of()) : null;
    }
}
