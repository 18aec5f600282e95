package io.millrace.account.identity;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Platforms of projects, for tokens that name only a project. Projects belong to a module above: plugged in at start. */
@FunctionalInterface
public interface ProjectPlatforms {
    /** The platform of a project; empty for one that is deleted or unknown. */
    Future<Optional<String>> platformOf(Tx tx, String projectId);
}
