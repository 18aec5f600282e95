package io.millrace.workspace.connection;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Global connections of a project, for the project module, whose transactions it shares (contract admin-api 3.2, 3.3). */
public final class ProjectConnections {
    private final ProjectLinkStore links = new ProjectLinkStore();
    private final ConnectionVault vault;

    public ProjectConnections(ConnectionVault vault) {
        this.vault = vault;
    }

    /** Gives a new project what it asks for, and what every new project gets; unknown external ids are ignored. */
    public Future<Void> giveToNew(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return links.giveToProject(tx, platformId, projectId, externalIds, true);
    }

    /** Makes the project have just these global connections of its platform; unknown external ids are ignored. */
    public Future<Void> setWanted(Tx tx, String platformId, String projectId, List<String> externalIds) {
        return links.takeFromProject(tx, projectId, externalIds)
                .compose(_ -> links.giveToProject(tx, platformId, projectId, externalIds, false));
    }

    /** To be told when such a transaction is over. */
    public void changed() {
        vault.forget();
    }
}
