package io.millrace.integration.release;

import io.millrace.base.core.Ids;
import io.millrace.base.core.input.Fields;

public sealed interface ReleaseSource {
    /** The project's own repository. */
    record Git() implements ReleaseSource {}

    /** Another project, which the contract calls the target. */
    record OtherProject(String projectId) implements ReleaseSource {}

    /** The snapshot of an earlier release of the same project. */
    record Rollback(String releaseId) implements ReleaseSource {}

    default ReleaseType type() {
        return switch (this) {
            case Git _ -> ReleaseType.GIT;
            case OtherProject _ -> ReleaseType.PROJECT;
            case Rollback _ -> ReleaseType.ROLLBACK;
        };
    }

    /** Problems are recorded in the body. */
    static ReleaseSource read(Fields body) {
        return switch (body.option("type", ReleaseType.class)) {
            case GIT -> new Git();
            case PROJECT -> new OtherProject(body.text("targetProjectId", Ids.PATTERN));
            case ROLLBACK -> new Rollback(body.text("projectReleaseId", Ids.PATTERN));
        };
    }
}
