package io.millrace.file;

import io.millrace.bus.Bus;
import io.millrace.core.ApiException;
import io.millrace.core.ErrorCode;
import io.millrace.core.Ids;
import io.millrace.core.Json;
import io.millrace.persistence.ConstraintViolation;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps files in the database, gives out their addresses, and removes them when they expire. */
public final class FileService implements Desk {
    private static final Logger LOG = LoggerFactory.getLogger(FileService.class);

    private static final long CLEAN_UP_EVERY_MS = Duration.ofHours(1).toMillis();

    /** Removing is paged, so that no transaction holds many large files at once. */
    private static final int REMOVED_AT_ONCE_MAX = 100;

    private final Vertx vertx;
    private final Database database;
    private final ReadTokens tokens;
    private final Supplier<String> publicUrl;
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

    /**
     * @param serverSecret secret of the server; the key that signs addresses is derived from it
     * @param publicUrl address of this server without a slash at its end, asked for when a file is kept
     */
    public FileService(
            Vertx vertx,
            Database database,
            String serverSecret,
            Supplier<String> publicUrl,
            Limits limits,
            InstantSource clock) {
        this.vertx = vertx;
        this.database = database;
        this.tokens = new ReadTokens(serverSecret, clock);
        this.publicUrl = publicUrl;
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
            return Future.failedFuture(ApiException.of(
                    ErrorCode.BODY_TOO_LARGE,
                    "Expected a file of at most " + limits.bytesMax() + " bytes, found "
                            + keep.data().length()));
        }
        var file = stepFile(keep);
        return database.read(tx -> store.insert(tx, file, keep.data()))
                .map(_ -> FileAddress.url(publicUrl.get(), file.id(), tokens.issue(file.id(), file.expires())))
                .recover(failure -> goneProject(failure, keep.projectId()));
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
        var opened = tokens.verify(read.address().token()).filter(id -> wanted.isEmpty() || id.equals(wanted.get()));
        if (opened.isEmpty()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.INVALID_BEARER_TOKEN, "the token does not open this file, or not any more"));
        }
        return database.read(tx -> store.find(tx, opened.get(), clock.instant()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("file", opened.get())));
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
