package io.millrace.piece.file;

import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.InstantSource;
import java.util.Optional;

/** Stores files under ids chosen by clients: code of pieces, which may be interrupted and retry. */
public final class UploadService implements BusService {
    /** Metadata flag that distinguishes uploads from files of the server. */
    static final String UPLOADED = "uploaded";

    private final Database database;
    private final FileAddresses addresses;
    private final FileStorage storage;
    private final FileService.Limits limits;
    private final InstantSource clock;
    private final FileStore store = new FileStore();

    public UploadService(
            Database database,
            FileAddresses addresses,
            FileStorage storage,
            FileService.Limits limits,
            InstantSource clock) {
        this.database = database;
        this.addresses = addresses;
        this.storage = storage;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(FileMessages.KeepUpload.class, this::keep);
        bus.serve(FileMessages.PlaceUpload.class, this::place);
    }

    private Future<String> keep(FileMessages.KeepUpload wanted) {
        var data = wanted.data();
        if (data.length() > limits.bytesMax()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.BODY_TOO_LARGE, "Expected at most " + limits.bytesMax() + " bytes"));
        }
        var file = file(wanted.projectId(), wanted.upload(), data.length());
        return storage.written()
                .map(objects -> requireMine(file)
                        .compose(_ -> objects.put(keyOf(file), data, file.contentType()))
                        .compose(_ -> write(file, null, keyOf(file))))
                .orElseGet(() -> write(file, data, null))
                .map(_ -> addresses.of(file.id(), file.expires()));
    }

    /**
     * The row is written first, because the end of a direct upload is not reported; until the bytes exist the file
     * cannot be read.
     */
    private Future<FileMessages.UploadTarget> place(FileMessages.PlaceUpload wanted) {
        var size = wanted.upload().size();
        if (size.isEmpty()) {
            return Future.failedFuture(
                    ApiException.of(ErrorCode.INVALID_INPUT, "headers/content-length expected the size of the file"));
        }
        var file = file(wanted.projectId(), wanted.upload(), size.get());
        return storage.written()
                .map(objects -> objects.uploadUrl(keyOf(file), file.size()))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()))
                .map(url -> url.orElseThrow(
                        () -> ApiException.of(ErrorCode.UNAVAILABLE, "no storage is configured for uploads")))
                .compose(url -> write(file, null, keyOf(file))
                        .map(_ -> new FileMessages.UploadTarget(url, addresses.of(file.id(), file.expires()))));
    }

    /** Checked before the object is written, because the object would replace an existing one. */
    private Future<Void> requireMine(StoredFile file) {
        return database.read(tx -> store.isTaken(tx, file))
                .compose(taken -> taken ? Future.failedFuture(refused(file)) : Future.succeededFuture());
    }

    private Future<Void> write(StoredFile file, Buffer data, String objectKey) {
        return database.recordingEffect(tx -> store.upload(tx, file, data, objectKey))
                .recover(failure -> failure instanceof ConstraintViolation violation
                                && violation.kind() == ConstraintViolation.Kind.FOREIGN_KEY
                        ? Future.failedFuture(ApiException.notFound("project", file.projectId()))
                        : Future.failedFuture(failure))
                .compose(written -> written ? Future.succeededFuture() : Future.failedFuture(refused(file)));
    }

    private static ApiException refused(StoredFile file) {
        return ApiException.of(ErrorCode.AUTHORIZATION, "the file " + file.id() + " cannot be written with this token");
    }

    private StoredFile file(String projectId, UploadRequest upload, long size) {
        var now = clock.instant();
        return new StoredFile(
                upload.fileId(),
                now,
                Optional.of(now.plus(limits.retention())),
                projectId,
                upload.type(),
                upload.label().fileName(),
                upload.label().contentType(),
                size,
                Json.object().put(UPLOADED, true));
    }

    private static String keyOf(StoredFile file) {
        return FileStorage.keyOf(file.projectId(), file.type(), file.id());
    }
}
