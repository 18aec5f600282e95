package io.millrace.platform;

import io.millrace.bus.Bus;
import io.millrace.bus.Nothing;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

/** Answers {@link Platforms}; lends its store to rooms above that work on a platform in their own transaction. */
public final class PlatformService implements Desk {
    private final Database database;
    private final PlatformStore store = new PlatformStore();

    public PlatformService(Database database) {
        this.database = database;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Platforms.Find.class, this::find);
        bus.serve(Platforms.Oldest.class, this::oldest);
        bus.serve(Platforms.CheckDatabase.class, this::checkDatabase);
    }

    /** Creates a platform with the defaults of the contract. Its owner may be created later in the transaction. */
    public Future<Void> create(Tx tx, String platformId, String ownerId, String name, Instant now) {
        return store.insert(tx, platformId, ownerId, name, now);
    }

    /** The platform that this installation serves, if anybody has signed up yet. */
    public Future<Optional<Platform>> oldest(Tx tx) {
        return store.findOldest(tx);
    }

    /** The platform, which must exist. */
    public Future<Platform> find(Tx tx, String platformId) {
        return store.find(tx, platformId)
                .map(found -> found.orElseThrow(() -> ApiException.notFound("platform", platformId)));
    }

    private Future<Platform> find(Platforms.Find ask) {
        if (!ask.by().platform().equals(ask.platformId())) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.AUTHORIZATION, "You do not have access to this platform"));
        }
        return database.read(tx -> find(tx, ask.platformId()));
    }

    private Future<Optional<Platform>> oldest(Platforms.Oldest ask) {
        return database.read(store::findOldest);
    }

    private Future<Nothing> checkDatabase(Platforms.CheckDatabase ask) {
        return database.read(store::ping).map(Nothing.DONE);
    }
}
