package io.millrace.piece.tag;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.List;

/** Routes of tags (contract admin-api 36.5). */
public final class TagRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;
    private static final int NAME_LENGTH_MAX = 100;
    private static final int NAMES_MAX = 500;

    private final Bus bus;

    public TagRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/tags", Access.platform(), input -> input.query().page(PAGE_LIMIT_DEFAULT), this::list);
        routes.post(
                "/v1/tags", Access.platformAdmin(), input -> input.body().text("name", 1, NAME_LENGTH_MAX), this::save);
        routes.post("/v1/tags/pieces", Access.platformAdmin(), Assignment::read, this::assign);
    }

    private record Assignment(List<String> pieceNames, List<String> tags) {
        static Assignment read(Input input) {
            var body = input.body();
            return new Assignment(names(body, "piecesName"), names(body, "tags"));
        }

        private static List<String> names(Fields body, String field) {
            body.array(field);
            var names = body.optionalTexts(field).orElse(List.of());
            if (names.size() > NAMES_MAX) {
                body.refuse(field, "Too big: expected array to have <=" + NAMES_MAX + " items");
            }
            for (var index = 0; index < names.size(); index++) {
                if (names.get(index).isBlank() || names.get(index).length() > NAME_LENGTH_MAX) {
                    body.refuse(field + "/" + index, "Invalid input: expected 1 to " + NAME_LENGTH_MAX + " characters");
                }
            }
            return names;
        }
    }

    private Future<ApiReply> list(ApiCall call, PageRequest page) {
        return bus.ask(new Tags.ListOf(call.principal(), page), call.deadlineMs())
                .map(found -> ApiReply.page(found, Tag::toJson));
    }

    private Future<ApiReply> save(ApiCall call, String name) {
        return bus.ask(new Tags.Save(call.principal(), name), call.deadlineMs())
                .map(tag -> ApiReply.created(tag.toJson()));
    }

    private Future<ApiReply> assign(ApiCall call, Assignment wanted) {
        return bus.ask(new Tags.Assign(call.principal(), wanted.pieceNames(), wanted.tags()), call.deadlineMs())
                .map(_ -> ApiReply.created(Json.object()));
    }
}
