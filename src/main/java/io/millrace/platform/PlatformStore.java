package io.millrace.platform;

import io.millrace.persistence.Rows;
import io.millrace.persistence.Tx;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.util.Optional;

/** Rows of {@code platform}. */
final class PlatformStore {
    private static final String PING = "select 1";

    private static final String INSERT = """
            insert into platform (id, created, updated, owner_id, name)
            values ($1, $2, $2, $3, $4)
            """;

    private static final String SELECT = """
            select id, created, updated, owner_id, name, primary_color, theme_colors::text as theme_colors, logo_icon_url,
                   full_logo_url, fav_icon_url, filtered_piece_names, filtered_piece_behavior, cloud_auth_enabled,
                   google_auth_enabled, email_auth_enabled, enforce_allowed_auth_domains, allowed_auth_domains,
                   allowed_embed_origins, sso_domain, sso_domain_verification::text as sso_domain_verification, pinned_pieces,
                   piece_selector_config::text as piece_selector_config
              from platform
            """;

    private static final String FIND = SELECT + " where id = $1";

    private static final String FIND_OLDEST = SELECT + " order by created, id limit 1";

    Future<Void> ping(Tx tx) {
        return tx.query(PING).mapEmpty();
    }

    Future<Void> insert(Tx tx, String id, String ownerId, String name, Instant now) {
        return tx.query(INSERT, id, now, ownerId, name).mapEmpty();
    }

    Future<Optional<Platform>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(rows -> Rows.first(rows, PlatformStore::platformOf));
    }

    Future<Optional<Platform>> findOldest(Tx tx) {
        return tx.query(FIND_OLDEST).map(rows -> Rows.first(rows, PlatformStore::platformOf));
    }

    private static Platform platformOf(Row row) {
        return new Platform(
                Rows.text(row, "id"),
                Rows.instant(row, "created"),
                Rows.instant(row, "updated"),
                Rows.text(row, "owner_id"),
                Rows.text(row, "name"),
                looksOf(row),
                signInOf(row),
                new Platform.PieceChoice(
                        Rows.texts(row, "filtered_piece_names"),
                        Rows.option(row, "filtered_piece_behavior", Platform.FilterBehavior.class),
                        Rows.texts(row, "pinned_pieces"),
                        Rows.optionalJson(row, "piece_selector_config").orElse(null)),
                Rows.texts(row, "allowed_embed_origins"));
    }

    private static Platform.Looks looksOf(Row row) {
        return new Platform.Looks(
                Rows.text(row, "primary_color"),
                Rows.optionalJson(row, "theme_colors").orElse(null),
                Rows.text(row, "logo_icon_url"),
                Rows.text(row, "full_logo_url"),
                Rows.text(row, "fav_icon_url"));
    }

    private static Platform.SignInRules signInOf(Row row) {
        return new Platform.SignInRules(
                Rows.flag(row, "cloud_auth_enabled"),
                Rows.flag(row, "google_auth_enabled"),
                Rows.flag(row, "email_auth_enabled"),
                Rows.flag(row, "enforce_allowed_auth_domains"),
                Rows.texts(row, "allowed_auth_domains"),
                Rows.optionalText(row, "sso_domain").orElse(null),
                Rows.optionalJson(row, "sso_domain_verification").orElse(null));
    }
}
