package io.millrace.piece.feed;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.row.Rows;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

final class FeedStore {
    private static final String FIND =
            "select fetched, content from piece_feed where address = $1 and fetched is not null";

    private static final RowMapper<FeedCopy> CONTENTS = RowMapper.of(FeedCopy.class, FIND);

    record FeedCopy(Instant fetched, Buffer content) {}

    /**
     * Claims the right to poll an address; one node gets it per interval.
     *
     * @return entity tag of the stored content, inner value empty without content; outer value empty when the claim
     *     failed
     */
    Future<Optional<Optional<String>>> claim(Tx tx, String address, Instant now, Instant checkedBefore) {
        return tx.query("delete from piece_feed where address <> $1", address)
                .compose(_ -> tx.query("""
                        insert into piece_feed as feed (address, checked) values ($1, $2)
                        on conflict (address) do update set checked = excluded.checked where feed.checked <= $3
                        returning etag
                        """, address, now, checkedBefore))
                .map(rows -> Rows.first(rows, row -> Rows.optionalText(row, "etag")));
    }

    Future<Void> save(Tx tx, String address, Instant fetched, Optional<String> etag, Buffer content) {
        return tx.query(
                        "update piece_feed set fetched = $2, etag = $3, content = $4 where address = $1",
                        address,
                        fetched,
                        etag,
                        content)
                .mapEmpty();
    }

    Future<Optional<Instant>> fetched(Tx tx, String address) {
        return tx.query("select fetched from piece_feed where address = $1 and fetched is not null", address)
                .map(rows -> Rows.first(rows, row -> Rows.instant(row, "fetched")));
    }

    Future<Optional<FeedCopy>> find(Tx tx, String address) {
        return tx.query(FIND, address).map(CONTENTS::first);
    }
}
