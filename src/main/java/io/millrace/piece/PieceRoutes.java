package io.millrace.piece;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.access.Access;
import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.http.Call;
import io.millrace.http.HttpModule;
import io.millrace.http.Input;
import io.millrace.http.Reply;
import io.millrace.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Pieces over HTTP (contract flows-and-engine 29). The name of a piece has a slash in it, which callers write as it is
 * or percent-encoded.
 */
public final class PieceRoutes implements HttpModule {
    private static final Pattern VERSION = Pattern.compile("^[~^]?[0-9]+\\.[0-9]+\\.[0-9]+$");

    private final Bus bus;

    public PieceRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var anybody = Access.anyPrincipal();
        routes.get("/v1/pieces", anybody, PieceRoutes::readQuery, this::list);
        routes.get("/v1/pieces/categories", anybody, input -> input, (call, input) -> categories());
        routes.get("/v1/pieces/registry", anybody, input -> input, (call, input) -> registry(call));
        routes.get("/v1/pieces/:name/versions", anybody, PieceRoutes::readName, this::versions);
        routes.get("/v1/pieces/:scope/:name/versions", anybody, PieceRoutes::readName, this::versions);
        routes.get("/v1/pieces/:name", anybody, PieceRoutes::readGet, this::get);
        routes.get("/v1/pieces/:scope/:name", anybody, PieceRoutes::readGet, this::get);
        routes.post("/v1/pieces/options", Access.projectUsersInBody(), PieceRoutes::readOptions, this::options);
    }

    private static PieceQuery readQuery(Input input) {
        var query = input.query();
        query.optionalText("release").ifPresent(release -> {
            throw ApiException.of(
                    ErrorCode.PIECE_SYNC_NOT_SUPPORTED,
                    Json.object()
                            .put("release", release)
                            .put("message", "Pieces come with the server, they are not listed by release"));
        });
        return new PieceQuery(
                query.optionalText("searchQuery").orElse(null),
                Set.copyOf(query.options("categories", PieceCategory.class)),
                query.optionalOption("sortBy", PieceQuery.SortBy.class).orElse(null),
                query.optionalOption("orderBy", PieceQuery.Order.class).orElse(null),
                query.optionalOption("suggestionType", PieceQuery.SuggestionType.class)
                        .orElse(null));
    }

    private Future<Reply> list(Call call, PieceQuery query) {
        return bus.ask(new Pieces.Find(query), call.deadlineMs()).map(Reply::ok);
    }

    private static Future<Reply> categories() {
        return Future.succeededFuture(Reply.ok(Json.mapper().<ArrayNode>valueToTree(PieceCategory.values())));
    }

    private Future<Reply> registry(Call call) {
        return bus.ask(new Pieces.FindRegistered(), call.deadlineMs()).map(Reply::ok);
    }

    private static String readName(Input input) {
        var scope = input.parameter("scope");
        return scope.isEmpty() ? input.parameter("name") : scope + "/" + input.parameter("name");
    }

    private Future<Reply> versions(Call call, String name) {
        return bus.ask(new Pieces.FindVersions(name), call.deadlineMs())
                .map(versions -> Reply.ok(Json.mapper().<ArrayNode>valueToTree(versions)));
    }

    private static Pieces.Get readGet(Input input) {
        Optional<String> version = input.query().optionalText("version", VERSION);
        return new Pieces.Get(readName(input), version);
    }

    private Future<Reply> get(Call call, Pieces.Get get) {
        return bus.ask(get, call.deadlineMs()).map(Reply::ok);
    }

    private static Pieces.FindOptions readOptions(Input input) {
        var body = input.body();
        body.text("projectId", Ids.PATTERN);
        body.text("flowId", Ids.PATTERN);
        body.text("flowVersionId", Ids.PATTERN);
        body.optionalText("searchValue");
        return new Pieces.FindOptions(
                body.text("pieceName"),
                body.text("pieceVersion", VERSION),
                body.text("actionOrTriggerName"),
                body.text("propertyName"),
                body.object("input"));
    }

    private Future<Reply> options(Call call, Pieces.FindOptions find) {
        return bus.ask(find, call.deadlineMs()).map(Reply::ok);
    }
}
