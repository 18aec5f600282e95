package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** What projects need of the platform's connections, which live in a module above. Plugged in at start. */
public interface GlobalConnections {
    /** Gives a new project what it asks for, and what every new project gets; unknown external ids are ignored. */
    Future<Void> giveToNew(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** Makes the project have just these global connections of its platform; unknown external ids are ignored. */
    Future<Void> setWanted(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** Whether any of these is a global connection of the platform that the project does not have. */
    Future<Boolean> gains(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** To be told when such a transaction is over. */
    void changed();
}
