package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.access.Access;
import io.millrace.base.access.Access.ProjectSource;
import io.millrace.base.access.Permission;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.http.ApiCall;
import io.millrace.base.http.ApiReply;
import io.millrace.base.http.Input;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.Routes;
import io.millrace.base.http.body.UploadedFile;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Routes of knowledge bases (contract agents 7). */
public final class KnowledgeRoutes implements RouteGroup {
    private static final String ALL = "/v1/knowledge-base/files";
    private static final String ONE = ALL + "/:id";
    private static final int NAME_LENGTH_MAX = 255;

    /** Timeout for parsing a document and calling a model. */
    private static final long UPLOAD_DEADLINE_MS = 120_000;

    /** Limit of a form's fields besides its file, in bytes. */
    private static final long FIELDS_BYTES_MAX = 64L << 10;

    private final Bus bus;
    private final long fileBytesMax;

    /**
     * Creates the routes.
     *
     * @param fileBytesMax largest file (AP_MAX_FILE_SIZE_MB)
     */
    public KnowledgeRoutes(Bus bus, long fileBytesMax) {
        this.bus = bus;
        this.fileBytesMax = fileBytesMax;
    }

    @Override
    public void mount(Routes routes) {
        var query = new ProjectSource.Query();
        var body = new ProjectSource.Body();
        var row = new ProjectSource.Row("id", KnowledgeFiles.ProjectOf::new);
        routes.postForm(ALL + "/upload", writing(query), fileBytesMax + FIELDS_BYTES_MAX, Upload::read, this::upload);
        routes.post(ALL, writing(body), NewDocument::read, this::add);
        routes.get(ALL, reading(query), input -> ChunkReader.readProject(input.query()), this::list);
        routes.post(ALL + "/search", reading(body), ChunkReader::readSearch, this::search);
        routes.get(ONE, reading(row), input -> input.id("id"), this::get);
        routes.delete(ONE, writing(query), KnowledgeRoutes::readDeletion, this::delete);
        routes.post(ONE + "/reindex", writing(row), input -> input.id("id"), this::reindex);
        routes.get(ONE + "/chunks/count", reading(row), input -> input.id("id"), this::count);
        routes.get(ONE + "/chunks", reading(row), DocumentQuery::read, this::chunks);
        routes.post(ONE + "/extract-chunks", reading(row), input -> input.id("id"), this::extract);
        routes.post(ONE + "/store-chunks", writing(row), ChunkReader::readStore, this::store);
    }

    private static Access reading(ProjectSource source) {
        return Access.projectAndPieces(Permission.READ_KNOWLEDGE_BASE, source);
    }

    private static Access writing(ProjectSource source) {
        return Access.projectAndPieces(Permission.WRITE_KNOWLEDGE_BASE, source);
    }

    /**
     * Fields of an upload form, in any order. A missing file is an error only for callers with the permission to upload,
     * so it is checked after the permission.
     */
    private record Upload(String displayName, Optional<UploadedFile> file) {
        static Upload read(Input input) {
            ChunkReader.readProject(input.query());
            return input.rawBody().path("file") instanceof UploadedFile file
                    ? new Upload(
                            input.body(Set.of("displayName")).text("displayName", 1, NAME_LENGTH_MAX),
                            Optional.of(file))
                    : new Upload("", Optional.empty());
        }
    }

    private record NewDocument(String fileId, String displayName) {
        static NewDocument read(Input input) {
            var body = input.body();
            ChunkReader.readProject(body);
            return new NewDocument(body.text("fileId", Ids.PATTERN), body.text("displayName", 1, NAME_LENGTH_MAX));
        }
    }

    private record DocumentQuery(String id, Optional<Boolean> embedded) {
        static DocumentQuery read(Input input) {
            return new DocumentQuery(input.id("id"), input.query().optionalFlag("embedded"));
        }
    }

    private static String readDeletion(Input input) {
        ChunkReader.readProject(input.query());
        return input.id("id");
    }

    private Future<ApiReply> upload(ApiCall call, Upload upload) {
        return upload.file()
                .map(file -> bus.ask(
                                new KnowledgeFiles.Upload(
                                        call.projectId(),
                                        upload.displayName(),
                                        file.fileName(),
                                        file.contentType(),
                                        Buffer.buffer(file.binaryValue())),
                                UPLOAD_DEADLINE_MS)
                        .map(kept -> ApiReply.created(kept.toJson())))
                .orElseGet(() -> Future.failedFuture(ApiException.of(
                        ErrorCode.INVALID_INPUT, "body/file Invalid input: expected a file in a form")));
    }

    private Future<ApiReply> add(ApiCall call, NewDocument added) {
        return bus.ask(new KnowledgeFiles.Add(call.projectId(), added.fileId(), added.displayName()), call.deadlineMs())
                .map(file -> ApiReply.created(file.toJson()));
    }

    private Future<ApiReply> list(ApiCall call, boolean named) {
        return bus.ask(new KnowledgeFiles.ListOf(call.projectId()), call.deadlineMs())
                .map(files -> ApiReply.ok(array(files, KnowledgeFile::toJson)));
    }

    private Future<ApiReply> get(ApiCall call, String id) {
        return bus.ask(new KnowledgeFiles.Get(id), call.deadlineMs()).map(file -> ApiReply.ok(file.toJson()));
    }

    private Future<ApiReply> delete(ApiCall call, String id) {
        return bus.ask(new KnowledgeFiles.Delete(call.projectId(), id), call.deadlineMs())
                .map(_ -> ApiReply.empty());
    }

    private Future<ApiReply> reindex(ApiCall call, String id) {
        return bus.ask(new KnowledgeFiles.Reindex(id), UPLOAD_DEADLINE_MS).map(file -> ApiReply.ok(file.toJson()));
    }

    private Future<ApiReply> count(ApiCall call, String id) {
        return bus.ask(new KnowledgeChunks.Count(id), call.deadlineMs())
                .map(count -> ApiReply.ok(Json.object().put("count", count)));
    }

    private Future<ApiReply> chunks(ApiCall call, DocumentQuery listed) {
        return bus.ask(new KnowledgeChunks.ListOf(listed.id(), listed.embedded()), call.deadlineMs())
                .map(chunks -> ApiReply.ok(array(chunks, Chunk::toJson)));
    }

    private Future<ApiReply> extract(ApiCall call, String id) {
        return bus.ask(new KnowledgeFiles.Extract(id), UPLOAD_DEADLINE_MS).map(texts -> {
            var answer = Json.object();
            texts.forEach(answer.putArray("chunks")::add);
            return ApiReply.ok(answer);
        });
    }

    private Future<ApiReply> store(ApiCall call, KnowledgeChunks.Store store) {
        return bus.ask(store, call.deadlineMs())
                .map(_ -> ApiReply.ok(Json.object().put("success", true)));
    }

    private Future<ApiReply> search(ApiCall call, ChunkReader.ChunkSearch question) {
        return bus.ask(question.in(call.projectId()), call.deadlineMs())
                .map(found -> ApiReply.ok(array(found, KnowledgeChunks.Match::toJson)));
    }

    private static <T> JsonNode array(List<T> items, Function<T, JsonNode> json) {
        var array = Json.array();
        items.forEach(item -> array.add(json.apply(item)));
        return array;
    }
}
