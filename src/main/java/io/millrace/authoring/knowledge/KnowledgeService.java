package io.millrace.authoring.knowledge;

import io.millrace.authoring.knowledge.ChunkStore.Entry;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.file.FileMessages;
import io.millrace.piece.file.KnowledgeBaseFiles;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.Models;
import io.millrace.sandbox.document.DocumentKind;
import io.millrace.sandbox.document.DocumentTexts;
import io.millrace.sandbox.document.UnreadableDocument;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Handles {@link KnowledgeFiles}, except the indexing of missing vectors. The first vectors of an upload are computed
 * before anything is stored: a document that cannot be indexed is rejected, and a short one is searchable at once.
 */
public final class KnowledgeService implements BusService {
    static final String ENTITY = "knowledge_base_file";

    private static final String NEEDS_PROVIDER = "KNOWLEDGE_BASE_NEEDS_AI_PROVIDER";
    private static final String NO_TEXT = "KNOWLEDGE_BASE_FILE_HAS_NO_TEXT";
    private static final long ASK_DEADLINE_MS = 30_000;
    private static final long FIRST_VECTORS_MS = 30_000;

    private final Bus bus;
    private final Database database;
    private final KnowledgeBaseFiles files;
    private final DocumentTexts texts;
    private final Models models;
    private final KnowledgeLimits limits;
    private final InstantSource clock;
    private final KnowledgeStore store = new KnowledgeStore();
    private final ChunkStore chunks = new ChunkStore();

    public KnowledgeService(
            Bus bus,
            Database database,
            KnowledgeBaseFiles files,
            DocumentTexts texts,
            Models models,
            KnowledgeLimits limits,
            InstantSource clock) {
        this.bus = bus;
        this.database = database;
        this.files = files;
        this.texts = texts;
        this.models = models;
        this.limits = limits;
        this.clock = clock;
    }

    @Override
    public void open(Bus openedOn) {
        bus.serve(KnowledgeFiles.Upload.class, this::upload);
        bus.serve(KnowledgeFiles.Add.class, this::add);
        bus.serve(KnowledgeFiles.ListOf.class, ask -> database.read(tx -> store.all(tx, ask.projectId())));
        bus.serve(KnowledgeFiles.Get.class, ask -> required(ask.id()));
        bus.serve(KnowledgeFiles.Delete.class, this::delete);
        bus.serve(KnowledgeFiles.Extract.class, ask -> required(ask.id()).compose(this::cut));
        bus.serve(KnowledgeFiles.Reindex.class, this::reindex);
        bus.serve(KnowledgeFiles.ProjectOf.class, ask -> required(ask.id()).map(KnowledgeFile::projectId));
    }

    private Future<KnowledgeFile> upload(KnowledgeFiles.Upload ask) {
        var kind = kindOf(ask.fileName(), ask.contentType());
        if (kind.isEmpty()) {
            return Future.failedFuture(unsupported());
        }
        return embedder(ask.projectId())
                .compose(model -> cut(kind.get(), ask.data())
                        .compose(pieces -> entries(ask.projectId(), model, pieces))
                        .compose(entries -> {
                            var state = entries.stream().allMatch(entry -> entry.embedding() != null)
                                    ? KnowledgeState.READY
                                    : KnowledgeState.INDEXING;
                            var file =
                                    newFile(ask.projectId(), Ids.next(), ask.displayName(), state, Optional.of(model));
                            return database.recordingEffect(tx -> record(tx, file, ask, entries))
                                    .map(file);
                        }));
    }

    /**
     * Records document, file and index in one transaction. The call of the model is already paid, so the write waits
     * for an unavailable database; a repetition finds the document of an attempt that was committed without an answer.
     */
    private Future<Void> record(Tx tx, KnowledgeFile file, KnowledgeFiles.Upload ask, List<Entry> entries) {
        return store.lock(tx, file.projectId())
                .compose(_ -> store.find(tx, file.id()))
                .compose(known -> known.isPresent()
                        ? Future.succeededFuture()
                        : room(tx, file.projectId(), entries.size())
                                .compose(_ -> files.keepDocument(
                                        tx,
                                        file.fileId(),
                                        file.created(),
                                        file.projectId(),
                                        ask.fileName(),
                                        ask.contentType(),
                                        ask.data()))
                                .compose(_ -> store.insert(tx, file))
                                .compose(_ -> chunks.insert(tx, file.id(), entries)));
    }

    private static Optional<DocumentKind> kindOf(String fileName, String contentType) {
        return DocumentKind.of(fileName, contentType);
    }

    private static ApiException unsupported() {
        return ApiException.of(ErrorCode.VALIDATION, "the file cannot be indexed: expected " + DocumentKind.options());
    }

    private Future<ModelChoice> embedder(String projectId) {
        return models.embedder(projectId)
                .map(found -> found.orElseThrow(() -> ApiException.of(ErrorCode.VALIDATION, NEEDS_PROVIDER)));
    }

    private Future<List<String>> cut(DocumentKind kind, Buffer data) {
        return texts.read(kind, data)
                .recover(failure -> Future.failedFuture(
                        failure instanceof UnreadableDocument
                                ? ApiException.of(ErrorCode.VALIDATION, failure.getMessage())
                                : failure))
                .map(text -> {
                    if (text.isBlank()) {
                        throw ApiException.of(ErrorCode.VALIDATION, NO_TEXT);
                    }
                    var pieces = kind == DocumentKind.CSV ? TextChunks.ofRows(text) : TextChunks.ofText(text);
                    if (pieces.size() > limits.chunksMax()) {
                        throw tooManyChunks();
                    }
                    return pieces;
                });
    }

    private ApiException tooManyChunks() {
        return ApiException.of(
                ErrorCode.VALIDATION,
                "the knowledge base of a project has at most " + limits.chunksMax() + " chunks of " + TextChunks.LENGTH
                        + " characters");
    }

    /** All chunks, the first of them with their vectors. */
    private Future<List<Entry>> entries(String projectId, ModelChoice model, List<String> pieces) {
        var first = pieces.subList(0, Math.min(pieces.size(), IndexingService.BATCH));
        return models.embed(projectId, model, first, FIRST_VECTORS_MS)
                .recover(failure -> Future.failedFuture(
                        failure instanceof ModelFailure
                                ? ApiException.of(ErrorCode.VALIDATION, failure.getMessage())
                                : failure))
                .map(made -> {
                    var entries = new ArrayList<Entry>();
                    for (var index = 0; index < pieces.size(); index++) {
                        var vector = index < first.size()
                                ? Vectors.written(made.vectors().get(index))
                                : null;
                        entries.add(entry(pieces, index, vector));
                    }
                    return entries;
                });
    }

    private static Entry entry(List<String> pieces, int index, Buffer vector) {
        var metadata = Json.object().put("chunkIndex", index).put("totalChunks", pieces.size());
        return new Entry(Ids.next(), index, pieces.get(index), metadata, vector);
    }

    private KnowledgeFile newFile(
            String projectId, String fileId, String displayName, KnowledgeState state, Optional<ModelChoice> model) {
        var now = now();
        return new KnowledgeFile(Ids.next(), now, now, projectId, fileId, displayName, state, Optional.empty(), model);
    }

    private Future<Void> room(Tx tx, String projectId, int newChunks) {
        return store.lock(tx, projectId)
                .compose(_ -> store.count(tx, projectId))
                .compose(count -> count < limits.filesMax()
                        ? chunks.countOfProject(tx, projectId)
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "the knowledge base of a project has at most " + limits.filesMax() + " files")))
                .compose(count -> count + newChunks <= limits.chunksMax()
                        ? Future.succeededFuture()
                        : Future.failedFuture(tooManyChunks()));
    }

    private Future<KnowledgeFile> add(KnowledgeFiles.Add ask) {
        var file =
                newFile(ask.projectId(), ask.fileId(), ask.displayName(), KnowledgeState.UNINDEXED, Optional.empty());
        return database.inTransaction(tx -> room(tx, ask.projectId(), 0)
                        .compose(_ -> files.adoptDocument(tx, ask.projectId(), ask.fileId()))
                        .compose(known -> known
                                ? store.insert(tx, file)
                                : Future.failedFuture(ApiException.notFound("file", ask.fileId()))))
                .map(file);
    }

    /** A file shared with another document is kept. */
    private Future<Nothing> delete(KnowledgeFiles.Delete ask) {
        return database.inTransaction(tx -> store.lock(tx, ask.projectId())
                        .compose(_ -> store.delete(tx, ask.projectId(), ask.id()))
                        .compose(fileId -> fileId.map(id -> store.isShared(tx, id)
                                        .compose(shared -> shared
                                                ? Future.<Void>succeededFuture()
                                                : files.removeDocument(tx, ask.projectId(), id)))
                                .orElseGet(Future::succeededFuture)))
                .map(Nothing.DONE);
    }

    private Future<List<String>> cut(KnowledgeFile file) {
        return bus.ask(new FileMessages.ReadOfProject(file.projectId(), file.fileId()), ASK_DEADLINE_MS)
                .compose(content -> kindOf(
                                content.file().fileName(), content.file().contentType())
                        .map(kind -> cut(kind, content.data()))
                        .orElseGet(() -> Future.failedFuture(unsupported())));
    }

    private Future<KnowledgeFile> reindex(KnowledgeFiles.Reindex ask) {
        return required(ask.id())
                .compose(file -> embedder(file.projectId())
                        .compose(model -> cut(file)
                                .compose(pieces -> database.inTransaction(tx -> anew(tx, file, model, pieces)))))
                .compose(_ -> required(ask.id()));
    }

    private Future<Void> anew(Tx tx, KnowledgeFile file, ModelChoice model, List<String> pieces) {
        var entries = new ArrayList<Entry>();
        for (var index = 0; index < pieces.size(); index++) {
            entries.add(entry(pieces, index, null));
        }
        return store.lock(tx, file.projectId())
                .compose(_ -> store.findToChange(tx, file.id()))
                .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, file.id())))
                .compose(_ -> chunks.deleteAll(tx, file.id()))
                .compose(_ -> chunks.countOfProject(tx, file.projectId()))
                .compose(count -> count + entries.size() <= limits.chunksMax()
                        ? chunks.insert(tx, file.id(), entries)
                        : Future.failedFuture(tooManyChunks()))
                .compose(_ -> store.begin(tx, file.id(), model));
    }

    private Future<KnowledgeFile> required(String id) {
        return database.read(tx -> store.find(tx, id))
                .map(found -> found.orElseThrow(() -> ApiException.notFound(ENTITY, id)));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
