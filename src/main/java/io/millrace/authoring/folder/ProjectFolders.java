package io.millrace.authoring.folder;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.Bus;
import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.base.core.Ids;
import io.millrace.base.persistence.ConstraintViolation;
import io.millrace.base.persistence.RowBound;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The folders of a project with an external id, for the module above, whose transactions it shares. Folders created by
 * users have none and are not changed.
 */
public final class ProjectFolders {
    private final Bus bus;
    private final AuditLog auditLog;
    private final RowBound bound;
    private final InstantSource clock;
    private final FolderStore store = new FolderStore();

    public ProjectFolders(Bus bus, AuditLog auditLog, RowBound bound, InstantSource clock) {
        this.bus = bus;
        this.auditLog = auditLog;
        this.bound = bound;
        this.clock = clock;
    }

    public record Diff(List<Folder> deleted, List<Folder> updated, List<Folder> created, int unchanged) {
        private List<Folder> put() {
            var put = new ArrayList<>(updated);
            put.addAll(created);
            return put;
        }
    }

    public Future<Diff> diff(Tx tx, String projectId, List<FolderState> wanted) {
        return store.withExternalId(tx, projectId)
                .map(there -> diff(projectId, there, Folder::externalId, wanted, FolderState::externalId));
    }

    /** All folders by name, including those created by users. */
    public Future<List<FolderState>> named(Tx tx, String projectId) {
        return store.all(tx, projectId)
                .map(folders -> folders.stream()
                        .map(folder -> FolderState.named(folder.displayName(), folder.displayOrder()))
                        .toList());
    }

    public Future<Diff> diffOfNames(Tx tx, String projectId, List<FolderState> wanted) {
        return store.all(tx, projectId)
                .map(there -> diff(
                        projectId,
                        there,
                        folder -> nameKey(folder.displayName()),
                        wanted,
                        state -> nameKey(state.displayName())));
    }

    private Diff diff(
            String projectId,
            List<Folder> there,
            Function<Folder, String> keyThere,
            List<FolderState> wanted,
            Function<FolderState, String> keyWanted) {
        var current = there.stream().collect(Collectors.toMap(keyThere, Function.identity()));
        var kept = wanted.stream().map(keyWanted).collect(Collectors.toSet());
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var updated = new ArrayList<Folder>();
        var created = new ArrayList<Folder>();
        for (var state : wanted) {
            var folder = current.get(keyWanted.apply(state));
            if (folder == null) {
                created.add(folder(state, Ids.next(), now, projectId, now));
            } else if (!state.isLike(folder)) {
                updated.add(folder(state, folder.id(), folder.created(), projectId, now));
            }
        }
        var deleted = there.stream()
                .filter(folder -> !kept.contains(keyThere.apply(folder)))
                .toList();
        return new Diff(deleted, updated, created, wanted.size() - updated.size() - created.size());
    }

    /** Names are unique without regard to case. */
    private static String nameKey(String displayName) {
        return displayName.toLowerCase(Locale.ROOT);
    }

    private static Folder folder(FolderState state, String id, Instant created, String projectId, Instant now) {
        return new Folder(id, created, now, projectId, state.displayName(), state.displayOrder(), state.externalId());
    }

    /** Applies the changes; fails with VALIDATION when a folder with a different external id has the same name. */
    public Future<Void> apply(Tx tx, Diff diff) {
        if (diff.created().isEmpty()) {
            return applyAll(tx, diff);
        }
        var projectId = diff.created().getFirst().projectId();
        return FolderStore.begin(tx, projectId, bound)
                .compose(addition -> applyAll(tx, diff).compose(_ -> FolderStore.check(tx, projectId, addition)));
    }

    private Future<Void> applyAll(Tx tx, Diff diff) {
        var done = Future.<Void>succeededFuture();
        for (var folder : diff.deleted()) {
            done = done.compose(_ -> store.delete(tx, folder.id()).mapEmpty());
        }
        for (var folder : diff.put()) {
            done = done.compose(_ -> store.putById(tx, folder));
        }
        return done;
    }

    /** Maps a failed transaction of {@link #apply} to an API error. */
    public static Throwable told(Throwable failure) {
        return failure instanceof ConstraintViolation violation
                        && violation.constraint().equals(FolderStore.NAME_INDEX)
                ? ApiException.of(ErrorCode.VALIDATION, "expected different folder names, found a name twice")
                : failure;
    }

    /** Records the changes; the last call of the transaction. */
    public Future<Void> record(Tx tx, Principal by, Diff diff) {
        return record(tx, by, EventAction.FOLDER_DELETED, diff.deleted())
                .compose(_ -> record(tx, by, EventAction.FOLDER_UPDATED, diff.updated()))
                .compose(_ -> record(tx, by, EventAction.FOLDER_CREATED, diff.created()));
    }

    private Future<Void> record(Tx tx, Principal by, EventAction action, List<Folder> folders) {
        var recorded = Future.<Void>succeededFuture();
        for (var folder : folders) {
            recorded = recorded.compose(_ -> auditLog.record(
                    tx, ApplicationEvent.inProject(action, by, folder.projectId(), folder.eventData())));
        }
        return recorded;
    }

    /** Publishes the notices of changes after the commit. */
    public void announce(Principal by, Diff diff) {
        diff.deleted().forEach(folder -> bus.publish(new Folders.Deleted(by, folder)));
        diff.updated().forEach(folder -> bus.publish(new Folders.Updated(by, folder)));
        diff.created().forEach(folder -> bus.publish(new Folders.Created(by, folder)));
    }
}
