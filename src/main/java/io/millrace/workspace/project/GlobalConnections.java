package io.millrace.workspace.project;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;

/** Global connections of the platform for projects. Implemented by a module above, which is plugged in at start. */
public interface GlobalConnections {
    /** Gives a new project the requested connections and those of every new project; unknown external ids are ignored. */
    Future<Void> giveToNew(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** Assigns exactly these global connections of its platform to the project; unknown external ids are ignored. */
    Future<Void> setWanted(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** True when any of these is a global connection of the platform that the project does not have. */
    Future<Boolean> gains(Tx tx, String platformId, String projectId, List<String> externalIds);

    /** Called after such a transaction has ended. */
    void changed();
}
