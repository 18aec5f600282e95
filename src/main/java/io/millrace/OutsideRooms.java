package io.millrace;

import io.millrace.audit.AuditTrail;
import io.millrace.bus.Bus;
import io.millrace.config.Config;
import io.millrace.embedding.ManagedSignInService;
import io.millrace.embedding.SigningKeyService;
import io.millrace.identity.AccessTokens;
import io.millrace.identity.OutsideAccounts;
import io.millrace.net.OutboundHttp;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.piece.TagService;
import io.millrace.platform.OidcProvider;
import io.millrace.platform.PlatformService;
import io.millrace.project.ManagedProjects;
import io.millrace.project.ProjectRoleService;
import io.millrace.project.ProjectService;
import io.millrace.secret.RsaKeys;
import io.millrace.secret.SecretBox;
import io.millrace.signon.SignOnService;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/** The part of {@link Rooms} that lets in people for whom others vouch. */
final class OutsideRooms {
    /** What clients of the API expect (contract admin-api 13). */
    private static final int SIGNING_KEY_BITS = 4096;

    private OutsideRooms() {}

    static List<Desk> desks(
            Vertx vertx,
            Bus bus,
            Database database,
            Config config,
            OutboundHttp http,
            Supplier<String> publicUrl,
            AccessTokens tokens,
            SecretBox box,
            PlatformService platforms,
            ProjectService projects,
            ProjectRoleService roles,
            OutsideAccounts accounts,
            AuditTrail trail,
            InstantSource clock) {
        var tags = new TagService(database, clock);
        return List.of(
                tags,
                new SigningKeyService(vertx, database, trail, () -> RsaKeys.generate(SIGNING_KEY_BITS), clock),
                new ManagedSignInService(
                        database, new ManagedProjects(bus, projects, clock), roles, tags, accounts, clock),
                new SignOnService(
                        vertx,
                        database,
                        platforms,
                        accounts,
                        tokens,
                        box,
                        http,
                        config.signIn()
                                .google()
                                .map(google ->
                                        new OidcProvider(google.issuer(), google.clientId(), google.clientSecret())),
                        publicUrl,
                        clock));
    }
}
