package io.millrace.integration.release.push;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import java.util.List;

/** Messages about pushes, handled by {@link PushService}. */
public sealed interface Pushes {
    /**
     * Commits flows, or their removal, to the repository of a project. Fails with ENTITY_NOT_FOUND when a flow or table does
     * not exist, and as {@link io.millrace.integration.git.GitRepos.Commit} does.
     *
     * @param externalIds external ids of flows or tables; empty for all
     */
    record Push(Principal by, String projectId, PushType type, String commitMessage, List<String> externalIds)
            implements Pushes, BusRequest<Nothing> {
        public Push {
            externalIds = List.copyOf(externalIds);
        }
    }
}
