package io.millrace.account.issuer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.base.secret.SecretBox;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;

/** Handles {@link ProjectTokens}. The key is generated at its first use and shared by all nodes. */
public final class ProjectTokenService implements BusService {
    private static final int KEY_BITS = 2048;
    private static final String CONTEXT = "issuer_key";

    private final Vertx vertx;
    private final Database database;
    private final SecretBox box;
    private final InstantSource clock;
    private final IssuerKeyStore store = new IssuerKeyStore();

    /** Null before the first use, and after a failure. */
    private Future<IssuerKey> key;

    public ProjectTokenService(Vertx vertx, Database database, SecretBox box, InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.box = box;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ProjectTokens.FindKeys.class, _ -> key().map(IssuerKey::keySet));
        bus.serve(ProjectTokens.Issue.class, this::issue);
    }

    private Future<String> issue(ProjectTokens.Issue ask) {
        var now = clock.instant();
        var by = ask.by();
        ObjectNode claims = Json.object()
                .put("iss", ask.issuer())
                .put("sub", "platform:" + by.platformId() + ":project:" + by.projectId())
                .put("aud", ask.audience())
                .put("jti", Ids.next())
                .put("iat", now.getEpochSecond())
                .put("nbf", now.getEpochSecond())
                .put("exp", now.plus(ask.lifetime()).getEpochSecond());
        return key().map(found -> RsaToken.issue(found.kid(), found.key(), claims));
    }

    private Future<IssuerKey> key() {
        if (key == null || key.failed()) {
            key = database.read(store::find)
                    .compose(found -> found.map(Future::succeededFuture).orElseGet(this::make))
                    .map(held -> IssuerKey.of(RsaKeys.privateKey(box.open(held, CONTEXT))));
        }
        return key;
    }

    private Future<byte[]> make() {
        return vertx.executeBlocking(
                        () -> RsaKeys.generate(KEY_BITS).getPrivate().getEncoded(), false)
                .compose(encoded ->
                        database.inTransaction(tx -> store.insert(tx, box.seal(encoded, CONTEXT), clock.instant())));
    }
}
