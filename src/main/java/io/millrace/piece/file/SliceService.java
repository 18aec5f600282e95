package io.millrace.piece.file;

import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.GroupCommit;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;

/**
 * Stores slices of run logs (contract flows-and-engine 15.2). A loop can create thousands, so slices of all runs are
 * written in batches.
 */
public final class SliceService implements BusService {
    private static final GroupCommit.Limits WRITER_LIMITS =
            new GroupCommit.Limits(1, 200, 8 << 20, 20_000, 256 << 20, 20_000);

    private final Database database;
    private final FileStorage storage;
    private final InstantSource clock;
    private final GroupCommit<FileMessages.KeepSlice, Nothing> writer;
    private final SliceStore store = new SliceStore();

    public SliceService(Vertx vertx, Database database, FileStorage storage, InstantSource clock) {
        this.database = database;
        this.storage = storage;
        this.clock = clock;
        this.writer = new GroupCommit<>(
                WRITER_LIMITS,
                slice -> slice.data().length(),
                this::flush,
                delayMs -> vertx.timer(delayMs).mapEmpty());
    }

    @Override
    public void open(Bus bus) {
        bus.serve(FileMessages.KeepSlice.class, this::keep);
        bus.serve(FileMessages.LoadSlice.class, this::load);
        bus.serve(FileMessages.RequireSlices.class, this::require);
    }

    /** The object is written first, as for every file; the row then holds no bytes. */
    private Future<Nothing> keep(FileMessages.KeepSlice slice) {
        return storage.written()
                .map(objects -> objects.put(SliceStore.keyOf(slice), slice.data(), "application/octet-stream"))
                .orElseGet(Future::succeededFuture)
                .compose(_ -> writer.submit(slice))
                .recover(SliceService::goneProject);
    }

    private Future<List<Nothing>> flush(List<FileMessages.KeepSlice> slices) {
        return database.read(tx -> store.insert(tx, slices, storage.written().isPresent(), clock.instant()))
                .map(Collections.nCopies(slices.size(), Nothing.DONE));
    }

    private Future<Buffer> load(FileMessages.LoadSlice wanted) {
        return database.read(tx -> store.find(tx, wanted.projectId(), wanted.fileId()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("file", wanted.fileId())))
                .compose(slice ->
                        slice.objectKey().map(storage::read).orElseGet(() -> Future.succeededFuture(slice.data())));
    }

    private Future<Nothing> require(FileMessages.RequireSlices wanted) {
        if (wanted.fileIds().isEmpty()) {
            return Future.succeededFuture(Nothing.DONE);
        }
        return database.read(tx -> store.missing(tx, wanted.projectId(), wanted.fileIds()))
                .map(missing -> {
                    if (!missing.isEmpty()) {
                        throw ApiException.notFound("file", missing.getFirst());
                    }
                    return Nothing.DONE;
                });
    }

    /** A project may be removed while one of its runs still writes. */
    private static Future<Nothing> goneProject(Throwable failure) {
        return failure instanceof ConstraintViolation violation
                        && violation.kind() == ConstraintViolation.Kind.FOREIGN_KEY
                ? Future.failedFuture(ApiException.notFound("project", ""))
                : Future.failedFuture(failure);
    }
}
