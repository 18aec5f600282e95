package io.millrace.account.identity.apikey;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.Hashes;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Handles {@link ApiKeys}. The routes admit administrators only; keys of other platforms are not found. */
public final class ApiKeyService implements BusService {
    public static final String PREFIX = "sk-";

    private static final int RANDOM_LENGTH = 61;
    private static final int SHOWN_LENGTH = 4;

    private final Database database;
    private final InstantSource clock;
    private final ApiKeyStore store = new ApiKeyStore();

    public ApiKeyService(Database database, InstantSource clock) {
        this.database = database;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ApiKeys.Create.class, this::create);
        bus.serve(ApiKeys.ListAll.class, this::list);
        bus.serve(ApiKeys.Delete.class, this::delete);
    }

    private Future<ApiKeys.NewApiKey> create(ApiKeys.Create ask) {
        var value = PREFIX + Ids.random(RANDOM_LENGTH);
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        if (ask.expiresAt().filter(end -> !end.isAfter(now)).isPresent()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.INVALID_INPUT, "body/expiresAt Invalid input: expected a time in the future"));
        }
        var key = new ApiKey(
                Ids.next(),
                now,
                now,
                ask.by().platform(),
                ask.displayName(),
                value.substring(value.length() - SHOWN_LENGTH),
                ask.scopes(),
                ask.expiresAt().orElse(null),
                null);
        return database.inTransaction(tx -> store.insert(tx, key, Hashes.sha256Hex(value)))
                .map(new ApiKeys.NewApiKey(key, value));
    }

    private Future<List<ApiKey>> list(ApiKeys.ListAll ask) {
        return database.read(tx -> store.list(tx, ask.by().platform()));
    }

    private Future<Nothing> delete(ApiKeys.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.by().platform()))
                .compose(deleted -> deleted
                        ? Future.succeededFuture(Nothing.DONE)
                        : Future.failedFuture(ApiException.notFound("api_key", ask.id())));
    }
}
