package io.millrace.authoring.knowledge;

import io.millrace.authoring.knowledge.ChunkStore.Candidate;
import io.millrace.authoring.knowledge.ChunkStore.Entry;
import io.millrace.authoring.knowledge.KnowledgeChunks.Answer;
import io.millrace.authoring.knowledge.KnowledgeChunks.Match;
import io.millrace.authoring.knowledge.KnowledgeChunks.NewChunk;
import io.millrace.authoring.knowledge.KnowledgeChunks.Search;
import io.millrace.base.bus.Bus;
import io.millrace.base.bus.Nothing;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.model.ModelChoice;
import io.millrace.piece.model.ModelFailure;
import io.millrace.piece.model.Models;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Handles {@link KnowledgeChunks}. A search compares the question with every vector of the requested documents, page by
 * page: the project's limits bound its cost, and the result is exact (decision 0235).
 */
public final class ChunkService implements BusService {
    private static final int COMPARED_AT_ONCE = 500;
    private static final int ANSWERS = 5;
    private static final double ANSWER_SIMILARITY_MIN = 0.5;
    private static final long QUESTION_MS = 30_000;
    private static final Comparator<ChunkScore> WORST_FIRST =
            Comparator.comparingDouble(ChunkScore::score).thenComparing(ChunkScore::id, Comparator.reverseOrder());

    private final Database database;
    private final Models models;
    private final KnowledgeLimits limits;
    private final KnowledgeStore files = new KnowledgeStore();
    private final ChunkStore store = new ChunkStore();

    public ChunkService(Database database, Models models, KnowledgeLimits limits) {
        this.database = database;
        this.models = models;
        this.limits = limits;
    }

    private record ChunkScore(String id, double score) {}

    @Override
    public void open(Bus bus) {
        bus.serve(KnowledgeChunks.Count.class, ask -> database.read(tx -> store.count(tx, ask.knowledgeBaseFileId())));
        bus.serve(
                KnowledgeChunks.ListOf.class,
                ask -> database.read(tx -> store.all(tx, ask.knowledgeBaseFileId(), ask.embedded())));
        bus.serve(KnowledgeChunks.Store.class, this::store);
        bus.serve(Search.class, this::search);
        bus.serve(KnowledgeChunks.Ask.class, this::answer);
    }

    private Future<Nothing> store(KnowledgeChunks.Store ask) {
        var ids = ask.chunks().stream().flatMap(chunk -> chunk.id().stream()).toList();
        if (new HashSet<>(ids).size() < ids.size()) {
            return Future.failedFuture(ApiException.of(ErrorCode.VALIDATION, "two chunks have the same id"));
        }
        return database.inTransaction(tx -> files.find(tx, ask.knowledgeBaseFileId())
                        .compose(file -> files.lock(
                                tx, file.map(KnowledgeFile::projectId).orElse("")))
                        .compose(_ -> files.findToChange(tx, ask.knowledgeBaseFileId()))
                        .map(found -> found.orElseThrow(
                                () -> ApiException.notFound(KnowledgeService.ENTITY, ask.knowledgeBaseFileId())))
                        .compose(file -> store(tx, file, ask.chunks(), ids.isEmpty())))
                .map(Nothing.DONE);
    }

    private Future<Void> store(Tx tx, KnowledgeFile file, List<NewChunk> chunks, boolean instead) {
        var begun = instead ? store.deleteAll(tx, file.id()) : Future.<Void>succeededFuture();
        var edited = begun;
        for (var chunk : chunks) {
            if (chunk.id().isPresent()) {
                edited = edited.compose(_ -> edit(tx, file.id(), chunk));
            }
        }
        return edited.compose(_ -> store.nextIndex(tx, file.id()))
                .compose(next -> store.insert(tx, file.id(), entries(chunks, next)))
                .compose(_ -> store.countOfProject(tx, file.projectId()))
                .compose(count -> count <= limits.chunksMax()
                        ? files.changed(tx, file.id())
                        : Future.failedFuture(ApiException.of(
                                ErrorCode.VALIDATION,
                                "the knowledge base of a project has at most " + limits.chunksMax() + " chunks")));
    }

    private Future<Void> edit(Tx tx, String fileId, NewChunk chunk) {
        var id = chunk.id().orElseThrow();
        return store.update(tx, fileId, id, chunk)
                .compose(known -> known
                        ? Future.succeededFuture()
                        : Future.failedFuture(ApiException.notFound("knowledge_base_chunk", id)));
    }

    private static List<Entry> entries(List<NewChunk> chunks, int firstIndex) {
        var entries = new ArrayList<Entry>();
        for (var chunk : chunks) {
            if (chunk.id().isEmpty()) {
                entries.add(new Entry(
                        Ids.next(),
                        chunk.index().orElse(firstIndex + entries.size()),
                        chunk.content().orElseThrow(),
                        chunk.metadata().orElseGet(Json::object),
                        chunk.embedding().orElse(null)));
            }
        }
        return entries;
    }

    private Future<List<Match>> search(Search ask) {
        var best = new PriorityQueue<>(WORST_FIRST);
        return compare(ask, new Candidate("", "", null), best).compose(_ -> read(best));
    }

    private Future<Void> compare(Search ask, Candidate after, PriorityQueue<ChunkScore> best) {
        return database.read(tx ->
                        store.candidates(tx, ask.projectId(), ask.knowledgeBaseFileIds(), after, COMPARED_AT_ONCE))
                .compose(page -> {
                    for (var candidate : page) {
                        var score = Vectors.similarity(ask.question(), candidate.embedding());
                        if (score >= ask.similarityMin()) {
                            best.add(new ChunkScore(candidate.id(), score));
                        }
                        if (best.size() > ask.limit()) {
                            best.remove();
                        }
                    }
                    return page.size() < COMPARED_AT_ONCE
                            ? Future.succeededFuture()
                            : compare(ask, page.getLast(), best);
                });
    }

    private Future<List<Match>> read(PriorityQueue<ChunkScore> best) {
        var scores = new HashMap<String, Double>();
        best.forEach(scored -> scores.put(scored.id(), scored.score()));
        return database.read(tx -> store.find(tx, List.copyOf(scores.keySet())))
                .map(chunks -> chunks.stream()
                        .map(chunk -> new Match(
                                chunk.id(),
                                chunk.content(),
                                chunk.metadata(),
                                chunk.index(),
                                scores.getOrDefault(chunk.id(), 0.0)))
                        .sorted(Comparator.comparingDouble(Match::score)
                                .reversed()
                                .thenComparing(Match::id))
                        .toList());
    }

    private Future<Answer> answer(KnowledgeChunks.Ask ask) {
        return database.read(tx -> files.find(tx, ask.knowledgeBaseFileId()))
                .map(found -> found.filter(file -> file.projectId().equals(ask.projectId()))
                        .orElseThrow(() -> ApiException.notFound(KnowledgeService.ENTITY, ask.knowledgeBaseFileId())))
                .compose(file -> database.read(tx -> store.candidates(
                                tx, file.projectId(), List.of(file.id()), new Candidate("", "", null), 1))
                        .compose(some -> some.isEmpty()
                                ? Future.succeededFuture(new Answer.NoChunks(notIndexed(file)))
                                : answer(ask, file)));
    }

    private static String notIndexed(KnowledgeFile file) {
        return switch (file.state()) {
            case INDEXING -> file.displayName() + " is being indexed; it cannot be searched yet.";
            case FAILED ->
                file.displayName() + " could not be indexed: " + file.reason().orElse("");
            case UNINDEXED, READY -> file.displayName() + " has not been indexed, so it cannot be searched.";
        };
    }

    /**
     * The question is embedded with the model of the document's vectors; vectors of different models are not
     * comparable.
     */
    private Future<Answer> answer(KnowledgeChunks.Ask ask, KnowledgeFile file) {
        return file.model()
                .map(model -> Future.succeededFuture(Optional.of(model)))
                .orElseGet(() -> models.embedder(file.projectId()))
                .compose(model -> model.map(known -> answer(ask, file, known))
                        .orElseGet(() -> Future.succeededFuture(new Answer.NoChunks(
                                "No AI provider is configured to search " + file.displayName() + "."))));
    }

    private Future<Answer> answer(KnowledgeChunks.Ask ask, KnowledgeFile file, ModelChoice model) {
        return models.embed(file.projectId(), model, List.of(ask.question()), QUESTION_MS)
                .compose(made -> search(new Search(
                        file.projectId(),
                        List.of(file.id()),
                        Vectors.written(made.vectors().getFirst()),
                        ANSWERS,
                        ANSWER_SIMILARITY_MIN)))
                .<Answer>map(found -> found.isEmpty()
                        ? new Answer.NoChunks("No passage in " + file.displayName() + " matches the query.")
                        : new Answer.Chunks(found))
                .recover(failure -> failure instanceof ModelFailure known && !known.isRetriable()
                        ? Future.succeededFuture(new Answer.NoChunks(file.displayName()
                                + " cannot be searched until it is indexed again: " + failure.getMessage()))
                        : Future.failedFuture(failure));
    }
}
