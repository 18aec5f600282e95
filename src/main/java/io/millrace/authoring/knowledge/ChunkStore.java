package io.millrace.authoring.knowledge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Optional;

final class ChunkStore {
    private static final String PENDING = """
            select id, revision, content from knowledge_chunk
             where knowledge_file_id = $1 and embedding is null order by chunk_index, id limit $2
            """;

    private static final RowMapper<Pending> PENDING_CHUNKS = RowMapper.of(Pending.class, PENDING);

    private static final String CANDIDATES = """
            select c.knowledge_file_id as file_id, c.id, c.embedding
              from knowledge_chunk c join knowledge_file f on f.id = c.knowledge_file_id
             where f.project_id = $1 and c.knowledge_file_id = any ($2) and c.embedding is not null
               and (c.knowledge_file_id, c.id) > ($3, $4)
             order by c.knowledge_file_id, c.id limit $5
            """;

    private static final RowMapper<Candidate> CANDIDATES_FOUND = RowMapper.of(Candidate.class, CANDIDATES);

    private static final String COLUMNS = """
            id, created, updated, knowledge_file_id as knowledge_base_file_id, chunk_index as index, content,
            coalesce(metadata, '{}')::text as metadata, embedding is not null as embedded
            """;

    private static final RowMapper<Chunk> CHUNKS =
            RowMapper.of(Chunk.class, "select " + COLUMNS + " from knowledge_chunk");

    /**
     * A chunk to write.
     *
     * @param embedding null for none
     */
    record Entry(String id, int index, String content, ObjectNode metadata, Buffer embedding) {}

    /** The revision detects a change of the text while its vector is computed. */
    record Pending(String id, int revision, String content) {}

    record Candidate(String fileId, String id, Buffer embedding) {}

    Future<Void> insert(Tx tx, String fileId, List<Entry> entries) {
        return entries.isEmpty()
                ? Future.succeededFuture()
                : tx.query(
                                """
                                insert into knowledge_chunk (id, created, updated, knowledge_file_id, chunk_index, content,
                                                             metadata, embedding)
                                select c.id, now(), now(), $1, c.chunk_index, c.content, c.metadata::jsonb, c.embedding
                                  from unnest($2::text[], $3::integer[], $4::text[], $5::text[], $6::bytea[])
                                       as c (id, chunk_index, content, metadata, embedding)
                                """,
                                fileId,
                                Values.texts(entries, Entry::id),
                                Values.integers(entries, Entry::index),
                                Values.texts(entries, Entry::content),
                                Values.jsons(entries, Entry::metadata),
                                Values.buffers(entries, Entry::embedding))
                        .mapEmpty();
    }

    /**
     * Updates a chunk and returns whether it exists. A changed text loses its vector unless the update contains a new
     * one.
     */
    Future<Boolean> update(Tx tx, String fileId, String id, KnowledgeChunks.NewChunk chunk) {
        return tx.query("""
                        update knowledge_chunk
                           set updated = now(), content = coalesce($3, content),
                               chunk_index = coalesce($4, chunk_index), metadata = coalesce($5, metadata),
                               revision = revision + 1,
                               embedding = case when $6::bytea is not null then $6
                                                when $3::text is null or $3 = content then embedding end
                         where id = $1 and knowledge_file_id = $2
                        """, id, fileId, chunk.content(), chunk.index(), chunk.metadata(), chunk.embedding())
                .map(rows -> rows.rowCount() == 1);
    }

    Future<Void> deleteAll(Tx tx, String fileId) {
        return tx.query("delete from knowledge_chunk where knowledge_file_id = $1", fileId)
                .mapEmpty();
    }

    Future<Long> count(Tx tx, String fileId) {
        return tx.query("select count(*) as chunks from knowledge_chunk where knowledge_file_id = $1", fileId)
                .map(rows -> Rows.whole(rows.iterator().next(), "chunks"));
    }

    Future<Long> countOfProject(Tx tx, String projectId) {
        return tx.query("""
                        select count(*) as chunks from knowledge_chunk c join knowledge_file f on f.id = c.knowledge_file_id
                         where f.project_id = $1
                        """, projectId).map(rows -> Rows.whole(rows.iterator().next(), "chunks"));
    }

    Future<Integer> nextIndex(Tx tx, String fileId) {
        return tx.query(
                        "select coalesce(max(chunk_index) + 1, 0) as next from knowledge_chunk where knowledge_file_id = $1",
                        fileId)
                .map(rows -> Rows.integer(rows.iterator().next(), "next"));
    }

    Future<List<Chunk>> all(Tx tx, String fileId, Optional<Boolean> embedded) {
        return tx.query("select " + COLUMNS + """
                          from knowledge_chunk
                         where knowledge_file_id = $1 and ($2::boolean is null or (embedding is not null) = $2)
                         order by chunk_index, id
                        """, fileId, embedded).map(CHUNKS::all);
    }

    Future<List<Pending>> pending(Tx tx, String fileId, int most) {
        return tx.query(PENDING, fileId, (long) most).map(PENDING_CHUNKS::all);
    }

    /** Stores vectors of texts that have not changed since they were read. */
    Future<Void> embed(Tx tx, List<Pending> texts, List<Buffer> vectors) {
        return tx.query(
                        """
                        update knowledge_chunk c set embedding = v.embedding
                          from unnest($1::text[], $2::integer[], $3::bytea[]) as v (id, revision, embedding)
                         where c.id = v.id and c.revision = v.revision
                        """,
                        Values.texts(texts, Pending::id),
                        Values.integers(texts, Pending::revision),
                        Values.buffers(vectors, vector -> vector))
                .mapEmpty();
    }

    /** Vectors of some documents of a project, ordered by document and id, after a given one. */
    Future<List<Candidate>> candidates(Tx tx, String projectId, List<String> fileIds, Candidate after, int most) {
        return tx.query(CANDIDATES, projectId, Values.texts(fileIds), after.fileId(), after.id(), (long) most)
                .map(CANDIDATES_FOUND::all);
    }

    Future<List<Chunk>> find(Tx tx, List<String> ids) {
        return tx.query("select " + COLUMNS + " from knowledge_chunk where id = any ($1)", (Object) Values.texts(ids))
                .map(CHUNKS::all);
    }
}
