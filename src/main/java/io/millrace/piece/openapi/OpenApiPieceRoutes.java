package io.millrace.piece.openapi;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.text.ReceivedText;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The route that makes a piece of an OpenAPI document. It takes JSON, or a form whose structured fields are JSON texts. */
public final class OpenApiPieceRoutes implements RouteGroup {
    private static final long DEADLINE_MS = 60_000;
    private static final Pattern NAME = Pattern.compile("^[a-z0-9][a-z0-9-]{0,63}$");
    private static final Pattern SCOPE = Pattern.compile("^(PLATFORM|platform)$");
    private static final Pattern FLAG = Pattern.compile("^(true|false)$");
    private static final Pattern DISPLAY_NAME = Pattern.compile("^[^\\p{Cntrl}]{1,100}$");
    private static final Pattern ADDRESS = Pattern.compile("^[^\\p{Cntrl}]{1,2000}$");
    private static final Pattern SEARCH = Pattern.compile("^[^\\p{Cntrl}]{0,200}$");
    private static final Pattern OPERATION = Pattern.compile("^[^\\p{Cntrl}]{1,1000}$");
    private static final Pattern VARIABLE = Pattern.compile("^[^\\p{Cntrl}]{0,500}$");
    private static final int TEXTS_MAX = 5_000;
    private static final int VARIABLES_MAX = 50;

    private final Bus bus;

    public OpenApiPieceRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.postForm("/v1/pieces/openapi", Access.platformAdmin(), Parameters::read, this::add);
    }

    private record Parameters(OpenApiPieces.Definition definition, boolean dryRun, Optional<String> search) {
        static Parameters read(Input input) {
            var body = input.body();
            body.optionalText("scope", SCOPE);
            var displayName = body.optionalText("displayName", DISPLAY_NAME);
            var definition = new OpenApiPieces.Definition(
                    sourceOf(body),
                    body.optionalText("name", NAME),
                    displayName,
                    names(body, "operations", TEXTS_MAX, "an operation id, or a method and a path"),
                    paginationOf(body),
                    body.optionalText("baseUrl", ADDRESS),
                    variables(body),
                    names(body, "connectionVariables", VARIABLES_MAX, "the name of a variable"));
            return new Parameters(definition, flag(body), body.optionalText("search", SEARCH));
        }
    }

    private static OpenApiPieces.Source sourceOf(Fields body) {
        var given = Set.of("url", "document", "file").stream()
                .filter(name -> !body.isAbsent(name))
                .count();
        if (given != 1) {
            body.refuse("document", "Expected exactly one of url, document and file");
            return new OpenApiPieces.Source.Text("");
        }
        if (!body.isAbsent("url")) {
            return new OpenApiPieces.Source.Address(body.text("url", ADDRESS));
        }
        if (!body.isAbsent("document")) {
            var document = body.raw("document");
            return new OpenApiPieces.Source.Text(document.isTextual() ? document.textValue() : Json.text(document));
        }
        if (!(body.raw("file") instanceof BinaryNode file)) {
            body.refuse("file", "Expected a file");
            return new OpenApiPieces.Source.Text("");
        }
        var text = ReceivedText.decoded(file.binaryValue(), StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            body.refuse("file", "Expected a text in UTF-8, found other bytes");
        }
        return new OpenApiPieces.Source.Text(text.orElse(""));
    }

    private static JsonNode structured(Fields body, String name) {
        if (body.isAbsent(name)) {
            return MissingNode.getInstance();
        }
        var value = body.raw(name);
        if (!value.isTextual()) {
            return value;
        }
        try {
            return Json.parse(value.textValue());
        } catch (JsonProcessingException notJson) {
            body.refuse(name, "Expected JSON");
            return MissingNode.getInstance();
        }
    }

    private static Set<String> names(Fields body, String field, int most, String expected) {
        var list = structured(body, field);
        var names = new LinkedHashSet<String>();
        if (!list.isMissingNode() && !list.isArray() || list.size() > most) {
            body.refuse(field, "Expected a list of at most " + most + " texts");
            return names;
        }
        for (var index = 0; index < list.size(); index++) {
            var one = list.get(index);
            if (!one.isTextual() || !OPERATION.matcher(one.textValue()).matches()) {
                body.refuse(field + "/" + index, "Expected " + expected);
            }
            names.add(one.asText());
        }
        return names;
    }

    private static Map<String, String> variables(Fields body) {
        var given = structured(body, "serverVariables");
        var variables = new LinkedHashMap<String, String>();
        if (!given.isMissingNode() && !given.isObject()) {
            body.refuse("serverVariables", "Expected an object of texts");
        }
        if (given.size() > VARIABLES_MAX) {
            body.refuse("serverVariables", "Expected at most " + VARIABLES_MAX + " variables, found " + given.size());
            return variables;
        }
        given.properties().forEach(entry -> {
            var value = entry.getValue();
            if (value.isContainerNode() || !VARIABLE.matcher(value.asText()).matches()) {
                body.refuse("serverVariables/" + entry.getKey(), "Expected a text of at most 500 characters");
            }
            variables.put(entry.getKey(), value.asText());
        });
        return variables;
    }

    private static Optional<Pagination> paginationOf(Fields body) {
        var given = structured(body, "pagination");
        if (given.isMissingNode()) {
            return Optional.empty();
        }
        var fields = Fields.of("body/pagination", given.isObject() ? given : Json.object());
        var kind = fields.option("kind", Pagination.Kind.class);
        var parameter = kind == Pagination.Kind.LINK ? "" : fields.text("parameter", 1, Fields.NAME_LENGTH_MAX);
        var pagination = new Pagination(
                kind,
                parameter,
                pointer(fields, "itemsPath", false),
                pointer(fields, "cursorPath", kind == Pagination.Kind.CURSOR),
                fields.optionalInteger("first", 0, 1_000_000).orElse(kind == Pagination.Kind.PAGE ? 1 : 0));
        fields.done();
        return Optional.of(pagination);
    }

    private static String pointer(Fields fields, String name, boolean required) {
        var text = required ? fields.text(name) : fields.optionalText(name).orElse("");
        try {
            JsonPointer.compile(text == null ? "" : text);
        } catch (IllegalArgumentException malformed) {
            fields.refuse(name, "Expected a JSON pointer such as /data/items");
        }
        return text;
    }

    private static boolean flag(Fields body) {
        if (body.isAbsent("dryRun")) {
            return false;
        }
        var value = body.raw("dryRun");
        return value.isTextual() ? body.text("dryRun", FLAG).equals("true") : body.flag("dryRun");
    }

    private Future<ApiReply> add(ApiCall call, Parameters parameters) {
        var add = new OpenApiPieces.Add(
                call.principal().platform(), parameters.definition(), parameters.dryRun(), parameters.search());
        return bus.ask(add, DEADLINE_MS)
                .map(added -> added.created() ? ApiReply.created(added.report()) : ApiReply.ok(added.report()));
    }
}
