package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;
import io.millrace.base.http.Input;
import io.millrace.piece.model.ModelVectors;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parses chunks and vectors of requests (contract agents 7). */
final class ChunkReader {
    private static final int AT_ONCE_MAX = 5_000;
    private static final int CONTENT_LENGTH_MAX = 20_000;
    private static final int INDEX_MAX = 1_000_000;
    private static final int FILES_MAX = 100;
    private static final int FOUND_MAX = 100;
    private static final int FOUND = 5;

    private ChunkReader() {}

    record ChunkSearch(List<String> files, Buffer vector, int limit, double similarityMin) {
        KnowledgeChunks.Search in(String projectId) {
            return new KnowledgeChunks.Search(projectId, files, vector, limit, similarityMin);
        }
    }

    static KnowledgeChunks.Store readStore(Input input) {
        var body = input.body();
        var given = body.array("chunks");
        var chunks = new ArrayList<KnowledgeChunks.NewChunk>();
        if (given.size() > AT_ONCE_MAX) {
            body.refuse("chunks", "Too big: expected array to have <=" + AT_ONCE_MAX + " items");
        } else {
            for (var index = 0; index < given.size(); index++) {
                chunks.add(readChunk(body.element("chunks", index, given.get(index))));
            }
        }
        return new KnowledgeChunks.Store(input.id("id"), chunks);
    }

    private static KnowledgeChunks.NewChunk readChunk(Fields chunk) {
        var id = chunk.isAbsent("id") ? Optional.<String>empty() : Optional.of(chunk.text("id", Ids.PATTERN));
        return new KnowledgeChunks.NewChunk(
                id,
                id.isPresent() && chunk.isAbsent("content")
                        ? Optional.empty()
                        : Optional.of(chunk.text("content", 1, CONTENT_LENGTH_MAX)),
                chunk.isAbsent("embedding") ? Optional.empty() : Optional.of(vector(chunk, "embedding")),
                chunk.optionalInteger("chunkIndex", 0, INDEX_MAX),
                chunk.optionalObject("metadata"));
    }

    /** Checks the form only; the project and the permission were determined before. */
    static boolean readProject(Fields fields) {
        return fields.optionalText("projectId", Ids.PATTERN).isPresent();
    }

    static ChunkSearch readSearch(Input input) {
        var body = input.body();
        readProject(body);
        var files = body.requiredTexts("knowledgeBaseFileIds");
        if (files.size() > FILES_MAX) {
            body.refuse("knowledgeBaseFileIds", "Too big: expected array to have <=" + FILES_MAX + " items");
        }
        for (var index = 0; index < files.size(); index++) {
            if (!Ids.isId(files.get(index))) {
                body.refuse(
                        "knowledgeBaseFileIds/" + index,
                        "Invalid string: must match pattern /" + Ids.PATTERN.pattern() + "/");
            }
        }
        return new ChunkSearch(
                files,
                vector(body, "queryEmbedding"),
                body.optionalInteger("limit", 1, FOUND_MAX).orElse(FOUND),
                similarity(body));
    }

    private static double similarity(Fields body) {
        var given = body.raw("similarityThreshold");
        if (body.isAbsent("similarityThreshold")) {
            return 0;
        }
        if (!given.isNumber() || given.doubleValue() < 0 || given.doubleValue() > 1) {
            body.refuse("similarityThreshold", "Invalid input: expected number from 0 to 1");
        }
        return given.asDouble();
    }

    private static Buffer vector(Fields fields, String name) {
        var given = fields.array(name);
        if (given.size() != ModelVectors.DIMENSIONS) {
            fields.refuse(name, "Invalid input: expected array of " + ModelVectors.DIMENSIONS + " numbers");
            return Buffer.buffer();
        }
        var vector = new float[ModelVectors.DIMENSIONS];
        for (var index = 0; index < vector.length; index++) {
            if (!isFinite(given.get(index))) {
                fields.refuse(name, "Invalid input: expected array of " + ModelVectors.DIMENSIONS + " numbers");
                return Buffer.buffer();
            }
            vector[index] = given.get(index).floatValue();
        }
        return Vectors.written(vector);
    }

    private static boolean isFinite(JsonNode number) {
        return number.isNumber() && Float.isFinite(number.floatValue());
    }
}
