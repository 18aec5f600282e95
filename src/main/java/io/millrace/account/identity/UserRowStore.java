package io.millrace.account.identity;

/** Columns of {@code platform_user}, for all statements of this module that join it. */
public final class UserRowStore {
    /** Columns of {@code platform_user u} as the component {@code user} of a record. */
    static final String USER = """
            u.id as user_id, u.created as user_created, u.updated as user_updated, u.identity_id as user_identity_id,
            u.platform_id as user_platform_id, u.platform_role as user_role, u.status as user_status,
            u.external_id as user_external_id, u.last_active_date as user_last_active_date
            """;

    /** Columns of a {@link UserView}: those of {@code user_identity i} that other users may see among them. */
    public static final String VIEW = """
            u.id, u.created, u.updated, u.identity_id, u.platform_id, u.platform_role as role, u.status, u.external_id,
            u.last_active_date, i.email, i.first_name, i.last_name, i.image_url
            """;

    private UserRowStore() {}
}
