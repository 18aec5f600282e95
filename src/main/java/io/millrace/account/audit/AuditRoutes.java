package io.millrace.account.audit;

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
import java.util.ArrayList;
import java.util.List;

/** Routes of the audit log (contract admin-api 22). The verification of the chain is an extension of the contract. */
public final class AuditRoutes implements RouteGroup {
    private static final int PAGE_LIMIT_DEFAULT = 20;

    private final Bus bus;

    public AuditRoutes(Bus bus) {
        this.bus = bus;
    }

    @Override
    public void mount(Routes routes) {
        routes.get("/v1/audit-events", Access.platformAdmin(), ListQuery::read, this::find);
        routes.get("/v1/audit-events/verification", Access.platformAdmin(), _ -> null, this::verify);
    }

    private record ListQuery(AuditEvents.Filter filter, PageRequest page) {
        static ListQuery read(Input input) {
            var query = input.query();
            return new ListQuery(
                    new AuditEvents.Filter(
                            readActions(query, "action"),
                            query.texts("projectId"),
                            query.optionalText("userId"),
                            query.optionalInstant("createdAfter"),
                            query.optionalInstant("createdBefore")),
                    query.page(PAGE_LIMIT_DEFAULT));
        }
    }

    private static List<EventAction> readActions(Fields fields, String name) {
        var actions = new ArrayList<EventAction>();
        for (var text : fields.texts(name)) {
            EventAction.of(text)
                    .ifPresentOrElse(
                            actions::add,
                            () -> fields.refuse(name, "Invalid option: expected an action of the catalogue"));
        }
        return actions;
    }

    private Future<ApiReply> find(ApiCall call, ListQuery listing) {
        return bus.ask(new AuditEvents.Find(call.principal(), listing.filter(), listing.page()), call.deadlineMs())
                .map(page -> ApiReply.deepPage(page, AuditEvent::toJson));
    }

    private Future<ApiReply> verify(ApiCall call, Void nothing) {
        return bus.ask(new AuditEvents.Verify(call.principal()), call.deadlineMs())
                .map(verdict -> ApiReply.ok(
                        Json.object().put("events", verdict.events()).put("intact", verdict.isIntact())));
    }
}
