package io.millrace.piece.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import io.millrace.piece.property.PropertyDefinitions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Converts an OpenAPI document (3.0, 3.1 or Swagger 2.0) into the description of a piece and a report. Pure.
 *
 * <p>The description is that of an installed piece with one more field, {@value #PLANS}, which has the requests.
 */
public final class DocumentConverter {
    static final String PLANS = "openApi";

    static final String OPTIONS = "options";

    private static final List<String> METHODS =
            List.of("get", "put", "post", "delete", "options", "head", "patch", "trace");

    private static final int DESCRIPTION_CHARACTERS_MAX = 1_000;
    private static final int DESCRIPTION_BYTES_MAX = 16 << 20;
    private static final String LOGO = "https://cdn.activepieces.com/pieces/http.png";

    private final ObjectNode document;
    private final ConversionOptions options;
    private final DocumentReferences references;
    private final List<Gap> gaps = new ArrayList<>();
    private final Set<String> usedSchemes = new LinkedHashSet<>();
    private final List<JsonNode> combined = new ArrayList<>();

    private DocumentConverter(ObjectNode document, ConversionOptions options) {
        this.document = document;
        this.options = options;
        this.references = new DocumentReferences(document);
    }

    /**
     * Result of a conversion.
     *
     * @param title name of the API
     * @param metadata description of the piece without name and version
     * @param servers servers of the document; its addresses and operations are complete after {@link Servers#requireValues}
     * @param listed all operations of the document, selected or not
     */
    public record Conversion(
            String title, ObjectNode metadata, Servers servers, List<ListedOperation> listed, List<Gap> gaps) {}

    /**
     * An operation in lists.
     *
     * @param converted true if the piece has it
     */
    public record ListedOperation(
            String tag,
            String method,
            String path,
            String operationId,
            String actionName,
            String summary,
            boolean deprecated,
            boolean converted) {
        ObjectNode toJson() {
            return Json.object()
                    .put("method", method)
                    .put("path", path)
                    .put("id", operationId)
                    .put("actionName", actionName)
                    .put("summary", summary)
                    .put("deprecated", deprecated)
                    .put("selected", converted);
        }
    }

    /** Fails with {@link UnusableDocument}. */
    public static Conversion convert(String text, int bytesMax, ConversionOptions options) {
        try {
            var parsed = DocumentText.parse(text, bytesMax);
            return new DocumentConverter(versioned(parsed), options).converted();
        } catch (StackOverflowError tooDeep) {
            throw new UnusableDocument("the document is nested too deeply");
        }
    }

    private static ObjectNode versioned(ObjectNode document) {
        var openApi = document.path("openapi").asText("");
        var swagger = document.path("swagger").asText("");
        if (openApi.startsWith("3.")) {
            return document;
        }
        if (swagger.startsWith("2")) {
            return SwaggerUpgrade.upgraded(document);
        }
        throw new UnusableDocument("expected openapi 3.0 or 3.1, or swagger 2.0; found "
                + Texts.shortened((openApi + swagger).isEmpty() ? "neither" : openApi + swagger, 40));
    }

    private Conversion converted() {
        var operations = operations();
        var chosen = operations.stream()
                .filter(one -> one.isIn(options.operations()))
                .toList();
        refuse(operations, chosen);
        var servers = new Servers(document, options);
        var actions = Json.object();
        var plans = Json.object();
        var done = new HashSet<String>();
        for (var operation : chosen) {
            action(operation, servers, actions, plans, done);
        }
        if (actions.isEmpty()) {
            throw new UnusableDocument("no operation can be an action: "
                    + gaps.stream().findFirst().map(Gap::message).orElse("the document has none"));
        }
        var ofConnections = servers.ofConnections(
                plans.valueStream().map(plan -> plan.path("server").asText()).toList());
        var fields = ConnectionAddress.stored(ofConnections, new HashSet<>(usedSchemes));
        var address = Json.object();
        ConnectionAddress.addProps(ofConnections, fields, address);
        actions.properties().forEach(action -> {
            if (isOfConnection(plans.path(action.getKey()), fields)) {
                ((ObjectNode) action.getValue()).put("requireAuth", true);
            }
        });
        var auth = new AuthMapper(references, document.path("components").path("securitySchemes"), gaps)
                .mapped(usedSchemes, combined, address);
        references
                .problems()
                .forEach((reference, problem) -> gaps.add(new Gap(Texts.shortened(reference, 200), problem)));
        var metadata = metadata(actions);
        auth.definition().ifPresent(definition -> metadata.set("auth", definition));
        var stored = metadata.putObject(PLANS).put("baseUrl", servers.common());
        stored.set("schemes", auth.schemes());
        stored.set("places", auth.places());
        if (!fields.isEmpty()) {
            stored.set(ConnectionAddress.FIELDS, fields);
        }
        stored.set("actions", plans);
        var given = options.toJson();
        if (!given.isEmpty()) {
            stored.set(OPTIONS, given);
        }
        bound(metadata);
        var listed = operations.stream().map(one -> listed(one, done)).toList();
        return new Conversion(title(), metadata, servers, listed, List.copyOf(gaps));
    }

    private static boolean isOfConnection(JsonNode plan, ObjectNode fields) {
        return new AddressTemplate(plan.path("server").asText())
                .names().stream().anyMatch(fields::has);
    }

    /** Leaves out the schemas of outputs of a description that is too large; only editors read them. */
    private void bound(ObjectNode metadata) {
        if (Json.bytes(metadata).length <= DESCRIPTION_BYTES_MAX) {
            return;
        }
        metadata.path("actions").forEach(action -> ((ObjectNode) action).remove("outputSchema"));
        gaps.add(new Gap(
                "document",
                "schemas of outputs are left out: the description would be larger than " + DESCRIPTION_BYTES_MAX
                        + " bytes"));
        if (Json.bytes(metadata).length > DESCRIPTION_BYTES_MAX) {
            throw new UnusableDocument("the description of the piece is larger than " + DESCRIPTION_BYTES_MAX
                    + " bytes: choose fewer operations");
        }
    }

    private static ListedOperation listed(DocumentOperation one, Set<String> done) {
        return new ListedOperation(
                one.tag(),
                one.method(),
                one.path(),
                one.operationId(),
                one.actionName(),
                Texts.shortened(one.summary(), 200),
                one.node().path("deprecated").asBoolean(),
                done.contains(one.actionName()));
    }

    private void refuse(List<DocumentOperation> operations, List<DocumentOperation> chosen) {
        if (operations.isEmpty()) {
            throw new UnusableDocument("expected operations under paths, found none");
        }
        for (var wanted : options.operations()) {
            if (operations.stream().noneMatch(one -> one.isIn(Set.of(wanted)))) {
                throw new UnusableDocument("the document has no operation " + Texts.shortened(wanted, 200));
            }
        }
        if (chosen.size() > options.operationsMax()) {
            throw new UnusableDocument("expected at most " + options.operationsMax() + " operations, found "
                    + chosen.size() + ": choose some, or raise AP_OPENAPI_OPERATIONS_MAX");
        }
    }

    private List<DocumentOperation> operations() {
        var all = new ArrayList<DocumentOperation>();
        var taken = new HashSet<String>();
        document.path("paths").properties().forEach(path -> {
            var item = references.resolve(path.getValue());
            if (!path.getKey().startsWith("/")) {
                if (!path.getKey().startsWith("x-")) {
                    gaps.add(new Gap(Texts.shortened(path.getKey(), 200), "expected a path that begins with a slash"));
                }
                return;
            }
            for (var method : METHODS) {
                if (item.path(method) instanceof ObjectNode operation) {
                    var upper = method.toUpperCase(Locale.ROOT);
                    var name = nameOf(operation, upper, path.getKey());
                    all.add(new DocumentOperation(upper, path.getKey(), item, operation, Texts.unique(name, taken)));
                }
            }
        });
        return all;
    }

    private static String nameOf(JsonNode operation, String method, String path) {
        var id = Texts.identifier(operation.path("operationId").asText(""));
        var fallback = Texts.identifier(method.toLowerCase(Locale.ROOT) + "_" + path);
        return !id.isEmpty() ? id : fallback.isEmpty() ? method.toLowerCase(Locale.ROOT) : fallback;
    }

    private void action(
            DocumentOperation operation, Servers servers, ObjectNode actions, ObjectNode plans, Set<String> done) {
        ApiOperationReader.ReadOperation read;
        try {
            var server = servers.of(operation.item(), operation.node());
            read = new ApiOperationReader(references, options).read(operation, server);
        } catch (UnusableDocument refused) {
            gaps.add(new Gap(operation.place(), refused.getMessage()));
            return;
        }
        gaps.addAll(read.gaps());
        var security = operation.node().has("security") ? operation.node().path("security") : document.path("security");
        var alternatives = new AuthMapper(
                        references, document.path("components").path("securitySchemes"), gaps)
                .alternatives(security, usedSchemes);
        alternatives.forEach(combined::add);
        var isOpen = alternatives.isEmpty() || alternatives.valueStream().anyMatch(JsonNode::isEmpty);
        var description = Texts.joined(
                operation.node().path("description").asText("").strip(),
                operation.node().path("deprecated").asBoolean() ? "Deprecated." : "");
        var action = actions.putObject(operation.actionName())
                .put("name", operation.actionName())
                .put("displayName", displayName(operation))
                .put(
                        "description",
                        Texts.shortened(
                                description.isEmpty() ? operation.summary() : description, DESCRIPTION_CHARACTERS_MAX));
        action.set("props", PropertyDefinitions.write(read.props()));
        action.put("requireAuth", !isOpen);
        if (!operation.tag().isEmpty()) {
            action.put("group", Texts.shortened(operation.tag(), 100));
        }
        if (!read.output().isEmpty()) {
            action.set("outputSchema", read.output());
        }
        read.plan().set("security", alternatives);
        plans.set(operation.actionName(), read.plan());
        done.add(operation.actionName());
    }

    private static String displayName(DocumentOperation operation) {
        var summary = operation.summary();
        if (!summary.isEmpty()) {
            return Texts.shortened(summary, 120);
        }
        var id = operation.operationId();
        return Texts.shortened(id.isEmpty() ? operation.place() : PropertyMapper.label(id, ""), 120);
    }

    private String title() {
        var title = document.path("info").path("title").asText("").strip();
        return title.isEmpty() ? "API" : Texts.shortened(title, 100);
    }

    private ObjectNode metadata(ObjectNode actions) {
        var metadata = Json.object().put("displayName", title());
        metadata.put(
                "description",
                Texts.shortened(document.path("info").path("description").asText(""), DESCRIPTION_CHARACTERS_MAX));
        metadata.put("logoUrl", LOGO);
        ArrayNode authors = metadata.putArray("authors");
        var contact =
                document.path("info").path("contact").path("name").asText("").strip();
        if (!contact.isEmpty()) {
            authors.add(Texts.shortened(contact, 100));
        }
        metadata.putArray("categories");
        metadata.set("actions", actions);
        metadata.putObject("triggers");
        metadata.putObject("contextInfo").put("version", "2");
        return metadata;
    }
}
