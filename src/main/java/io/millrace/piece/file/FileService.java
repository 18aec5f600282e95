package io.millrace.piece.file;

import io.millrace.base.bus.Bus;
import io.millrace.base.cluster.Cluster;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.ExpiryTime;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Stores files, creates their addresses, and removes expired files. */
public final class FileService implements BusService, FlowFiles, ReleaseFiles, KnowledgeBaseFiles {
    private static final Logger LOG = LoggerFactory.getLogger(FileService.class);

    private static final long CLEAN_UP_EVERY_MS = Duration.ofHours(1).toMillis();
    private static final long CLAIM_DEADLINE_MS = 10_000;

    /** Batch size of removals, which limits the bytes per transaction. */
    private static final int REMOVED_AT_ONCE_MAX = 100;

    private final Vertx vertx;
    private final Database database;
    private final FileAddresses addresses;
    private final Limits limits;
    private final InstantSource clock;
    private final FileStorage storage;
    private final FileStore store = new FileStore();

    /**
     * Limits of files.
     *
     * @param bytesMax largest file (AP_MAX_FILE_SIZE_MB)
     * @param retention retention of files of steps (AP_EXECUTION_DATA_RETENTION_DAYS)
     */
    public record Limits(long bytesMax, Duration retention) {}

    public FileService(Vertx vertx, Database database, FileAddresses addresses, Limits limits, InstantSource clock) {
        this(vertx, database, addresses, FileStorage.inDatabase(), limits, clock);
    }

    public FileService(
            Vertx vertx,
            Database database,
            FileAddresses addresses,
            FileStorage storage,
            Limits limits,
            InstantSource clock) {
        this.storage = storage;
        this.vertx = vertx;
        this.database = database;
        this.addresses = addresses;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(FileMessages.KeepStepFile.class, this::keepStepFile);
        bus.serve(FileMessages.Find.class, ask -> find(ask.address()));
        bus.serve(FileMessages.FindOfProject.class, this::findOfProject);
        bus.serve(FileMessages.ReadOfProject.class, this::readOfProject);
        bus.serve(FileMessages.Read.class, ask -> find(ask.address()).compose(this::fetched));
        bus.serve(FileMessages.RemoveExpired.class, _ -> removeAll());
        vertx.setPeriodic(CLEAN_UP_EVERY_MS, _ -> cleanUp(bus));
        cleanUp(bus);
    }

    private Future<String> keepStepFile(FileMessages.KeepStepFile keep) {
        if (keep.data().length() > limits.bytesMax()) {
            return Future.failedFuture(tooLarge(keep.data()));
        }
        var file = stepFile(keep);
        return kept(file, keep.data())
                .map(_ -> addresses.of(file.id(), file.expires()))
                .recover(failure -> goneProject(failure, keep.projectId()));
    }

    /**
     * Writes the object before the row, because a row without an object is worse than an object without a row. The
     * object is deleted again only when the row is known to be missing. Retried while the database is unavailable,
     * because the step that made the file has had its effect.
     */
    private Future<Void> kept(StoredFile file, Buffer data) {
        if (storage.written().isEmpty()) {
            return database.recordingEffect(tx -> store.insert(tx, file, data, null));
        }
        var objects = storage.written().get();
        var key = FileStorage.keyOf(file.projectId(), file.type(), file.id());
        return objects.put(key, data, file.contentType())
                .compose(_ -> database.recordingEffect(tx -> store.insert(tx, file, null, key))
                        .recover(failure -> ApiException.isOutcomeUnknown(failure)
                                ? Future.failedFuture(failure)
                                : objects.delete(key).transform(_ -> Future.failedFuture(failure))));
    }

    private ApiException tooLarge(Buffer data) {
        return ApiException.of(
                ErrorCode.BODY_TOO_LARGE,
                "Expected a file of at most " + limits.bytesMax() + " bytes, found " + data.length());
    }

    @Override
    public Future<Void> put(Tx tx, StoredFile file, Buffer data) {
        // Backups and events are created by the server, and its caller cannot reduce their size.
        var isLimited = file.type() != FileType.FLOW_VERSION_BACKUP && file.type() != FileType.TRIGGER_EVENT_FILE;
        return isLimited && data.length() > limits.bytesMax()
                ? Future.failedFuture(tooLarge(data))
                : store.put(tx, file, data);
    }

    @Override
    public Future<List<FileMessages.Content>> find(Tx tx, String projectId, List<String> fileIds) {
        return fileIds.isEmpty() ? Future.succeededFuture(List.of()) : store.findOfFlows(tx, projectId, fileIds);
    }

    @Override
    public Future<Void> removeOfFlow(Tx tx, String flowId) {
        return store.deleteOfFlow(tx, flowId);
    }

    @Override
    public Future<Void> keepSnapshot(Tx tx, String fileId, Instant now, String projectId, String name, Buffer data) {
        var label = FileLabel.of(name + ".json", "application/json");
        var file = new StoredFile(
                fileId,
                now,
                Optional.empty(),
                projectId,
                FileType.PROJECT_RELEASE,
                label.fileName(),
                label.contentType(),
                data.length(),
                Json.object());
        return store.insert(tx, file, data, null);
    }

    @Override
    public Future<Optional<Buffer>> findSnapshot(Tx tx, String projectId, String fileId) {
        return store.findSnapshot(tx, projectId, fileId);
    }

    @Override
    public Future<Void> keepDocument(
            Tx tx, String fileId, Instant now, String projectId, String fileName, String contentType, Buffer data) {
        if (data.length() > limits.bytesMax()) {
            return Future.failedFuture(tooLarge(data));
        }
        var label = FileLabel.of(fileName, contentType);
        var file = new StoredFile(
                fileId,
                now,
                Optional.empty(),
                projectId,
                FileType.KNOWLEDGE_BASE,
                label.fileName(),
                label.contentType(),
                data.length(),
                Json.object());
        return store.insert(tx, file, data, null);
    }

    @Override
    public Future<Boolean> adoptDocument(Tx tx, String projectId, String fileId) {
        return store.adopt(tx, projectId, fileId);
    }

    @Override
    public Future<Void> removeDocument(Tx tx, String projectId, String fileId) {
        return store.deleteDocument(tx, projectId, fileId);
    }

    private StoredFile stepFile(FileMessages.KeepStepFile keep) {
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

    private Future<FileMessages.FileLocation> find(FileAddress address) {
        var wanted = address.fileId();
        var opened = addresses.opened(address.token()).filter(id -> wanted.isEmpty() || id.equals(wanted.get()));
        if (opened.isEmpty()) {
            return Future.failedFuture(ApiException.of(
                    ErrorCode.INVALID_BEARER_TOKEN, "the token is not valid for this file, or has expired"));
        }
        return find(opened.get());
    }

    private Future<FileMessages.FileLocation> findOfProject(FileMessages.FindOfProject ask) {
        return find(ask.fileId())
                .compose(place -> place.file().projectId().equals(ask.projectId())
                        ? Future.succeededFuture(place)
                        : Future.failedFuture(
                                ApiException.of(ErrorCode.AUTHORIZATION, "the file belongs to another project")));
    }

    private Future<FileMessages.Content> readOfProject(FileMessages.ReadOfProject ask) {
        return find(ask.fileId())
                .compose(place -> place.file().projectId().equals(ask.projectId())
                        ? fetched(place)
                        : Future.failedFuture(ApiException.notFound("file", ask.fileId())));
    }

    private Future<FileMessages.FileLocation> find(String id) {
        return database.read(tx -> store.find(tx, id, clock.instant()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound("file", id)))
                .compose(place -> isPacked(place.file()) ? unpacked(place) : Future.succeededFuture(place));
    }

    /** An uploaded slice is returned unchanged. */
    private static boolean isPacked(StoredFile file) {
        return file.type() == FileType.FLOW_RUN_LOG_SLICE && !file.metadata().has(UploadService.UPLOADED);
    }

    /** Slices are kept compressed; a large one takes a while to unpack. */
    private Future<FileMessages.FileLocation> unpacked(FileMessages.FileLocation slice) {
        return fetched(slice)
                .compose(content -> vertx.executeBlocking(
                        () -> Buffer.buffer(CompressedText.text(content.data().getBytes())), false))
                .map(text -> new FileMessages.FileLocation(slice.file(), text, Optional.empty()));
    }

    private Future<FileMessages.Content> fetched(FileMessages.FileLocation place) {
        return place.objectKey()
                .map(storage::read)
                .orElseGet(() -> Future.succeededFuture(place.data()))
                .map(data -> new FileMessages.Content(place.file(), data));
    }

    /**
     * Removes objects of expired files and deleted projects. Removal is idempotent, so no lock is held during calls of
     * the storage. An object that cannot be removed is moved to the end of the list and does not block others; a round
     * ends with a batch in which every removal failed.
     */
    private Future<Void> removeLeftovers(ObjectStorage objects) {
        return database.read(tx -> store.findLeftovers(tx, REMOVED_AT_ONCE_MAX))
                .compose(keys -> Future.join(
                                keys.stream().map(key -> removed(objects, key)).toList())
                        .map(done -> done.<Boolean>list())
                        .compose(done -> removed(objects, keys, done)));
    }

    private Future<Void> removed(ObjectStorage objects, List<String> keys, List<Boolean> done) {
        var gone = new ArrayList<String>();
        var kept = new ArrayList<String>();
        for (var i = 0; i < keys.size(); i++) {
            (done.get(i) ? gone : kept).add(keys.get(i));
        }
        return database.inTransaction(
                        tx -> store.deleteLeftovers(tx, gone).compose(_ -> store.postponeLeftovers(tx, kept)))
                .compose(_ -> keys.size() < REMOVED_AT_ONCE_MAX || gone.isEmpty()
                        ? Future.succeededFuture()
                        : removeLeftovers(objects));
    }

    private static Future<Boolean> removed(ObjectStorage objects, String key) {
        return objects.delete(key)
                .map(true)
                .onFailure(cause ->
                        LOG.warn("cannot delete object {}, retrying at the next clean-up: {}", key, cause.getMessage()))
                .otherwise(false);
    }

    /** Runs on one node; a node that cannot determine the others runs it too. */
    private void cleanUp(Bus bus) {
        bus.ask(new Cluster.ClaimRound("files", Duration.ofMillis(CLEAN_UP_EVERY_MS)), CLAIM_DEADLINE_MS)
                .otherwise(true)
                .compose(isMine -> isMine ? removeAll() : Future.succeededFuture(0))
                .onSuccess(count -> LOG.debug("deleted {} expired files", count))
                .onFailure(cause ->
                        LOG.warn("cannot delete expired files, retrying at the next clean-up: {}", cause.getMessage()));
    }

    private Future<Integer> removeAll() {
        return removeExpired()
                .compose(count -> storage.any()
                        .map(this::removeLeftovers)
                        .orElseGet(Future::succeededFuture)
                        .map(count));
    }

    private Future<Integer> removeExpired() {
        return database.inTransaction(tx ->
                        ExpiryTime.now(tx, clock).compose(now -> store.deleteExpired(tx, now, REMOVED_AT_ONCE_MAX)))
                .compose(count -> count < REMOVED_AT_ONCE_MAX
                        ? Future.succeededFuture(count)
                        : removeExpired().map(more -> count + more));
    }
}
