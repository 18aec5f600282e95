package io.millrace.embedding;

import io.millrace.bus.Bus;
import io.millrace.core.Ids;
import io.millrace.identity.ManagedPerson;
import io.millrace.identity.OutsideAccounts;
import io.millrace.identity.Session;
import io.millrace.persistence.ConstraintViolation;
import io.millrace.persistence.Database;
import io.millrace.persistence.Desk;
import io.millrace.persistence.Tx;
import io.millrace.piece.TagService;
import io.millrace.project.ManagedProject;
import io.millrace.project.ManagedProjects;
import io.millrace.project.PiecesFilterType;
import io.millrace.project.ProjectRoleService;
import io.millrace.secret.RsaKeys;
import io.millrace.secret.RsaToken;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Answers {@link ManagedSignIns}. A token is good until it ends, however often it is shown: the page of a product shows the
 * same one for each frame that it opens.
 */
public final class ManagedSignInService implements Desk {
    private final Database database;
    private final ManagedProjects projects;
    private final ProjectRoleService roles;
    private final TagService tags;
    private final OutsideAccounts accounts;
    private final InstantSource clock;
    private final SigningKeyStore store = new SigningKeyStore();

    public ManagedSignInService(
            Database database,
            ManagedProjects projects,
            ProjectRoleService roles,
            TagService tags,
            OutsideAccounts accounts,
            InstantSource clock) {
        this.database = database;
        this.projects = projects;
        this.roles = roles;
        this.tags = tags;
        this.accounts = accounts;
        this.clock = clock;
    }

    @Override
    public void open(Bus bus) {
        bus.serve(ManagedSignIns.Enter.class, this::enter);
    }

    /** A token that is known to be its platform's. */
    private record Believed(String platformId, ExternalToken token) {}

    /** A session, and the project of which rooms above must hear once it is certain. */
    private record Entered(Session session, ManagedProjects.Provided project) {}

    private Future<Session> enter(ManagedSignIns.Enter ask) {
        return believed(ask.externalToken())
                .compose(believed -> database.inTransaction(tx -> enter(tx, ask, believed))
                        .recover(failure -> isMetByAnother(failure)
                                ? database.inTransaction(tx -> enter(tx, ask, believed))
                                : Future.failedFuture(failure)))
                .map(entered -> {
                    projects.announce(entered.project());
                    return entered.session();
                });
    }

    /** The same user or project arrived at the same time: it is found now. */
    private static boolean isMetByAnother(Throwable failure) {
        return failure instanceof ConstraintViolation refused && refused.kind() == ConstraintViolation.Kind.UNIQUE;
    }

    private Future<Believed> believed(String text) {
        var token = RsaToken.parse(text)
                .filter(parsed -> Ids.PATTERN.matcher(parsed.kid()).matches());
        if (token.isEmpty()) {
            return Future.failedFuture(
                    ExternalToken.refused("expected a JWT signed RS256 whose header names its key as kid"));
        }
        return database.read(tx -> store.find(tx, token.get().kid()))
                .map(found -> found.filter(key -> token.get().isSignedBy(RsaKeys.publicKey(key.publicKey())))
                        .orElseThrow(() -> ExternalToken.refused("no key of that name signed it")))
                .map(key -> new Believed(
                        key.platformId(), ExternalToken.read(token.get().claims(), clock.instant())));
    }

    private Future<Entered> enter(Tx tx, ManagedSignIns.Enter ask, Believed believed) {
        var token = believed.token();
        var platformId = believed.platformId();
        return pieces(tx, platformId, token)
                .compose(pieces -> projects.provide(tx, platformId, wish(token, pieces)))
                .compose(provided -> admit(tx, ask, believed, provided).map(session -> new Entered(session, provided)));
    }

    private Future<Session> admit(
            Tx tx, ManagedSignIns.Enter ask, Believed believed, ManagedProjects.Provided provided) {
        var token = believed.token();
        var platformId = believed.platformId();
        var projectId = provided.project().id();
        var person = new ManagedPerson(platformId, token.externalUserId(), token.firstName(), token.lastName());
        return roles.roleByName(tx, platformId, token.roleName())
                .compose(role -> accounts.enterManaged(tx, ask.by(), person, projectId)
                        .compose(session -> roles.join(
                                        tx,
                                        platformId,
                                        projectId,
                                        session.user().id(),
                                        role.id())
                                .map(session)));
    }

    private Future<Optional<ManagedProject.PieceAccess>> pieces(Tx tx, String platformId, ExternalToken token) {
        if (token.pieces().isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        var selection = token.pieces().get();
        var names = selection.filterType() == PiecesFilterType.ALLOWED
                ? tags.piecesOf(tx, platformId, selection.tags())
                : Future.succeededFuture(List.<String>of());
        return names.map(found -> Optional.of(new ManagedProject.PieceAccess(selection.filterType(), found)));
    }

    private static ManagedProject wish(ExternalToken token, Optional<ManagedProject.PieceAccess> pieces) {
        return new ManagedProject(token.externalProjectId(), token.projectDisplayName(), token.pool(), pieces);
    }
}
