package io.millrace.workspace.connection;

import io.millrace.base.persistence.Tx;
import io.millrace.workspace.project.GlobalConnections;
import io.vertx.core.Future;
import java.util.List;

/** Global connections of a project, in transactions of the project module (contract admin-api 3.2, 3.3). */
public final class ProjectConnections implements GlobalConnections {
    private final ProjectLinkStore links = new ProjectLinkStore();
    private final ConnectionVault vault;

    public ProjectConnections(ConnectionVault vault) {
        this.vault = vault;
    }

    @Override
    public Future<Void> giveToNew(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return links.giveToProject(tx, platformId, projectId, externalIds, true);
    }

    @Override
    public Future<Void> setWanted(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return links.takeFromProject(tx, projectId, externalIds)
                .compose(_ -> links.giveToProject(tx, platformId, projectId, externalIds, false));
    }

    @Override
    public Future<Boolean> gains(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return links.gains(tx, platformId, projectId, externalIds);
    }

    @Override
    public void changed() {
        vault.forget();
    }
}
