package io.millrace.piece.request;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.regex.Pattern;

public final class PieceRequestRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int TEXT_LENGTH_MAX = 1_000;
    private static final Pattern NAME = Pattern.compile("^(@[a-z0-9][a-z0-9._-]{0,100}/)?[a-z0-9][a-z0-9._-]{0,100}$");
    private static final Pattern EXACT_VERSION = Pattern.compile("^[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9}$");

    /** Timeout for downloads of a package and its dependencies from the registry. */
    private static final long DECIDE_MS_MAX = 310_000;

    private final Bus bus;

    public PieceRequestRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/piece-requests", Access.platform(), ListQuery::read, this::list);
        routes.post("/v1/piece-requests", Access.platformUsers(), NewPieceRequest::read, this::create);
        routes.post("/v1/piece-requests/:id", Access.platformAdmin(), Verdict::read, this::decide);
        routes.delete("/v1/piece-requests/:id", Access.platformUsers(), input -> input.id("id"), this::withdraw);
    }

    private record ListQuery(Optional<PieceRequest.Status> status, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(
                    query.optionalOption("status", PieceRequest.Status.class), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new PieceRequests.ListOf(call.principal(), listing.status(), listing.page()), call.deadlineMs())
                .map(found -> ApiReply.page(found, PieceRequest::toJson));
    }

    private record NewPieceRequest(String name, String version, String reason) {
        static NewPieceRequest read(Input input) {
            var body = input.body();
            return new NewPieceRequest(
                    body.text("pieceName", NAME),
                    body.text("pieceVersion", EXACT_VERSION),
                    shortText(input, "reason").orElse(""));
        }
    }

    private static Optional<String> shortText(Input input, String field) {
        var text = input.body().optionalText(field);
        if (text.filter(given -> given.length() > TEXT_LENGTH_MAX).isPresent()) {
            input.body().refuse(field, "Too big: expected string to have <=" + TEXT_LENGTH_MAX + " characters");
        }
        return text;
    }

    private Future<ApiReply> create(ApiCall call, NewPieceRequest body) {
        return bus.ask(
                        new PieceRequests.Create(call.principal(), body.name(), body.version(), body.reason()),
                        call.deadlineMs())
                .map(request -> ApiReply.created(request.toJson()));
    }

    private record Verdict(String id, PieceRequest.Decision decision, Optional<String> note) {
        static Verdict read(Input input) {
            return new Verdict(
                    input.id("id"),
                    input.body().option("status", PieceRequest.Decision.class),
                    shortText(input, "note"));
        }
    }

    private Future<ApiReply> decide(ApiCall call, Verdict verdict) {
        return bus.ask(
                        new PieceRequests.Decide(call.principal(), verdict.id(), verdict.decision(), verdict.note()),
                        DECIDE_MS_MAX)
                .map(request -> ApiReply.ok(request.toJson()));
    }

    private Future<ApiReply> withdraw(ApiCall call, String id) {
        return bus.ask(new PieceRequests.Withdraw(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }
}
