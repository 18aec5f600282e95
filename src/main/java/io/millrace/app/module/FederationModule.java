package io.millrace.app.module;

import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.account.issuer.ProjectTokenRoutes;
import io.millrace.account.issuer.ProjectTokenService;
import io.millrace.account.platform.OidcProvider;
import io.millrace.account.platform.PlatformService;
import io.millrace.account.signon.SignOnRoutes;
import io.millrace.account.signon.SignOnService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.SessionCookie;
import io.millrace.base.net.HostClass;
import io.millrace.base.persistence.BusService;
import io.millrace.base.secret.RsaKeys;
import io.millrace.piece.tag.TagService;
import io.millrace.workspace.embedding.ManagedSignInRoutes;
import io.millrace.workspace.embedding.ManagedSignInService;
import io.millrace.workspace.embedding.SigningKeyRoutes;
import io.millrace.workspace.embedding.SigningKeyService;
import io.millrace.workspace.project.ManagedProjects;
import java.util.List;

/** Sign-in through external identity providers, and identity tokens for projects. */
final class FederationModule implements ServerModule {
    private final ServerContext context;
    private final SignInLimit signInLimit;
    private final List<BusService> busServices;

    FederationModule(
            ServerContext context,
            PlatformService platforms,
            ProjectModule projects,
            IdentityModule people,
            TagService tags) {
        this.context = context;
        this.signInLimit = people.signInLimit();
        var vertx = context.vertx();
        var database = context.database();
        var clock = context.clock();
        var google = context.config()
                .people()
                .signIn()
                .google()
                .map(known -> new OidcProvider(known.issuer(), known.clientId(), known.clientSecret()));
        var signingKeyBits = context.security().secretWork().signingKeyBits();
        busServices = List.of(
                new SigningKeyService(
                        vertx, database, context.security().auditLog(), () -> RsaKeys.generate(signingKeyBits), clock),
                new ManagedSignInService(
                        database,
                        new ManagedProjects(context.bus(), projects.projects(), clock),
                        projects.roles(),
                        tags,
                        people.outsideAccounts(),
                        clock),
                new SignOnService(
                        vertx,
                        database,
                        platforms,
                        people.outsideAccounts(),
                        context.security().tokens(),
                        context.security().box(),
                        context.network().services().toHosts(HostClass.IDENTITY_PROVIDER),
                        google,
                        context.network().publicUrl(),
                        clock),
                new ProjectTokenService(vertx, database, context.security().box(), clock));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        return List.of(
                new SigningKeyRoutes(bus),
                new ManagedSignInRoutes(
                        bus, signInLimit, new SessionCookie(context.network().publicUrl())),
                new SignOnRoutes(bus, signInLimit, context.network().publicUrl()),
                new ProjectTokenRoutes(bus, context.network().publicUrl()));
    }
}
