package io.millrace.piece.tag;

import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageKey;
import io.millrace.base.core.input.PageRequest;
import io.millrace.base.persistence.Paging;
import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

final class TagStore {
    private static final String COLUMNS = "id, created, updated, platform_id, name";

    private static final String PAGE = "select " + COLUMNS + " from tag where platform_id = $1";

    /** Updates an existing row so that the statement returns it. */
    private static final String SAVE = """
            insert into tag (id, created, updated, platform_id, name) values ($1, $2, $2, $3, $4)
            on conflict (platform_id, name) do update set name = excluded.name
            returning\s""" + COLUMNS;

    private static final RowMapper<Tag> TAGS = RowMapper.of(Tag.class, PAGE);

    private static final String CLEAR = """
            delete from piece_tag p using tag t where t.id = p.tag_id and t.platform_id = $1 and p.piece_name = any($2)
            """;

    private static final String ASSIGN = """
            insert into piece_tag (piece_name, tag_id)
            select p.name, t.id from unnest($2::text[]) as p (name), tag t
             where t.platform_id = $1 and t.name = any($3)
            on conflict do nothing
            """;

    private static final String OF_PIECES = """
            select p.piece_name, array_agg(t.name order by t.name) as names
              from piece_tag p join tag t on t.id = p.tag_id
             where t.platform_id = $1
             group by p.piece_name
            """;

    private static final RowMapper<PieceTags> PIECE_TAGS = RowMapper.of(PieceTags.class, OF_PIECES);

    private record PieceTags(String pieceName, List<String> names) {}

    private static final String FIND_PIECES = """
            select distinct p.piece_name from piece_tag p join tag t on t.id = p.tag_id
             where t.platform_id = $1 and t.name = any($2)
             order by p.piece_name
            """;

    /** A tag without pieces is one row without a name. */
    private static final String FIND_PIECES_OF_TAG = """
            select p.piece_name from tag t left join piece_tag p on p.tag_id = t.id
             where t.platform_id = $1 and t.name = $2
             order by p.piece_name
            """;

    Future<Page<Tag>> page(Tx tx, String platformId, PageRequest page) {
        return tx.page(
                PAGE,
                Paging.newestFirst().on("created", "id"),
                page,
                TAGS,
                tag -> new PageKey(tag.created(), tag.id()),
                platformId);
    }

    Future<Tag> save(Tx tx, Tag tag) {
        return tx.query(SAVE, tag.id(), tag.created(), tag.platformId(), tag.name())
                .map(TAGS::only);
    }

    /** Saves tags in the given order, which must be the same for all callers to avoid deadlocks: rows are locked. */
    Future<Void> saveAll(Tx tx, List<Tag> tags) {
        return tags.isEmpty()
                ? Future.succeededFuture()
                : tx.batch(
                                SAVE,
                                tags.stream()
                                        .map(tag -> Values.tuple(tag.id(), tag.created(), tag.platformId(), tag.name()))
                                        .toList())
                        .mapEmpty();
    }

    Future<Void> clear(Tx tx, String platformId, List<String> pieceNames) {
        return tx.query(CLEAR, platformId, Values.texts(pieceNames)).mapEmpty();
    }

    Future<Void> assign(Tx tx, String platformId, List<String> pieceNames, List<String> tags) {
        return tx.query(ASSIGN, platformId, Values.texts(pieceNames), Values.texts(tags))
                .mapEmpty();
    }

    Future<Map<String, List<String>>> ofPieces(Tx tx, String platformId) {
        return tx.query(OF_PIECES, platformId)
                .map(rows -> PIECE_TAGS.all(rows).stream()
                        .collect(Collectors.toMap(PieceTags::pieceName, PieceTags::names)));
    }

    Future<List<String>> findPieces(Tx tx, String platformId, List<String> tags) {
        return tx.query(FIND_PIECES, platformId, Values.texts(tags))
                .map(rows -> Rows.all(rows, row -> Rows.text(row, "piece_name")));
    }

    /** Empty when there is no such tag. */
    Future<Optional<List<String>>> findPiecesOfTag(Tx tx, String platformId, String tag) {
        return tx.query(FIND_PIECES_OF_TAG, platformId, tag)
                .map(rows -> Rows.all(rows, row -> Rows.optionalText(row, "piece_name")))
                .map(names -> names.isEmpty()
                        ? Optional.empty()
                        : Optional.of(names.stream().flatMap(Optional::stream).toList()));
    }
}
