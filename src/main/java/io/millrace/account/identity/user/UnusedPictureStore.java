package io.millrace.account.identity.user;

import io.millrace.account.platform.Picture;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;

final class UnusedPictureStore {
    /** Rows refer to a picture by its address only. */
    private static final String REMOVE_UNUSED = """
            delete from picture t
             using platform p
             where p.id = $1 and t.platform_id = p.id
               and $2 || t.id not in (p.logo_icon_url, p.full_logo_url, p.fav_icon_url)
               and not exists (select
                                 from user_identity i
                                 join platform_user u on u.identity_id = i.id
                                where u.platform_id = p.id and i.image_url = $2 || t.id)
            """;

    Future<Void> remove(Tx tx, String platformId) {
        return tx.query(REMOVE_UNUSED, platformId, Picture.PATH).mapEmpty();
    }
}
