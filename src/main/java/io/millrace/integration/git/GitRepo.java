package io.millrace.integration.git;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.base.core.Json;
import java.time.Instant;

/**
 * The configured repository of a project, without its key (seed, Git repository; contract admin-api 10).
 *
 * @param slug folder of the project in the repository
 */
public record GitRepo(
        String id,
        Instant created,
        Instant updated,
        String projectId,
        String remoteUrl,
        String branch,
        GitBranchType branchType,
        String slug) {

    ObjectNode toJson() {
        return Json.object()
                .put("id", id)
                .put("created", Json.timestamp(created))
                .put("updated", Json.timestamp(updated))
                .put("projectId", projectId)
                .put("remoteUrl", remoteUrl)
                .put("branch", branch)
                .put("branchType", branchType.name())
                .put("slug", slug);
    }
}
