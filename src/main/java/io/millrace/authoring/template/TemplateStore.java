package io.millrace.authoring.template;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.base.core.DeepJson;
import io.millrace.base.core.Nullable;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Statements of {@code template}. Flows are stored as text, because a chain of steps exceeds the nesting limit of a
 * JSON column.
 */
final class TemplateStore {
    private static final String INSERT = """
            insert into template (id, created, updated, type, platform_id, author, status, shared_by, name, summary,
                                  description, tags, blog_url, metadata, categories, flows, pieces)
            values ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
            """;

    private static final String UPDATE = """
            update template
               set updated = $2, status = $3, name = $4, summary = $5, description = $6, tags = $7, blog_url = $8,
                   metadata = $9, categories = $10, flows = $11, pieces = $12
             where id = $1
            """;

    private static final String DELETE = "delete from template where id = $1";

    private static final String COUNT = "select count(*) from template where platform_id = $1";

    private static final String COUNT_SHARED = "select count(*) from template where shared_by = $1";

    private static final String SELECT = """
            select id, created, updated, type, platform_id, author, status, name, summary, description,
                   tags::text as tags, blog_url, metadata::text as metadata, categories, flows, pieces
              from template
            """;

    private static final RowMapper<Template> TEMPLATES =
            RowMapper.of(TemplateRow.class, SELECT).as(TemplateRow::template);

    private static final String FIND = SELECT + " where id = $1";

    private static final String FIND_TO_CHANGE = FIND + " for update";

    private static final String LISTED = SELECT + """
             where status = 'PUBLISHED'
               and (type = 'OFFICIAL' or type = 'CUSTOM' and platform_id = $1)
               and ($2::text is null or type = $2)
               and (cardinality($3::text[]) = 0 or pieces && $3)
               and (cardinality($4::text[]) = 0
                    or exists (select from jsonb_array_elements(tags) tag where tag ->> 'title' = any ($4)))
               and ($5::text is null or position(lower($5) in lower(name || ' ' || summary || ' ' || description)) > 0)
               and ($6::text is null or $6 = any (categories))
             order by created desc, id desc
            """;

    private record TemplateRow(
            String id,
            Instant created,
            Instant updated,
            TemplateType type,
            @Nullable String platformId,
            String author,
            TemplateStatus status,
            String name,
            String summary,
            String description,
            ArrayNode tags,
            @Nullable String blogUrl,
            @Nullable JsonNode metadata,
            List<String> categories,
            Buffer flows,
            List<String> pieces) {
        Template template() {
            var content = new TemplateContent(
                    name,
                    summary,
                    description,
                    tags,
                    blogUrl,
                    metadata,
                    categories,
                    (ArrayNode) DeepJson.trusted(flows.getBytes()),
                    pieces);
            return new Template(id, created, updated, type, platformId, author, status, content);
        }
    }

    /**
     * @param sharedBy platform on which a shared template was created; null for other types
     */
    Future<Void> insert(Tx tx, Template template, String sharedBy) {
        var head = Stream.<Object>of(
                template.id(),
                template.created(),
                template.type(),
                template.platformId(),
                template.author(),
                template.status(),
                sharedBy);
        return tx.query(INSERT, withContent(head, template.content())).mapEmpty();
    }

    Future<Void> update(Tx tx, Template template) {
        var head = Stream.<Object>of(template.id(), template.updated(), template.status());
        return tx.query(UPDATE, withContent(head, template.content())).mapEmpty();
    }

    private static Object[] withContent(Stream<Object> head, TemplateContent content) {
        var values = Stream.<Object>of(
                content.name(),
                content.summary(),
                content.description(),
                content.tags(),
                content.blogUrl(),
                content.metadata(),
                Values.texts(content.categories()),
                DeepJson.bytes(content.flows()),
                Values.texts(content.pieces()));
        return Stream.concat(head, values).toArray();
    }

    Future<Void> delete(Tx tx, String id) {
        return tx.query(DELETE, id).mapEmpty();
    }

    Future<Long> count(Tx tx, TemplateType type, String platformId) {
        return tx.query(type == TemplateType.SHARED ? COUNT_SHARED : COUNT, platformId)
                .map(rows -> Rows.whole(rows.iterator().next(), "count"));
    }

    Future<Optional<Template>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(TEMPLATES::first);
    }

    /** Locks the row, so that concurrent changes are serialized. */
    Future<Optional<Template>> findToChange(Tx tx, String id) {
        return tx.query(FIND_TO_CHANGE, id).map(TEMPLATES::first);
    }

    /**
     * Published templates that the filter admits, newest first.
     *
     * @param platformId platform whose custom templates are included
     */
    Future<List<Template>> listed(Tx tx, Optional<String> platformId, TemplateFilter filter) {
        return tx.query(
                        LISTED,
                        platformId,
                        filter.type(),
                        Values.texts(filter.pieces()),
                        Values.texts(filter.tags()),
                        filter.search(),
                        filter.category())
                .map(TEMPLATES::all);
    }
}
