package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Permission;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Fields;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/** Routes of variables (contract admin-api 25). API keys cannot read values; the code of a piece can. */
public final class VariableRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 10;

    private final Bus bus;

    public VariableRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        var write = Permission.WRITE_VARIABLE;
        routes.post("/v1/variables", Access.projectInBody(write), Parameters::read, this::save);
        routes.get("/v1/variables", Access.projectInQuery(Permission.READ_VARIABLE), ListQuery::read, this::list);
        routes.post(
                "/v1/variables/:id",
                Access.projectOfRow(write, Variables.ProjectOf::new),
                VariableRequest::read,
                this::update);
        routes.post(
                "/v1/variables/:id/reveal",
                Access.projectUsersOfRow(write, Variables.ProjectOf::new),
                input -> input.id("id"),
                this::reveal);
        routes.delete(
                "/v1/variables/:id",
                Access.projectOfRow(write, Variables.ProjectOf::new),
                input -> input.id("id"),
                this::delete);
        routes.get("/v1/worker/variables/:name", Access.engine(), input -> input.parameter("name"), this::valueFor);
    }

    private record Parameters(String name, String value, FieldChange<ObjectNode> metadata) {
        static Parameters read(Input input) {
            var body = input.body();
            body.text("projectId", Ids.PATTERN);
            return new Parameters(readName(body), readValue(body), body.changedObject("metadata"));
        }

        private static String readName(Fields body) {
            var name = body.text("name");
            if (body.raw("name").isTextual() && !Variable.NAME.matcher(name).matches()) {
                body.refuse("name", name.isEmpty() ? "formErrors.required" : "invalidVariableName");
            }
            return name;
        }
    }

    private static String readValue(Fields body) {
        var value = body.text("value");
        if (body.raw("value").isTextual() && value.isEmpty()) {
            body.refuse("value", "formErrors.required");
        }
        return value;
    }

    private record ListQuery(Optional<String> namePart, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            query.text("projectId", Ids.PATTERN);
            return new ListQuery(query.optionalText("name"), query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private record VariableRequest(String id, Optional<String> value, FieldChange<ObjectNode> metadata) {
        static VariableRequest read(Input input) {
            var body = input.body();
            var value = body.isAbsent("value") ? Optional.<String>empty() : Optional.of(readValue(body));
            return new VariableRequest(input.id("id"), value, body.changedObject("metadata"));
        }
    }

    private Future<ApiReply> save(ApiCall call, Parameters parameters) {
        return bus.ask(
                        new Variables.Save(
                                call.principal(),
                                call.projectId(),
                                parameters.name(),
                                parameters.value(),
                                parameters.metadata()),
                        call.deadlineMs())
                .map(variable -> ApiReply.created(variable.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, ListQuery listing) {
        return bus.ask(new Variables.ListOf(call.projectId(), listing.namePart(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.page(page, Variable::toJson));
    }

    private Future<ApiReply> update(ApiCall call, VariableRequest wanted) {
        return bus.ask(
                        new Variables.Update(call.principal(), wanted.id(), wanted.value(), wanted.metadata()),
                        call.deadlineMs())
                .map(variable -> ApiReply.ok(variable.toJson()));
    }

    private Future<ApiReply> reveal(ApiCall call, String id) {
        return bus.ask(new Variables.Reveal(call.principal(), id), call.deadlineMs())
                .map(value -> ApiReply.ok(Json.object().put("value", value)));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new Variables.Delete(call.principal(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> valueFor(ApiCall call, String name) {
        var by = (Principal.Engine) call.principal();
        return bus.ask(new Variables.FindValues(by.projectId(), Set.of(name)), call.deadlineMs())
                .map(values -> Optional.ofNullable(values.get(name))
                        .map(value -> ApiReply.ok(Json.object().put("value", value)))
                        .orElseThrow(() -> ApiException.notFound("variable", name)));
    }
}
