package io.millrace.piece.npm;

import io.millrace.account.audit.ApplicationEvent;
import io.millrace.account.audit.AuditLog;
import io.millrace.account.audit.EventAction;
import io.millrace.base.core.Json;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allow-list of packages that may load native code, set by the operator for all platforms or for one (decision 0162).
 *
 * @param names each a package's name, or a platform's id, a colon and the name
 */
record NativeCode(Set<String> names, AuditLog auditLog) {
    private static final Logger LOG = LoggerFactory.getLogger(NativeCode.class);

    NativeCode {
        names = Set.copyOf(names);
    }

    /** @param group the platform that has the package, or the word for the packages of all */
    boolean allows(String group, PackageId id) {
        return names.contains(id.name()) || names.contains(group + ":" + id.name());
    }

    /** Records in the platform's audit trail that a package runs without the Node.js permission fence. */
    Future<Void> told(Tx tx, InstalledPiece piece) {
        var id = piece.packageId();
        if (!allows(piece.group(), id)) {
            return Future.succeededFuture();
        }
        LOG.warn("{} may load native code (AP_NODE_NATIVE_PACKAGES)", id);
        var data = Json.object();
        data.putObject("piece").put("name", id.name()).put("version", id.version());
        return piece.platformId()
                .map(platformId -> auditLog.record(
                        tx,
                        new ApplicationEvent(EventAction.PIECE_NATIVE_INSTALLED, platformId, null, null, null, data)))
                .orElseGet(Future::succeededFuture);
    }
}
