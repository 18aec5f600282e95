package io.millrace.workspace.embedding;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.WorkerThreads;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.RsaKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Supplier;

/** Handles {@link SigningKeys}. The routes admit administrators only; keys of other platforms are not found. */
public final class SigningKeyService implements BusService {
    private final Database database;
    private final AuditLog auditLog;
    private final Supplier<KeyPair> pairs;
    private final InstantSource clock;

    /** Generates one key at a time: each occupies a processor for seconds. */
    private final WorkerExecutor maker;

    private final SigningKeyStore store = new SigningKeyStore();

    /** @param pairs generates RSA keys, one at a time on a worker thread */
    public SigningKeyService(
            Vertx vertx, Database database, AuditLog auditLog, Supplier<KeyPair> pairs, InstantSource clock) {
        this.database = database;
        this.auditLog = auditLog;
        this.pairs = pairs;
        this.clock = clock;
        this.maker = WorkerThreads.open(vertx, "signing-keys", 1);
    }

    @Override
    public void open(Bus bus) {
        bus.serve(SigningKeys.Create.class, this::create);
        bus.serve(SigningKeys.ListAll.class, this::list);
        bus.serve(SigningKeys.Find.class, this::find);
        bus.serve(SigningKeys.Delete.class, this::delete);
    }

    private Future<SigningKeys.NewSigningKey> create(SigningKeys.Create ask) {
        return maker.executeBlocking(pairs::get, false).compose(pair -> {
            var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
            var key = new SigningKey(
                    Ids.next(), now, now, ask.by().platform(), ask.displayName(), RsaKeys.publicPem((RSAPublicKey)
                            pair.getPublic()));
            return insert(ask.by(), key)
                    .map(new SigningKeys.NewSigningKey(key, RsaKeys.privatePem((RSAPrivateCrtKey) pair.getPrivate())));
        });
    }

    private Future<Void> insert(Principal by, SigningKey key) {
        return database.inTransaction(tx -> store.insert(tx, key)
                .compose(_ -> auditLog.record(
                        tx, ApplicationEvent.onPlatform(EventAction.SIGNING_KEY_CREATED, by, key.eventData()))));
    }

    private Future<List<SigningKey>> list(SigningKeys.ListAll ask) {
        return database.read(tx -> store.list(tx, ask.by().platform()));
    }

    private Future<SigningKey> find(SigningKeys.Find ask) {
        return database.read(tx -> store.find(tx, ask.id()))
                .map(found -> found.filter(
                                key -> key.platformId().equals(ask.by().platform()))
                        .orElseThrow(() -> gone(ask.id())));
    }

    private Future<Nothing> delete(SigningKeys.Delete ask) {
        return database.inTransaction(tx -> store.delete(tx, ask.id(), ask.by().platform()))
                .compose(deleted ->
                        deleted ? Future.succeededFuture(Nothing.DONE) : Future.failedFuture(gone(ask.id())));
    }

    private static ApiException gone(String id) {
        return ApiException.notFound("signing_key", id);
    }
}
