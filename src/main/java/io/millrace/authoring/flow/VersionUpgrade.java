package io.millrace.authoring.flow;

import io.millrace.authoring.flow.version.FlowVersion;
import io.millrace.base.core.Ids;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.millrace.piece.file.FileType;
import io.millrace.piece.file.FlowFiles;
import io.millrace.piece.file.StoredFile;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.HashMap;

/**
 * Rewrites a stored version that an earlier release left in an older schema, when it is read (contract flows-and-engine
 * 2.14). The previous content is kept as a file, whose id the version contains.
 *
 * <p>Readers never see an old schema: {@link VersionStore} migrates rows on read. This class updates the row, so that
 * later reads need no migration; the row's times are unchanged, because this is not an edit.
 */
public final class VersionUpgrade {
    private final VersionStore versions;
    private final FlowFiles files;
    private final InstantSource clock;

    public VersionUpgrade(VersionStore versions, FlowFiles files, InstantSource clock) {
        this.versions = versions;
        this.files = files;
        this.clock = clock;
    }

    /** The newest version of a flow, as stored after the migration. */
    Future<FlowVersion> latest(Tx tx, Flow flow) {
        return versions.findLatest(tx, flow.id()).compose(found -> upgraded(tx, flow.projectId(), found.orElseThrow()));
    }

    /** The version as stored after the migration. Runs in a transaction; locks the row if a migration is needed. */
    public Future<FlowVersion> upgraded(Tx tx, String projectId, FlowVersion read) {
        if (read.isCurrent()) {
            return Future.succeededFuture(read);
        }
        return versions.lockOld(tx, read.id())
                .compose(found -> found.isPresent()
                        ? rewrite(tx, projectId, read, found.get())
                        : versions.find(tx, read.id()).map(other -> other.orElse(read)));
    }

    private Future<FlowVersion> rewrite(Tx tx, String projectId, FlowVersion read, VersionStore.OldVersion old) {
        var schema = read.schemaVersion() == null ? "0" : read.schemaVersion();
        var metadata = Json.object()
                .put("flowId", read.flowId())
                .put("flowVersionId", read.id())
                .put("schemaVersion", schema);
        var file = StoredFile.ofFlow(
                Ids.next(),
                clock.instant(),
                projectId,
                FileType.FLOW_VERSION_BACKUP,
                "flow-version-" + schema + ".json",
                "application/json",
                old.trigger().length(),
                metadata);
        var backups = new HashMap<String, String>();
        if (read.backupFiles() != null) {
            backups.putAll(read.backupFiles());
        }
        backups.put(schema, file.id());
        var current = read.upgraded(backups);
        return files.put(tx, file, old.trigger())
                .compose(_ -> versions.update(tx, current))
                .map(current);
    }
}
