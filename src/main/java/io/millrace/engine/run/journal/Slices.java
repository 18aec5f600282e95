package io.millrace.engine.run.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.engine.run.RunWrite;
import io.millrace.engine.run.log.RecordText;
import io.millrace.piece.file.FileAddresses;
import io.millrace.piece.file.FileMessages;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Writes and reads the files of sliced outputs for the runs of a shard. */
public final class Slices {
    private static final long DEADLINE_MS = 60_000;

    /** Writing or reading a larger one would block the event loop for more than a few milliseconds. */
    private static final long IN_PLACE_BYTES_MAX = 128 * 1024;

    private final Vertx vertx;
    private final Bus bus;
    private final FileAddresses addresses;
    private final InstantSource clock;
    private final Duration keptFor;

    /** @param keptFor retention of a slice from its creation */
    public Slices(Vertx vertx, Bus bus, FileAddresses addresses, InstantSource clock, Duration keptFor) {
        this.vertx = vertx;
        this.bus = bus;
        this.addresses = addresses;
        this.clock = clock;
        this.keptFor = keptFor;
    }

    Instant expiry() {
        return clock.instant().plus(keptFor);
    }

    /** The address is known before the slice is stored. */
    String url(String fileId, Instant expires) {
        return addresses.of(fileId, Optional.of(expires));
    }

    /** Succeeds when the output is durable. */
    Future<?> keep(String fileId, RunWrite.RunHeader run, Instant expires, JsonNode output, long bytes) {
        return off(bytes, () -> RecordText.of(output))
                .compose(text -> bus.ask(
                        new FileMessages.KeepSlice(fileId, run.projectId(), run.id(), expires, bytes, text),
                        DEADLINE_MS));
    }

    /** Fails with ENTITY_NOT_FOUND when the slice has been removed. */
    Future<JsonNode> fetch(String projectId, String fileId, long bytes) {
        return bus.ask(new FileMessages.LoadSlice(projectId, fileId), DEADLINE_MS)
                .compose(text -> off(bytes, () -> RecordText.read(text.getBytes())));
    }

    /** Executes small work in place, large work on a worker; one after another, because of its memory. */
    private <T> Future<T> off(long bytes, Callable<T> work) {
        return bytes > IN_PLACE_BYTES_MAX
                ? vertx.executeBlocking(work, true)
                : Future.future(promise -> {
                    try {
                        promise.complete(work.call());
                    } catch (Exception thrown) {
                        promise.fail(thrown);
                    }
                });
    }
}
