package io.millrace.account.platform;

import io.millrace.base.persistence.Tx;
import io.millrace.base.persistence.row.RowMapper;
import io.millrace.base.persistence.statement.Values;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Optional;

final class PlatformStore {
    private static final String PING = "select 1";

    private static final String INSERT = """
            insert into platform (id, created, updated, owner_id, name)
            values ($1, $2, $2, $3, $4)
            """;

    private static final String SELECT = """
            select id, created, updated, owner_id, name, primary_color, theme_colors::text as theme_colors, logo_icon_url,
                   full_logo_url, fav_icon_url, filtered_piece_names as pieces_filtered_names,
                   filtered_piece_behavior as pieces_filter_behavior, cloud_auth_enabled,
                   google_auth_enabled, email_auth_enabled, enforce_allowed_auth_domains, allowed_auth_domains,
                   allowed_embed_origins, sso_domain, sso_domain_verification::text as sso_domain_verification,
                   pinned_pieces as pieces_pinned, piece_selector_config::text as pieces_selector_config, sealed_saml_provider is not null as has_saml,
                   sealed_oidc_provider is not null as has_oidc
              from platform
            """;

    private static final String FIND_PROVIDERS =
            "select sealed_saml_provider as saml, sealed_oidc_provider as oidc from platform where id = $1";

    private static final RowMapper<Providers> PROVIDERS = RowMapper.of(Providers.class, FIND_PROVIDERS);

    private static final RowMapper<Platform> PLATFORMS = RowMapper.of(Platform.class, SELECT);

    private static final String FIND = SELECT + " where id = $1";

    private static final String FIND_TO_CHANGE = FIND + " for update";

    private static final String UPDATE = """
            update platform
               set updated = $2, name = $3, primary_color = $4, theme_colors = $5, filtered_piece_names = $6,
                   filtered_piece_behavior = $7, cloud_auth_enabled = $8, google_auth_enabled = $9,
                   email_auth_enabled = $10, enforce_allowed_auth_domains = $11, allowed_auth_domains = $12,
                   allowed_embed_origins = $13, pinned_pieces = $14, piece_selector_config = $15, sso_domain = $16,
                   sso_domain_verification = $17, logo_icon_url = $18, full_logo_url = $19, fav_icon_url = $20
             where id = $1
            """;

    private static final String FIND_OLDEST = SELECT + " order by created, id limit 1";

    Future<Void> ping(Tx tx) {
        return tx.query(PING).mapEmpty();
    }

    Future<Void> insert(Tx tx, String id, String ownerId, String name, Instant now) {
        return tx.query(INSERT, id, now, ownerId, name).mapEmpty();
    }

    Future<Optional<Platform>> find(Tx tx, String id) {
        return tx.query(FIND, id).map(PLATFORMS::first);
    }

    /** Locks the row against lost updates. */
    Future<Optional<Platform>> findToChange(Tx tx, String id) {
        return tx.query(FIND_TO_CHANGE, id).map(PLATFORMS::first);
    }

    Future<Void> update(Tx tx, Platform platform) {
        var signIn = platform.signIn();
        var pieces = platform.pieces();
        return tx.query(
                        UPDATE,
                        platform.id(),
                        platform.updated(),
                        platform.name(),
                        platform.looks().primaryColor(),
                        platform.looks().themeColors(),
                        Values.texts(pieces.filteredNames()),
                        pieces.filterBehavior(),
                        signIn.cloudAuthEnabled(),
                        signIn.googleAuthEnabled(),
                        signIn.emailAuthEnabled(),
                        signIn.enforceAllowedAuthDomains(),
                        Values.texts(signIn.allowedAuthDomains()),
                        Values.texts(platform.allowedEmbedOrigins()),
                        Values.texts(pieces.pinned()),
                        pieces.selectorConfig(),
                        signIn.ssoDomain(),
                        signIn.ssoDomainVerification(),
                        platform.looks().logoIconUrl(),
                        platform.looks().fullLogoUrl(),
                        platform.looks().favIconUrl())
                .mapEmpty();
    }

    /** @param sealed null to remove */
    Future<Void> setSaml(Tx tx, String id, Buffer sealed) {
        return tx.query("update platform set sealed_saml_provider = $2 where id = $1", id, sealed)
                .mapEmpty();
    }

    /** @param sealed null to remove */
    Future<Void> setOidc(Tx tx, String id, Buffer sealed) {
        return tx.query("update platform set sealed_oidc_provider = $2 where id = $1", id, sealed)
                .mapEmpty();
    }

    Future<Optional<Providers>> findProviders(Tx tx, String id) {
        return tx.query(FIND_PROVIDERS, id).map(PROVIDERS::first);
    }

    record Providers(Optional<Buffer> saml, Optional<Buffer> oidc) {}

    Future<Optional<Platform>> findOldest(Tx tx) {
        return tx.query(FIND_OLDEST).map(PLATFORMS::first);
    }
}
