package io.millrace;

import io.millrace.http.HttpModule;
import io.millrace.http.SessionCookie;
import io.millrace.identity.ApiKeyRoutes;
import io.millrace.identity.ApiKeyService;
import io.millrace.identity.DirectoryAccounts;
import io.millrace.identity.MailedCodeService;
import io.millrace.identity.OutsideAccounts;
import io.millrace.identity.Reception;
import io.millrace.identity.RecoveryService;
import io.millrace.identity.SignInLimit;
import io.millrace.identity.SignInRoutes;
import io.millrace.identity.SignInService;
import io.millrace.identity.TokenService;
import io.millrace.identity.UserRoutes;
import io.millrace.identity.UserService;
import io.millrace.invitation.InvitationRoutes;
import io.millrace.invitation.InvitationService;
import io.millrace.mail.MailOutbox;
import io.millrace.page.PageRoutes;
import io.millrace.persistence.Desk;
import io.millrace.platform.Embedders;
import io.millrace.platform.PlatformService;
import io.millrace.project.ProjectPeople;
import io.millrace.scim.ScimGroupService;
import io.millrace.scim.ScimRoutes;
import io.millrace.scim.ScimUserService;
import io.millrace.secret.Passwords;
import java.util.List;

/** Who uses the platform, as what, and how they sign in. */
final class PeopleRooms implements Wing {
    private final Ground ground;
    private final SignInLimit signInLimit;
    private final SignInLimit codeLimit;
    private final OutsideAccounts outsideAccounts;
    private final List<Desk> desks;

    PeopleRooms(Ground ground, PlatformService platforms, ProjectRooms projects, MailOutbox mail) {
        this.ground = ground;
        var signIn = ground.config().signIn();
        var bus = ground.bus();
        var database = ground.database();
        var tokens = ground.tokens();
        var publicUrl = ground.publicUrl();
        var clock = ground.clock();
        signInLimit = new SignInLimit(signIn, ground.config().http().proxies(), clock);
        codeLimit = SignInLimit.ofCodes(signIn, ground.config().http().proxies(), clock);
        var users = new UserService(bus, database, platforms, projects.projects(), clock);
        var invitations =
                new InvitationService(database, platforms, users, projects.roles(), tokens, mail, publicUrl, clock);
        var reception = new Reception(
                platforms, projects.projects(), tokens, invitations, ground.trail(), signIn.openSignUp(), clock);
        var people = new ProjectPeople(projects.roles(), clock);
        var passwords = new Passwords(ground.vertx());
        outsideAccounts = new OutsideAccounts(platforms, reception);
        desks = List.of(
                new SignInService(database, platforms, passwords, reception),
                new MailedCodeService(database, platforms, mail, ground.box(), reception),
                new RecoveryService(
                        database, platforms, passwords, mail, ground.box(), ground.trail(), publicUrl, reception),
                new TokenService(database, tokens, clock),
                new ApiKeyService(database, clock),
                new ScimUserService(database, new DirectoryAccounts(platforms, reception), people, publicUrl),
                new ScimGroupService(bus, database, projects.projects(), people, signIn.scimRole(), publicUrl),
                users,
                invitations);
    }

    /** How often one address may try, wherever somebody proves who they are. */
    SignInLimit signInLimit() {
        return signInLimit;
    }

    OutsideAccounts outsideAccounts() {
        return outsideAccounts;
    }

    @Override
    public List<Desk> desks() {
        return desks;
    }

    @Override
    public List<HttpModule> modules() {
        var bus = ground.bus();
        var publicUrl = ground.publicUrl();
        return List.of(
                new SignInRoutes(bus, signInLimit, codeLimit, new SessionCookie(publicUrl)),
                new ApiKeyRoutes(bus),
                new UserRoutes(bus),
                new InvitationRoutes(bus),
                new PageRoutes(
                        bus,
                        ground.config().smtp().isPresent(),
                        new Embedders(ground.config().http().embedOrigins()),
                        publicUrl),
                new ScimRoutes(bus, publicUrl));
    }
}
