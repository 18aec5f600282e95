package io.millrace.account.identity;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.persistence.Rows;
import io.vertx.sqlclient.Row;

/** Mapping of rows of {@code platform_user}, for all statements of this module that join it. */
public final class UserRowStore {
    /** Columns of {@code platform_user u}. */
    static final String USER = """
            u.id as user_id, u.created as user_created, u.updated as user_updated, u.identity_id as user_identity_id,
            u.platform_id as user_platform_id, u.platform_role, u.status, u.external_id, u.last_active_date
            """;

    /** The same, with the columns of {@code user_identity i} that other users may see. */
    public static final String VIEW = USER + ", i.email, i.first_name, i.last_name, i.image_url\n";

    private UserRowStore() {}

    /** The user of a row with the columns {@link #USER}. */
    public static User userOf(Row row) {
        return new User(
                Rows.text(row, "user_id"),
                Rows.instant(row, "user_created"),
                Rows.instant(row, "user_updated"),
                Rows.text(row, "user_identity_id"),
                Rows.text(row, "user_platform_id"),
                Rows.option(row, "platform_role", PlatformRole.class),
                Rows.option(row, "status", UserStatus.class),
                Rows.optionalText(row, "external_id").orElse(null),
                Rows.optionalInstant(row, "last_active_date").orElse(null));
    }

    /** The user of a row with the columns {@link #VIEW}, with the person's names. */
    public static UserView viewOf(Row row) {
        return new UserView(
                userOf(row),
                Rows.text(row, "email"),
                Rows.text(row, "first_name"),
                Rows.text(row, "last_name"),
                Rows.optionalText(row, "image_url").orElse(null));
    }
}
