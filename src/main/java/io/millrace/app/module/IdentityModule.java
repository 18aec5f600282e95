package io.millrace.app.module;

import io.millrace.account.identity.AccountOnboarding;
import io.millrace.account.identity.OperatorAccounts;
import io.millrace.account.identity.TokenService;
import io.millrace.account.identity.apikey.ApiKeyRoutes;
import io.millrace.account.identity.apikey.ApiKeyService;
import io.millrace.account.identity.provisioning.DirectoryAccounts;
import io.millrace.account.identity.provisioning.ExternalAccounts;
import io.millrace.account.identity.signin.MailedCodeService;
import io.millrace.account.identity.signin.RecoveryService;
import io.millrace.account.identity.signin.SignInLimit;
import io.millrace.account.identity.signin.SignInRoutes;
import io.millrace.account.identity.signin.SignInService;
import io.millrace.account.identity.user.UserRoutes;
import io.millrace.account.identity.user.UserService;
import io.millrace.account.mail.MailOutbox;
import io.millrace.account.platform.PlatformService;
import io.millrace.base.http.RouteGroup;
import io.millrace.base.http.SessionCookie;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.secret.Passwords;
import io.millrace.integration.privacy.PersonalDataRoutes;
import io.millrace.integration.privacy.PersonalDataService;
import io.millrace.workspace.invitation.InvitationRoutes;
import io.millrace.workspace.invitation.InvitationService;
import io.millrace.workspace.project.ProjectPlatformLookup;
import io.millrace.workspace.project.member.ProjectPeople;
import io.millrace.workspace.scim.ScimGroupService;
import io.millrace.workspace.scim.ScimRoutes;
import io.millrace.workspace.scim.ScimUserService;
import java.util.List;

public final class IdentityModule implements ServerModule {
    private final ServerContext context;
    private final SignInLimit signInLimit;
    private final SignInLimit codeLimit;
    private final SignInLimit registrationLimit;
    private final ExternalAccounts outsideAccounts;
    private final OperatorAccounts operatorAccounts;
    private final List<BusService> busServices;

    IdentityModule(ServerContext context, PlatformService platforms, ProjectModule projects, MailOutbox mail) {
        this.context = context;
        var signIn = context.config().people().signIn();
        var bus = context.bus();
        var database = context.database();
        var tokens = context.security().tokens();
        var publicUrl = context.network().publicUrl();
        var clock = context.clock();
        signInLimit = new SignInLimit(
                bus,
                () -> context.core().live().get().people().signIn(),
                context.config().network().http().proxies(),
                clock);
        codeLimit = SignInLimit.ofCodes(
                bus,
                () -> context.core().live().get().people().signIn(),
                context.config().network().http().proxies(),
                clock);
        registrationLimit = SignInLimit.ofRegistrations(
                bus,
                () -> context.core().live().get().people().signIn(),
                context.config().network().http().proxies(),
                clock);
        var users = new UserService(bus, database, platforms, projects.projects(), clock);
        var invitations = new InvitationService(
                database,
                platforms,
                users,
                projects.roles(),
                tokens,
                mail,
                publicUrl,
                new RowBound(context.config().content().bounds().platform().invitationsMax(), "AP_INVITATIONS_MAX"),
                clock);
        var onboarding = new AccountOnboarding(
                platforms,
                projects.projects(),
                tokens,
                invitations,
                context.security().auditLog(),
                signIn.openSignUp(),
                clock);
        var people = new ProjectPeople(projects.roles(), clock);
        var passwords =
                new Passwords(context.vertx(), context.security().secretWork().passwordCost());
        outsideAccounts = new ExternalAccounts(platforms, onboarding);
        operatorAccounts = new OperatorAccounts(
                database, platforms, passwords, context.security().auditLog(), onboarding);
        busServices = List.of(
                signInLimit::open,
                codeLimit::open,
                registrationLimit::open,
                new SignInService(
                        database,
                        platforms,
                        passwords,
                        onboarding,
                        () -> context.core().live().get().people().signIn()),
                new MailedCodeService(
                        database, platforms, mail, context.security().box(), onboarding),
                new RecoveryService(
                        database,
                        platforms,
                        passwords,
                        mail,
                        context.security().box(),
                        context.security().auditLog(),
                        publicUrl,
                        onboarding),
                new ApiKeyService(database, clock),
                new ScimUserService(database, new DirectoryAccounts(platforms, onboarding), people, publicUrl),
                new ScimGroupService(bus, database, projects.projects(), people, signIn.scimRole(), publicUrl),
                users,
                new PersonalDataService(
                        bus, database, users, context.config().storage().data().retentionDays(), clock),
                invitations);
    }

    /** Rate limit of sign-in attempts for each client address, shared by all sign-in methods. */
    SignInLimit signInLimit() {
        return signInLimit;
    }

    SignInLimit registrationLimit() {
        return registrationLimit;
    }

    ExternalAccounts outsideAccounts() {
        return outsideAccounts;
    }

    public OperatorAccounts operatorAccounts() {
        return operatorAccounts;
    }

    @Override
    public List<BusService> loopServices() {
        return List.of(new TokenService(
                context.database(), context.security().tokens(), new ProjectPlatformLookup(), context.clock()));
    }

    @Override
    public List<BusService> busServices() {
        return busServices;
    }

    @Override
    public List<RouteGroup> routeGroups() {
        var bus = context.bus();
        var publicUrl = context.network().publicUrl();
        return List.of(
                new SignInRoutes(bus, signInLimit, codeLimit, new SessionCookie(publicUrl)),
                new ApiKeyRoutes(bus),
                new UserRoutes(bus),
                new PersonalDataRoutes(bus),
                new InvitationRoutes(bus),
                new ScimRoutes(bus, publicUrl));
    }
}
