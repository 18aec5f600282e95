package io.millrace.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.base.config.Config;
import io.millrace.support.TestPostgres;
import io.millrace.support.Waiting;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that end a server, and events that do not. */
class ServerIT {
    private final Vertx vertx = TestPostgres.vertx();
    private final List<Throwable> crashes = new CopyOnWriteArrayList<>();
    private Server server;

    @TempDir
    private Path directory;

    @BeforeEach
    void start() {
        var settings = Map.of("AP_HOST", "127.0.0.1", "AP_PORT", "0", "AP_DATA_DIR", directory.toString());
        server = Waiting.await(Server.start(
                vertx,
                Config.load(settings, Path.of("there-is-no-such-file")),
                Optional.of(TestPostgres.freshDatabase()),
                InstantSource.system(),
                crashes::add));
    }

    @AfterEach
    void stop() {
        Waiting.await(server.stop());
        Waiting.await(vertx.close());
    }

    @Test
    void crashes_whenAnErrorReachesAnEventLoop() {
        vertx.runOnContext(_ -> {
            throw new LinkageError("a class is gone");
        });

        Waiting.until("the crash is reported", () -> !crashes.isEmpty());
        assertThat(crashes).singleElement().isInstanceOf(LinkageError.class);
    }

    @Test
    void continues_whenAnExceptionReachesAnEventLoop() {
        var context = vertx.getOrCreateContext();
        var after = Promise.<Void>promise();
        context.runOnContext(_ -> {
            throw new IllegalStateException("one piece of work failed");
        });
        context.runOnContext(_ -> after.complete());

        Waiting.await(after.future());
        assertThat(crashes).isEmpty();
    }
}
