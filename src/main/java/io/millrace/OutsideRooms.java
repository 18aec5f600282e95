package io.millrace;

import io.millrace.embedding.ManagedSignInRoutes;
import io.millrace.embedding.ManagedSignInService;
import io.millrace.embedding.SigningKeyRoutes;
import io.millrace.embedding.SigningKeyService;
import io.millrace.http.HttpModule;
import io.millrace.http.SessionCookie;
import io.millrace.identity.SignInLimit;
import io.millrace.issuer.ProjectTokenRoutes;
import io.millrace.issuer.ProjectTokenService;
import io.millrace.persistence.Desk;
import io.millrace.piece.TagService;
import io.millrace.platform.OidcProvider;
import io.millrace.platform.PlatformService;
import io.millrace.project.ManagedProjects;
import io.millrace.secret.RsaKeys;
import io.millrace.signon.SignOnRoutes;
import io.millrace.signon.SignOnService;
import java.util.List;

/** Lets in people for whom others vouch, and vouches for projects to others. */
final class OutsideRooms implements Wing {
    /** What clients of the API expect (contract admin-api 13). */
    private static final int SIGNING_KEY_BITS = 4096;

    private final Ground ground;
    private final SignInLimit signInLimit;
    private final List<Desk> desks;

    OutsideRooms(Ground ground, PlatformService platforms, ProjectRooms projects, PeopleRooms people, TagService tags) {
        this.ground = ground;
        this.signInLimit = people.signInLimit();
        var vertx = ground.vertx();
        var database = ground.database();
        var clock = ground.clock();
        var google = ground.config()
                .signIn()
                .google()
                .map(known -> new OidcProvider(known.issuer(), known.clientId(), known.clientSecret()));
        desks = List.of(
                new SigningKeyService(vertx, database, ground.trail(), () -> RsaKeys.generate(SIGNING_KEY_BITS), clock),
                new ManagedSignInService(
                        database,
                        new ManagedProjects(ground.bus(), projects.projects(), clock),
                        projects.roles(),
                        tags,
                        people.outsideAccounts(),
                        clock),
                new SignOnService(
                        vertx,
                        database,
                        platforms,
                        people.outsideAccounts(),
                        ground.tokens(),
                        ground.box(),
                        ground.outbound(),
                        google,
                        ground.publicUrl(),
                        clock),
                new ProjectTokenService(vertx, database, ground.box(), clock));
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        return List.of(
                new SigningKeyRoutes(bus),
                new ManagedSignInRoutes(bus, signInLimit, new SessionCookie(ground.publicUrl())),
                new SignOnRoutes(bus, signInLimit, ground.publicUrl()),
                new ProjectTokenRoutes(bus, ground.publicUrl()));
    }
}
