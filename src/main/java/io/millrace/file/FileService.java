package io.millrace.file;

import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.core.Packed;
import io.millrace.persistence.ConstraintViolation;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps files in the database, gives out their addresses, and removes them when they expire. */
public final class FileService implements Desk, FlowFiles {
    private static final Logger LOG = LoggerFactory.getLogger(FileService.class);

    private static final long CLEAN_UP_EVERY_MS = Duration.ofHours(1).toMillis();

    /** Removing is paged, so that no transaction holds many large files at once. */
    private static final int REMOVED_AT_ONCE_MAX = 100;

    private final Vertx vertx;
    private final Database database;
    private final FileAddresses addresses;
    private final Limits limits;
    private final InstantSource clock;
    private final FileStore store = new FileStore();

    /**
     * Bounds of files.
     *
     * @param bytesMax largest file (AP_MAX_FILE_SIZE_MB)
     * @param retention how long files of steps are kept (AP_EXECUTION_DATA_RETENTION_DAYS)
     */
    public record Limits(long bytesMax, Duration retention) {}

    public FileService(Vertx vertx, Database database, FileAddresses addresses, Limits limits, InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.addresses = addresses;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(Files.KeepStepFile.class, this::keepStepFile);
        bus.serve(Files.Read.class, this::read);
        bus.serve(Files.RemoveExpired.class, _ -> removeExpired());
        vertx.setPeriodic(CLEAN_UP_EVERY_MS, _ -> cleanUp());
        cleanUp();
    }

    private Future<String> keepStepFile(Files.KeepStepFile keep) {
        if (keep.data().length() > limits.bytesMax()) {
            return Future.failedFuture(tooLarge(keep.data()));
        }
        var file = stepFile(keep);
        return database.read(tx -> store.insert(tx, file, keep.data()))
                .map(_ -> addresses.of(file.id(), file.expires()))
                .recover(failure -> goneProject(failure, keep.projectId()));
    }

    private ApiException tooLarge(Buffer data) {
        return ApiException.of(
                ErrorCode.BODY_TOO_LARGE,
                "Expected a file of at most " + limits.bytesMax() + " bytes, found " + data.length());
    }

    @Override
    public Future<Void> put(Tx tx, StoredFile file, Buffer data) {
        // A backup is made by the server and not by its caller, who could do nothing about its size.
        var isLimited = file.type() != FileType.FLOW_VERSION_BACKUP;
        return isLimited && data.length() > limits.bytesMax()
                ? Future.failedFuture(tooLarge(data))
                : store.put(tx, file, data);
    }

    @Override
    public Future<List<Files.Content>> find(Tx tx, String projectId, List<String> fileIds) {
        return fileIds.isEmpty() ? Future.succeededFuture(List.of()) : store.findOfFlows(tx, projectId, fileIds);
    }

    @Override
    public Future<Void> removeOfFlow(Tx tx, String flowId) {
        return store.deleteOfFlow(tx, flowId);
    }

    private StoredFile stepFile(Files.KeepStepFile keep) {
        var now = clock.instant();
        var label = FileLabel.of(keep.fileName(), keep.contentType());
        return new StoredFile(
                Ids.next(),
                now,
                Optional.of(now.plus(limits.retention())),
                keep.projectId(),
                FileType.FLOW_STEP_FILE,
                label.fileName(),
                label.contentType(),
                keep.data().length(),
                Json.object().put("flowId", keep.flowId()).put("stepName", keep.stepName()));
    }

    /** A project may be removed while one of its runs still writes. */
    private static Future<String> goneProject(Throwable failure, String projectId) {
        return failure instanceof ConstraintViolation violation
                        && violation.kind() == ConstraintViolation.Kind.FOREIGN_KEY
                ? Future.failedFuture(ApiException.notFound("project", projectId))
                : Future.failedFuture(failure);
    }

    private Future<Files.Content> read(Files.Read read) {
        var wanted = read.address().fileId();
        var opened = addresses.opened(read.address().token()).filter(id -> wanted.isEmpty() || id.equals(wanted.get()));
        if (opened.isEmpty()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.INVALID_BEARER_TOKEN, "the token does not open this file, or not any more"));
        }
        return database.read(tx -> store.find(tx, opened.get(), clock.instant()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("file", opened.get())))
                .compose(this::unpacked);
    }

    /** Slices are kept compressed; a large one takes a while to unpack. */
    private Future<Files.Content> unpacked(Files.Content content) {
        return content.file().type() == FileType.FLOW_RUN_LOG_SLICE
                ? vertx.executeBlocking(
                        () -> new Files.Content(
                                content.file(),
                                Buffer.buffer(Packed.text(content.data().getBytes()))),
                        false)
                : Future.succeededFuture(content);
    }

    private void cleanUp() {
        removeExpired()
                .onSuccess(count -> LOG.debug("removed {} expired files", count))
                .onFailure(cause -> LOG.warn("expired files stay until the next clean-up: {}", cause.getMessage()));
    }

    private Future<Integer> removeExpired() {
        return database.inTransaction(tx -> store.deleteExpired(tx, clock.instant(), REMOVED_AT_ONCE_MAX))
                .compose(count -> count < REMOVED_AT_ONCE_MAX
                        ? Future.succeededFuture(count)
                        : removeExpired().map(more -> count + more));
    }
}
