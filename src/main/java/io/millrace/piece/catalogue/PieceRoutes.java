package io.millrace.piece.catalogue;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BinaryNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.piece.property.OptionsQuestion;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Pieces over HTTP (contract flows-and-engine 29). The name of a piece has a slash in it, which callers write as it is
 * or percent-encoded.
 */
public final class PieceRoutes implements RouteGroup {
    private static final Pattern VERSION = Pattern.compile("^[~^]?[0-9]+\\.[0-9]+\\.[0-9]+$");

    private static final Pattern EXACT_VERSION = Pattern.compile("^[0-9]+\\.[0-9]+\\.[0-9]+$");

    private static final Pattern INSTALLED_VERSION = Pattern.compile("^([0-9]+\\.[0-9]+\\.[0-9]+|latest)$");

    /** Timeout for downloads of a package and its dependencies from the registry. */
    private static final long INSTALL_MS_MAX = 300_000;

    private final Bus bus;

    public PieceRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var anybody = Access.anyPrincipal();
        routes.get("/v1/pieces", anybody, ListQuery::read, this::list);
        routes.get("/v1/pieces/categories", anybody, input -> input, (call, input) -> categories());
        routes.get("/v1/pieces/registry", anybody, input -> input, (call, input) -> registry(call));
        routes.get("/v1/pieces/:name/versions", anybody, PieceRoutes::readName, this::versions);
        routes.get("/v1/pieces/:scope/:name/versions", anybody, PieceRoutes::readName, this::versions);
        routes.get("/v1/pieces/:name/changes", Access.platform(), Comparison::read, this::compare);
        routes.get("/v1/pieces/:scope/:name/changes", Access.platform(), Comparison::read, this::compare);
        routes.get("/v1/pieces/:name/logo", anybody, PieceRoutes::readName, this::logo);
        routes.get("/v1/pieces/:scope/:name/logo", anybody, PieceRoutes::readName, this::logo);
        routes.get("/v1/pieces/:name", anybody, PieceRoutes::readGet, this::get);
        routes.get("/v1/pieces/:scope/:name", anybody, PieceRoutes::readGet, this::get);
        routes.postForm("/v1/pieces", Access.platformAdmin(), PieceRoutes::readInstall, this::install);
        routes.post("/v1/pieces/sync", Access.platformAdmin(), input -> input, (call, _) -> reload(call));
        // The id takes the place of the name: OpenAPI 3.1 does not allow two templates of one path.
        routes.delete("/v1/pieces/:name", Access.platformAdmin(), input -> input.id("name"), this::remove);
        // The code of the piece receives credentials of the project, as in a test of the step.
        routes.post(
                "/v1/pieces/options",
                Access.projectUsersInBody(Permission.WRITE_FLOW),
                PieceRoutes::readOptions,
                this::options);
    }

    private static PieceQuery readQuery(Input input) {
        var query = input.query();
        query.optionalText("release").ifPresent(release -> {
            throw ApiException.of(
                    ErrorCode.PIECE_SYNC_NOT_SUPPORTED,
                    Json.object()
                            .put("release", release)
                            .put("message", "expected no release: the list has the pieces of this server only"));
        });
        return new PieceQuery(
                query.optionalText("searchQuery").orElse(null),
                Set.copyOf(query.options("categories", PieceCategory.class)),
                query.optionalOption("sortBy", PieceQuery.SortBy.class).orElse(null),
                query.optionalOption("orderBy", PieceQuery.Order.class).orElse(null),
                query.optionalOption("suggestionType", PieceQuery.SuggestionType.class)
                        .orElse(null));
    }

    private record ListQuery(PieceQuery query, Optional<String> projectId, Pieces.Extras extras) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(
                    readQuery(input),
                    query.optionalText("projectId", Ids.PATTERN),
                    new Pieces.Extras(
                            query.optionalFlag("includeHidden").orElse(false),
                            query.optionalFlag("includeTags").orElse(false),
                            query.optionalText("locale"),
                            query.optionalFlag("includeInstallable")));
        }
    }

    private Future<ApiReply> list(ApiCall call, ListQuery parameters) {
        return bus.ask(
                        new Pieces.Find(parameters.query(), scopeOf(call), parameters.projectId(), parameters.extras()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private static Future<ApiReply> categories() {
        return Future.succeededFuture(ApiReply.ok(Json.mapper().<ArrayNode>valueToTree(PieceCategory.values())));
    }

    private Future<ApiReply> registry(ApiCall call) {
        return bus.ask(new Pieces.FindRegistered(scopeOf(call)), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private static String readName(Input input) {
        var scope = input.parameter("scope");
        return scope.isEmpty() ? input.parameter("name") : scope + "/" + input.parameter("name");
    }

    private Future<ApiReply> versions(ApiCall call, String name) {
        return bus.ask(new Pieces.FindVersions(scopeOf(call), name), call.deadlineMs())
                .map(versions -> ApiReply.ok(Json.mapper().<ArrayNode>valueToTree(versions)));
    }

    private record Comparison(String name, String from, String to) {
        static Comparison read(Input input) {
            var query = input.query();
            return new Comparison(readName(input), query.text("from", EXACT_VERSION), query.text("to", EXACT_VERSION));
        }
    }

    private Future<ApiReply> compare(ApiCall call, Comparison wanted) {
        return bus.ask(new Pieces.Compare(scopeOf(call), wanted.name(), wanted.from(), wanted.to()), call.deadlineMs())
                .map(changes -> ApiReply.ok(changes.toJson()));
    }

    /** Serves an external image with headers that prevent script execution. */
    private Future<ApiReply> logo(ApiCall call, String name) {
        return bus.ask(new Pieces.FindLogo(scopeOf(call), name), call.deadlineMs())
                .map(logo -> {
                    call.context()
                            .response()
                            .putHeader(
                                    "Cache-Control",
                                    "private, max-age=" + logo.freshFor().toSeconds())
                            .putHeader("X-Content-Type-Options", "nosniff")
                            .putHeader(
                                    "Content-Security-Policy",
                                    "default-src 'none'; style-src 'unsafe-inline'; sandbox");
                    return new ApiReply(200, logo.data(), logo.mediaType());
                });
    }

    private record Parameters(String name, Optional<String> version, Optional<String> locale) {}

    private static Parameters readGet(Input input) {
        var query = input.query();
        return new Parameters(readName(input), query.optionalText("version", VERSION), query.optionalText("locale"));
    }

    private Future<ApiReply> get(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Pieces.Get(scopeOf(call), parameters.name(), parameters.version(), parameters.locale()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }

    private static PieceScope scopeOf(ApiCall call) {
        return call.principal().platformIfAny().map(PieceScope::of).orElse(PieceScope.EVERYBODY);
    }

    private enum PackageType {
        REGISTRY,
        ARCHIVE
    }

    private enum Scope {
        PLATFORM
    }

    private record NewPiece(String name, String version, Optional<Buffer> archive) {}

    private static NewPiece readInstall(Input input) {
        var body = input.body();
        var packageType = body.option("packageType", PackageType.class);
        body.option("scope", Scope.class);
        var name = body.text("pieceName");
        var version = body.text("pieceVersion", packageType == PackageType.ARCHIVE ? EXACT_VERSION : INSTALLED_VERSION);
        if (packageType != PackageType.ARCHIVE) {
            return new NewPiece(name, version, Optional.empty());
        }
        if (!(body.raw("pieceArchive") instanceof BinaryNode archive)) {
            body.refuse("pieceArchive", "Expected a file");
            return new NewPiece(name, version, Optional.empty());
        }
        return new NewPiece(name, version, Optional.of(Buffer.buffer(archive.binaryValue())));
    }

    private Future<ApiReply> install(ApiCall call, NewPiece parameters) {
        return bus.ask(
                        new Pieces.Install(
                                call.principal().platform(),
                                parameters.name(),
                                parameters.version(),
                                parameters.archive()),
                        INSTALL_MS_MAX)
                .map(ApiReply::created);
    }

    private Future<ApiReply> reload(ApiCall call) {
        return bus.ask(new Pieces.Reload(), call.deadlineMs())
                .compose(_ -> bus.ask(new Pieces.RefreshIndex(), call.deadlineMs()))
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> remove(ApiCall call, String id) {
        return bus.ask(new Pieces.Remove(call.principal().platform(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private record OptionsWish(String name, String version, OptionsQuestion question) {}

    private static OptionsWish readOptions(Input input) {
        var body = input.body();
        return new OptionsWish(
                body.text("pieceName"),
                body.text("pieceVersion", VERSION),
                new OptionsQuestion(
                        body.text("projectId", Ids.PATTERN),
                        body.text("flowId", Ids.PATTERN),
                        body.text("flowVersionId", Ids.PATTERN),
                        body.text("actionOrTriggerName"),
                        body.text("propertyName"),
                        body.object("input"),
                        body.optionalText("searchValue")));
    }

    private Future<ApiReply> options(ApiCall call, OptionsWish parameters) {
        return bus.ask(
                        new Pieces.FindOptions(
                                scopeOf(call), parameters.name(), parameters.version(), parameters.question()),
                        call.deadlineMs())
                .map(ApiReply::ok);
    }
}
