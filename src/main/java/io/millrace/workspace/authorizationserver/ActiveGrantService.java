package io.millrace.workspace.authorizationserver;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/** Lists and ends the grants of MCP clients. Administrators see and end the consents of all users of the platform. */
public final class ActiveGrantService implements BusService {
    private final Database database;
    private final InstantSource clock;
    private final GrantStore store = new GrantStore();

    public ActiveGrantService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Grants.ListLiving.class, this::list);
        bus.serve(Grants.End.class, this::end);
    }

    private Future<List<ActiveGrant>> list(Grants.ListLiving ask) {
        var by = ask.by();
        return database.read(tx -> store.living(tx, by.platform(), holder(by), clock.instant()));
    }

    private Future<Nothing> end(Grants.End ask) {
        var by = ask.by();
        return database.inTransaction(tx -> store.end(tx, by.platform(), holder(by), ask.id(), clock.instant()))
                .map(ended -> {
                    if (!ended) {
                        throw ApiException.notFound("mcp_grant", ask.id());
                    }
                    return Nothing.DONE;
                });
    }

    /** Holder filter of the principal; null for all holders. */
    private static String holder(Principal by) {
        return by.administersPlatform() ? null : by.actingUser();
    }
}
