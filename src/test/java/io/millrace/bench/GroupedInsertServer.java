package io.millrace.bench;

import io.millrace.base.persistence.connection.DatabaseSettings;
import io.millrace.base.persistence.postgres.EmbeddedPostgres;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Tuple;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Upper bound of durable responses by disk and network: {@link BareServer}, and one row of the size of a run's writes,
 * inserted before the response. One flush is in progress at a time; calls that arrive meanwhile share the next. The
 * database is Millrace's embedded one, with its options.
 */
final class GroupedInsertServer extends VerticleBase {
    private static final int ID_CHARACTERS = 21;

    /** Digits of the time: with fewer, the random part is too short to fill the id. */
    private static final int TIME_CHARACTERS = 9;

    private static final int ONE_FREE_PORT = -1;

    private final Buffer answer;
    private final Inserts inserts;
    private HttpServer server;

    private GroupedInsertServer(Buffer answer, Inserts inserts) {
        this.answer = answer;
        this.inserts = inserts;
    }

    /** Expects a directory for the database, and the response text. */
    public static void main(String[] arguments) {
        var postgres = EmbeddedPostgres.start(EmbeddedPostgres.Settings.of(Path.of(arguments[0])));
        Runtime.getRuntime().addShutdownHook(new Thread(postgres::stop, "stop-database"));
        var vertx = Vertx.builder()
                .with(new VertxOptions().setPreferNativeTransport(true))
                .build();
        var answer = Buffer.buffer(arguments[1]);
        var inserts = Inserts.into(vertx, postgres.connection());
        var first = new GroupedInsertServer(answer, inserts);
        var ready = vertx.deployVerticle(first);
        for (var other = 1; other < Runtime.getRuntime().availableProcessors(); other++) {
            ready = ready.compose(_ -> vertx.deployVerticle(new GroupedInsertServer(answer, inserts)));
        }
        ready.await();
        System.out.println(
                "The server of grouped inserts is listening on http://localhost:" + first.server.actualPort());
    }

    @Override
    public Future<?> start() {
        server = vertx.createHttpServer().requestHandler(this::take);
        return server.listen(ONE_FREE_PORT, "127.0.0.1");
    }

    private void take(HttpServerRequest request) {
        request.body()
                .compose(_ -> inserts.insert())
                .onSuccess(_ -> request.response()
                        .putHeader("content-type", "application/json; charset=utf-8")
                        .end(answer))
                .onFailure(_ -> request.connection().close());
    }

    /** Queue of rows from all event loops to the database; used on one event loop. */
    private static final class Inserts {
        /** Bytes of an ended run of four steps besides its id: its row and its share of the log. */
        private static final int ROW_BYTES = 400;

        private final Vertx vertx;
        private final Context context;
        private final Pool pool;
        private final Buffer row = Buffer.buffer(new byte[ROW_BYTES]);
        private final Random random = new Random();
        private List<Promise<Void>> waiting = new ArrayList<>();
        private boolean flushing;

        private Inserts(Vertx vertx, Pool pool) {
            this.vertx = vertx;
            this.context = vertx.getOrCreateContext();
            this.pool = pool;
        }

        static Inserts into(Vertx vertx, DatabaseSettings settings) {
            var options = new PgConnectOptions()
                    .setHost(settings.host())
                    .setPort(settings.port())
                    .setDatabase(settings.database())
                    .setUser(settings.user())
                    .setPassword(settings.password())
                    .setCachePreparedStatements(true);
            var pool = PgBuilder.pool()
                    .with(new PoolOptions().setMaxSize(1))
                    .connectingTo(options)
                    .using(vertx)
                    .build();
            pool.query("create table if not exists call (id text primary key, body bytea not null)")
                    .execute()
                    .await();
            return new Inserts(vertx, pool);
        }

        /** Succeeds when a row is durable, on the caller's event loop. */
        Future<Void> insert() {
            var promise = Promise.<Void>promise();
            var caller = vertx.getOrCreateContext();
            context.runOnContext(_ -> {
                waiting.add(promise);
                flush();
            });
            var answered = Promise.<Void>promise();
            promise.future().onComplete(done -> caller.runOnContext(_ -> answered.handle(done)));
            return answered.future();
        }

        private void flush() {
            if (flushing || waiting.isEmpty()) {
                return;
            }
            flushing = true;
            var batch = waiting;
            waiting = new ArrayList<>();
            var ids = new String[batch.size()];
            var rows = new Buffer[batch.size()];
            Arrays.setAll(ids, _ -> id());
            Arrays.fill(rows, row);
            pool.preparedQuery("insert into call select * from unnest($1::text[], $2::bytea[])")
                    .execute(Tuple.tuple().addArrayOfString(ids).addArrayOfBuffer(rows))
                    .onComplete((_, failure) -> context.runOnContext(_ -> {
                        flushing = false;
                        batch.forEach(failure == null ? Promise::complete : promise -> promise.fail(failure));
                        flush();
                    }));
        }

        /** Ascending by time, like the ids of runs. */
        private String id() {
            return idAt(System.nanoTime(), random);
        }
    }

    /**
     * An id of a fixed length for every value of the monotonic clock, which is near zero shortly after the boot of a
     * machine.
     */
    static String idAt(long nanos, Random random) {
        var digits = Long.toUnsignedString(nanos, 36);
        var time = "0".repeat(Math.max(0, TIME_CHARACTERS - digits.length())) + digits;
        var tail = Long.toString(random.nextLong(Long.MAX_VALUE) | 1L << 62, 36);
        return time + tail.substring(0, ID_CHARACTERS - time.length());
    }
}
