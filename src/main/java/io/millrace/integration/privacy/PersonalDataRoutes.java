package io.millrace.integration.privacy;

import io.millrace.base.access.Access;
import io.millrace.base.bus.Bus;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.vertx.core.Future;

/** A person's data over HTTP: our own addition to the contract (decision 0287). */
public final class PersonalDataRoutes implements RouteGroup {
    private static final String DATA = "/v1/users/:id/data";

    private final Bus bus;

    public PersonalDataRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get(DATA, Access.platformAdmin(), input -> input.id("id"), this::export);
        routes.delete(DATA, Access.platformAdmin(), input -> input.id("id"), this::erase);
    }

    private Future<ApiReply> export(ApiCall call, String userId) {
        return bus.ask(new PersonalData.Export(call.principal(), userId), call.deadlineMs())
                .map(ApiReply::ok);
    }

    private Future<ApiReply> erase(ApiCall call, String userId) {
        return bus.ask(new PersonalData.Erase(call.principal(), userId), call.deadlineMs())
                .map(ApiReply::ok);
    }
}
