package io.millrace.integration.release;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.memory.CompressedText;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

final class DefinitionStore {
    private static final String PUT = """
            insert into project_definition (project_id, applied, applied_by, revision, definition)
            values ($1, $2, $3, $4, $5)
            on conflict (project_id) do update
               set applied = excluded.applied, applied_by = excluded.applied_by, revision = excluded.revision,
                   definition = excluded.definition
            """;

    private static final String FIND = """
            select applied as at, applied_by as by, revision, definition as packed
              from project_definition where project_id = $1
            """;

    private static final RowMapper<DefinitionSnapshot> APPLIED = RowMapper.of(DefinitionSnapshot.class, FIND);

    /**
     * Last applied definition.
     *
     * @param by user id
     * @param packed the definition's JSON
     */
    record DefinitionSnapshot(Instant at, String by, String revision, Buffer packed) {
        static DefinitionSnapshot of(Instant at, String by, ProjectDefinition definition) {
            return new DefinitionSnapshot(
                    at,
                    by,
                    definition.revision(),
                    Buffer.buffer(CompressedText.of(DeepJson.bytes(definition.toJson()))));
        }

        ObjectNode definition() {
            return (ObjectNode) DeepJson.trusted(CompressedText.text(packed.getBytes()));
        }

        @Override
        public String toString() {
            return "DefinitionSnapshot[" + revision + "]";
        }
    }

    Future<Void> put(Tx tx, String projectId, DefinitionSnapshot applied) {
        return tx.query(PUT, projectId, applied.at(), applied.by(), applied.revision(), applied.packed())
                .mapEmpty();
    }

    Future<Optional<DefinitionSnapshot>> find(Tx tx, String projectId) {
        return tx.query(FIND, projectId).map(APPLIED::first);
    }
}
