package io.millrace.workspace.embedding;

import io.millrace.account.identity.Session;
import io.millrace.account.identity.provisioning.ExternalAccounts;
import io.millrace.account.identity.provisioning.ManagedPerson;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.BusService;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.Database;
import io.millrace.base.persistence.Tx;
import io.millrace.base.secret.RsaKeys;
import io.millrace.base.secret.RsaToken;
import io.millrace.piece.tag.TagService;
import io.millrace.workspace.project.ManagedProject;
import io.millrace.workspace.project.ManagedProjects;
import io.millrace.workspace.project.PiecesFilterType;
import io.millrace.workspace.project.member.ProjectRoleService;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles {@link ManagedSignIns}. A token may be used repeatedly until it expires: the page of an embedding product sends the
 * same one for each frame that it opens.
 */
public final class ManagedSignInService implements BusService {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedSignInService.class);

    /** Retries after a collision with a concurrent creation: one of the project, and one of the user. */
    private static final int MEETINGS_MAX = 2;

    private final Database database;
    private final ManagedProjects projects;
    private final ProjectRoleService roles;
    private final TagService tags;
    private final ExternalAccounts accounts;
    private final InstantSource clock;
    private final SigningKeyStore store = new SigningKeyStore();

    public ManagedSignInService(
            Database database,
            ManagedProjects projects,
            ProjectRoleService roles,
            TagService tags,
            ExternalAccounts accounts,
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

    private record VerifiedToken(String platformId, ExternalToken token) {}

    /** A session, and its project, which is announced to modules above after the commit. */
    private record ManagedSession(Session session, ManagedProjects.ProvidedProject project) {}

    private Future<Session> enter(ManagedSignIns.Enter ask) {
        return believed(ask.externalToken())
                .compose(believed -> enter(ask, believed, MEETINGS_MAX))
                .map(entered -> {
                    projects.announce(entered.project());
                    return entered.session();
                });
    }

    /** Retries after a concurrent creation of the user or project, which the next attempt finds. */
    private Future<ManagedSession> enter(ManagedSignIns.Enter ask, VerifiedToken believed, int meetingsLeft) {
        return database.inTransaction(tx -> enter(tx, ask, believed))
                .recover(failure -> meetingsLeft > 0 && isMetByAnother(failure)
                        ? enter(ask, believed, meetingsLeft - 1)
                        : Future.failedFuture(failure));
    }

    private static boolean isMetByAnother(Throwable failure) {
        return failure instanceof ConstraintViolation refused && refused.kind() == ConstraintViolation.Kind.UNIQUE;
    }

    private Future<VerifiedToken> believed(String text) {
        var token = RsaToken.parse(text)
                .filter(parsed -> Ids.PATTERN.matcher(parsed.kid()).matches());
        if (token.isEmpty()) {
            return Future.failedFuture(
                    ExternalToken.refused("expected a JWT signed RS256 whose header names its key as kid,"
                            + " and whose exp, iat and nbf are numbers"));
        }
        return database.read(tx -> store.find(tx, token.get().kid()))
                .map(found -> found.filter(key -> token.get().isSignedBy(RsaKeys.publicKey(key.publicKey())))
                        .orElseThrow(() -> ExternalToken.refused("expected a signature by the key of that name")))
                .map(key -> new VerifiedToken(
                        key.platformId(), ExternalToken.read(token.get().claims(), clock.instant())));
    }

    private Future<ManagedSession> enter(Tx tx, ManagedSignIns.Enter ask, VerifiedToken believed) {
        var token = believed.token();
        var platformId = believed.platformId();
        return pieces(tx, platformId, token)
                .compose(pieces -> projects.provide(tx, platformId, request(token, pieces)))
                .compose(provided ->
                        admit(tx, ask, believed, provided).map(session -> new ManagedSession(session, provided)));
    }

    private Future<Session> admit(
            Tx tx, ManagedSignIns.Enter ask, VerifiedToken believed, ManagedProjects.ProvidedProject provided) {
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
        return token.pieces()
                .map(selection -> access(tx, platformId, selection).map(Optional::of))
                .orElseGet(() -> Future.succeededFuture(Optional.empty()));
    }

    private Future<ManagedProject.PieceAccess> access(Tx tx, String platformId, ExternalToken.Selection selection) {
        return switch (selection) {
            case ExternalToken.Selection.BySet(var key) ->
                tags.piecesOf(tx, platformId, key)
                        .map(found -> found.map(ManagedSignInService::only).orElseGet(() -> everyPiece(key)));
            case ExternalToken.Selection.ByTags(var type, var names)
            when type == PiecesFilterType.ALLOWED ->
                tags.piecesOf(tx, platformId, names).map(ManagedSignInService::only);
            case ExternalToken.Selection.ByTags _ -> Future.succeededFuture(everyPiece());
        };
    }

    private static ManagedProject.PieceAccess only(List<String> pieces) {
        return new ManagedProject.PieceAccess(PiecesFilterType.ALLOWED, pieces);
    }

    private static ManagedProject.PieceAccess everyPiece() {
        return new ManagedProject.PieceAccess(PiecesFilterType.NONE, List.of());
    }

    /** Products may name a piece set that does not exist yet (decision 0074). */
    private static ManagedProject.PieceAccess everyPiece(String key) {
        LOG.info("a token names the piece tag {}, which does not exist: all pieces are offered", key);
        return everyPiece();
    }

    private static ManagedProject request(ExternalToken token, Optional<ManagedProject.PieceAccess> pieces) {
        return new ManagedProject(token.externalProjectId(), token.projectDisplayName(), token.pool(), pieces);
    }
}
