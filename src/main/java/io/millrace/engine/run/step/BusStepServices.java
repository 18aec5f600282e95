package io.millrace.engine.run.step;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.net.OutboundHttp;
import io.millrace.piece.file.FileMessages;
import io.millrace.piece.input.FileFetcher;
import io.millrace.piece.store.StoreEdit;
import io.millrace.piece.store.StoreEntries;
import io.millrace.piece.store.StoreEntry;
import io.millrace.sandbox.expression.Secrets;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Stored values and files of steps, from the modules {@code store} and {@code file}. */
public final class BusStepServices implements StepServices {
    private static final long DEADLINE_MS = 30_000;

    private final Bus bus;
    private final FileFetcher files;
    private final StepSecrets secrets;
    private final long fileBytesMax;

    /**
     * @param outbound fetches external files; its largest body bounds them too
     * @param publicUrl address of this server, by which its own files are recognized
     * @param fileBytesMax largest file (AP_MAX_FILE_SIZE_MB)
     * @param bindsConnections whether a connection is restricted to its own piece
     */
    public BusStepServices(
            Bus bus, OutboundHttp outbound, Supplier<String> publicUrl, long fileBytesMax, boolean bindsConnections) {
        this.bus = bus;
        this.files = new StepFileFetcher(bus, outbound, publicUrl, fileBytesMax);
        this.secrets = new StepSecrets(bus, DEADLINE_MS, bindsConnections);
        this.fileBytesMax = fileBytesMax;
    }

    @Override
    public Future<Optional<JsonNode>> storeGet(String projectId, String key) {
        return bus.ask(new StoreEntries.Find(projectId, key), DEADLINE_MS)
                .map(found -> found.map(StoreEntry::value))
                .recover(BusStepServices::storeFailure);
    }

    @Override
    public Future<Void> storePut(String projectId, String key, JsonNode value) {
        return bus.ask(new StoreEntries.Put(projectId, key, value), DEADLINE_MS)
                .<Void>mapEmpty()
                .recover(BusStepServices::storeFailure);
    }

    @Override
    public Future<Optional<JsonNode>> storeEdit(String projectId, String key, String receipt, StoreEdit edit) {
        return bus.ask(new StoreEntries.Change(projectId, key, receipt, edit), DEADLINE_MS)
                .recover(BusStepServices::storeFailure);
    }

    @Override
    public Future<Void> storeDelete(String projectId, String key) {
        return bus.ask(new StoreEntries.Delete(projectId, key), DEADLINE_MS)
                .<Void>mapEmpty()
                .recover(BusStepServices::storeFailure);
    }

    @Override
    public Future<String> writeFile(String projectId, String flowId, String stepName, String fileName, Buffer data) {
        return bus.ask(new FileMessages.KeepStepFile(projectId, flowId, stepName, fileName, null, data), DEADLINE_MS)
                .recover(failure -> fileFailure(failure, data.length()));
    }

    @Override
    public Future<Secrets> secrets(String projectId, Set<String> connectionNames, Set<String> variableNames) {
        return secrets.load(projectId, connectionNames, variableNames);
    }

    @Override
    public FileFetcher files() {
        return files;
    }

    /** Maps refusals of the store module to the messages of flows-and-engine 11.4; other failures stay unchanged. */
    private static <T> Future<T> storeFailure(Throwable failure) {
        if (!(failure instanceof ApiException refused) || ApiException.isUnavailable(failure)) {
            return Future.failedFuture(failure);
        }
        return Future.failedFuture(NamedFailure.of(storeErrorName(refused.code()), refused.text()));
    }

    private static String storeErrorName(ErrorCode code) {
        if (code == ErrorCode.INVALID_INPUT) {
            return "StorageInvalidKeyError";
        }
        return code == ErrorCode.BODY_TOO_LARGE ? "StorageLimitError" : "StorageError";
    }

    private <T> Future<T> fileFailure(Throwable failure, long bytes) {
        if (!(failure instanceof ApiException refused) || ApiException.isUnavailable(failure)) {
            return Future.failedFuture(failure);
        }
        return Future.failedFuture(
                refused.code() == ErrorCode.BODY_TOO_LARGE
                        ? NamedFailure.fileSize(OptionalLong.of(bytes), fileBytesMax)
                        : NamedFailure.of("FileStoreError", refused.text()));
    }
}
