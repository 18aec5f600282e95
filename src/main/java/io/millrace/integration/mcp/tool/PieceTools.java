package io.millrace.integration.mcp.tool;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.piece.openapi.OpenApiPieces;
import io.millrace.piece.openapi.Pagination;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Tool that makes a piece of an OpenAPI document, for administrators of the platform. */
final class PieceTools {
    private static final long DEADLINE_MS = 60_000;
    private static final String NAME_PATTERN = "[a-z0-9][a-z0-9-]{0,63}";
    private static final String URL = "url";
    private static final String DOCUMENT = "document";
    private static final String NAME = "name";
    private static final String OPERATIONS = "operations";
    private static final String PAGINATION = "pagination";
    private static final String PARAMETER = "pageParameter";
    private static final String ITEMS = "itemsPath";
    private static final String CURSOR = "cursorPath";
    private static final String VARIABLES = "serverVariables";
    private static final String CONNECTION_VARIABLES = "connectionVariables";
    private static final int VARIABLES_MAX = 50;
    private static final int TEXTS_MAX = 5_000;

    private final Bus bus;

    PieceTools(Bus bus) {
        this.bus = bus;
    }

    List<Tool> all() {
        return List.of(new Tool(
                new ToolSpec(
                        "ap_add_openapi_piece",
                        "Make a piece of an OpenAPI document",
                        "Makes the operations of an OpenAPI document actions of a piece of the platform, or upgrades it. With dryRun the result"
                                + " lists operations, gaps and changes only. Needs an administrator of the platform.",
                        ToolInput.none()
                                .text(URL, "Address of the document in JSON or YAML; give this or document.")
                                .text(DOCUMENT, "Text of the document; give this or url.")
                                .text(NAME, "Name after @openapi/piece-; default: from the title of the API.")
                                .list(
                                        OPERATIONS,
                                        "Operation ids, or methods and paths such as GET /pets; default: all.")
                                .text("baseUrl", "Address of the API; default: the first server of the document.")
                                .object(
                                        VARIABLES,
                                        "Values of variables in addresses of servers; default: those of the document.")
                                .list(
                                        CONNECTION_VARIABLES,
                                        "Variables in addresses of servers that each connection fills, such as tenant.")
                                .choice(PAGINATION, "Way to the next page of a list.", Pagination.Kind.class)
                                .text(PARAMETER, "Query parameter of the cursor, the page number or the offset.")
                                .text(ITEMS, "JSON pointer of the list in a response.")
                                .text(CURSOR, "JSON pointer of the next cursor, for CURSOR.")
                                .text("search", "Text that listed operations must contain.")
                                .flag("dryRun", "True to install nothing."),
                        Permission.WRITE_FLOW,
                        ToolSpec.Effect.WRITES),
                this::add));
    }

    private Future<ToolResult> add(Tool.Use use) {
        if (!use.by().administersPlatform()) {
            return Future.succeededFuture(ToolResult.failed(
                    "PERMISSION_DENIED: pieces of the platform are installed by its administrators; ask one of them"));
        }
        var objection = objection(use);
        if (objection.isPresent()) {
            return Future.succeededFuture(ToolResult.failed(objection.get()));
        }
        var source = use.text(URL).isEmpty()
                ? new OpenApiPieces.Source.Text(use.text(DOCUMENT))
                : new OpenApiPieces.Source.Address(use.text(URL));
        var definition = new OpenApiPieces.Definition(
                source,
                optional(use, NAME),
                Optional.empty(),
                texts(use, OPERATIONS),
                pagination(use),
                optional(use, "baseUrl"),
                variables(use),
                texts(use, CONNECTION_VARIABLES));
        var ask = new OpenApiPieces.Add(
                use.by().platform(),
                definition,
                use.arguments().path("dryRun").asBoolean(false),
                optional(use, "search"));
        return bus.ask(ask, DEADLINE_MS)
                .map(added -> ToolResult.json(added.report()))
                .recover(failure -> failure instanceof ApiException refused
                        ? Future.succeededFuture(ToolResult.failed(refused.code() + ": " + refused.text()))
                        : Future.failedFuture(failure));
    }

    private static Set<String> texts(Tool.Use use, String name) {
        return use.arguments()
                .path(name)
                .valueStream()
                .map(JsonNode::textValue)
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Map<String, String> variables(Tool.Use use) {
        return use.arguments()
                .path(VARIABLES)
                .propertyStream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().asText()));
    }

    private static Optional<String> objection(Tool.Use use) {
        if (use.text(URL).isEmpty() == use.text(DOCUMENT).isEmpty()) {
            return Optional.of("document: expected exactly one of url and document");
        }
        if (!use.text(NAME).isEmpty() && !use.text(NAME).matches(NAME_PATTERN)) {
            return Optional.of("name: expected small letters, digits and dashes, at most 64");
        }
        var operations = use.arguments().path(OPERATIONS);
        if (operations.size() > TEXTS_MAX || operations.valueStream().anyMatch(each -> !each.isTextual())) {
            return Optional.of("operations: expected at most " + TEXTS_MAX + " texts");
        }
        var ofConnections = use.arguments().path(CONNECTION_VARIABLES);
        if (ofConnections.size() > VARIABLES_MAX || ofConnections.valueStream().anyMatch(each -> !each.isTextual())) {
            return Optional.of(CONNECTION_VARIABLES + ": expected at most " + VARIABLES_MAX + " texts");
        }
        var variables = use.arguments().path(VARIABLES);
        if (variables.size() > VARIABLES_MAX || variables.valueStream().anyMatch(JsonNode::isContainerNode)) {
            return Optional.of(VARIABLES + ": expected an object of at most " + VARIABLES_MAX + " texts");
        }
        var kind = use.text(PAGINATION);
        if (!kind.isEmpty() && !kind.equals("LINK") && use.text(PARAMETER).isEmpty()) {
            return Optional.of(PARAMETER + ": expected the query parameter of the " + kind);
        }
        if (kind.equals("CURSOR") && use.text(CURSOR).isEmpty()) {
            return Optional.of(CURSOR + ": expected the JSON pointer of the next cursor");
        }
        for (var pointer : List.of(ITEMS, CURSOR)) {
            if (!use.text(pointer).isEmpty() && !use.text(pointer).startsWith("/")) {
                return Optional.of(pointer + ": expected a JSON pointer such as /data/items");
            }
        }
        return Optional.empty();
    }

    private static Optional<Pagination> pagination(Tool.Use use) {
        return optional(use, PAGINATION).map(word -> {
            var kind = Pagination.Kind.valueOf(word);
            return new Pagination(
                    kind,
                    kind == Pagination.Kind.LINK ? "" : use.text(PARAMETER),
                    JsonPointer.compile(use.text(ITEMS)).toString(),
                    JsonPointer.compile(use.text(CURSOR)).toString(),
                    kind == Pagination.Kind.PAGE ? 1 : 0);
        });
    }

    private static Optional<String> optional(Tool.Use use, String name) {
        return Optional.of(use.text(name)).filter(text -> !text.isEmpty());
    }
}
