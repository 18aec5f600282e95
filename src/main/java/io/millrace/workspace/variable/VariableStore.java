package io.millrace.workspace.variable;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Rows of {@code variable}. Values are sealed before they reach this store. */
final class VariableStore {
    private static final String UPSERT = """
            insert into variable (id, created, updated, project_id, name, sealed_value, owner_id, metadata)
            values ($1, $2, $2, $3, $4, $5, $6, $7)
            on conflict (project_id, name) do update
               set updated = excluded.updated, sealed_value = excluded.sealed_value,
                   metadata = case when $8 then excluded.metadata else variable.metadata end
            returning id
            """;

    private static final String UPDATE = """
            update variable
               set updated = $2, sealed_value = coalesce($3, sealed_value),
                   metadata = case when $5 then $4 else metadata end
             where id = $1
            """;

    private static final String SELECT = """
            select v.id, v.created, v.updated, v.name, v.project_id, p.platform_id, v.owner_id,
                   o.record::text as owner, v.metadata::text as metadata
              from variable v
              join project p on p.id = v.project_id
              left join user_record o on o.id = v.owner_id
             where p.deleted is null
            """;

    private static final RowMapper<Variable> VARIABLES = RowMapper.of(Variable.class, SELECT);

    private static final String FIND = SELECT + " and v.id = $1";

    private static final String PAGE = SELECT + """
               and v.project_id = $1
               and ($2::text is null or strpos(lower(v.name), lower($2)) > 0)
            """;

    private static final String FIND_SEALED = """
            select name, sealed_value as value from variable where project_id = $1 and name = any ($2)
            """;

    private static final RowMapper<VariableCiphertext> SEALED = RowMapper.of(VariableCiphertext.class, FIND_SEALED);

    private static final String DELETE = """
            delete from variable where id = $1
            """;

    record VariableCiphertext(String name, Buffer value) {}

    Future<Long> count(Tx tx, String projectId) {
        return tx.query("select count(*) as variables from variable where project_id = $1", projectId)
                .map(rows -> Rows.whole(rows.iterator().next(), "variables"));
    }

    Future<String> upsert(
            Tx tx,
            String id,
            Instant now,
            String projectId,
            VariableCiphertext sealed,
            String ownerId,
            JsonNode metadata,
            boolean namesMetadata) {
        return tx.query(UPSERT, id, now, projectId, sealed.name(), sealed.value(), ownerId, metadata, namesMetadata)
                .map(rows -> Rows.first(rows, row -> Rows.text(row, "id")).orElseThrow());
    }

    Future<Void> update(
            Tx tx, String id, Instant now, Optional<Buffer> sealed, JsonNode metadata, boolean namesMetadata) {
        return tx.query(UPDATE, id, now, sealed, metadata, namesMetadata).mapEmpty();
    }

    Future<Optional<Variable>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(VARIABLES::first);
    }

    Future<Page<Variable>> page(Tx tx, String projectId, Optional<String> namePart, PageRequest page) {
        return tx.page(
                PAGE,
                Paging.newestFirst().on("v.created", "v.id"),
                page,
                VARIABLES,
                variable -> new PageKey(variable.created(), variable.id()),
                projectId,
                namePart);
    }

    Future<List<Variable>> ofProject(Tx tx, String projectId) {
        return tx.query(SELECT + " and v.project_id = $1 order by v.name", projectId)
                .map(VARIABLES::all);
    }

    Future<List<VariableCiphertext>> findSealed(Tx tx, String projectId, Set<String> names) {
        return tx.query(FIND_SEALED, projectId, Values.texts(names)).map(SEALED::all);
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }
}
