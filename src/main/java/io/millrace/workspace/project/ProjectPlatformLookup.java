package io.millrace.workspace.project;

import io.millrace.account.identity.ProjectPlatforms;
import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.Optional;

/** Resolves a project to its platform for the identity module. */
public final class ProjectPlatformLookup implements ProjectPlatforms {
    private final ProjectStore store = new ProjectStore();

    @Override
    public Future<Optional<String>> platformOf(Tx tx, String projectId) {
        return store.findPlatform(tx, projectId);
    }
}
