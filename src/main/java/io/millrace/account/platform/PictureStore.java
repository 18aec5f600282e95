package io.millrace.account.platform;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.Optional;

final class PictureStore {
    private static final String INSERT = """
            insert into picture (id, created, platform_id, media_type, data) values ($1, $2, $3, $4, $5)
            """;

    private static final String FIND = "select id, media_type, data from picture where id = $1";

    private static final RowMapper<Picture> PICTURES = RowMapper.of(Picture.class, FIND);

    Future<Void> insert(Tx tx, String platformId, Picture picture, Instant now) {
        return tx.query(INSERT, picture.id(), now, platformId, picture.mediaType(), picture.data())
                .mapEmpty();
    }

    Future<Optional<Picture>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(PICTURES::first);
    }
}
