package io.millrace.workspace.project;

import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;

/**
 * Visibility of projects for a user on a platform (contract admin-api 1.10).
 *
 * @param seesAll every project
 * @param seesTeams every team project; the user's personal one is always visible
 */
record Viewer(String platformId, String userId, boolean seesAll, boolean seesTeams) {
    /** An API key sees all projects, as the platform's owner does; other callers without a role see none of them by it. */
    static Viewer of(Principal principal) {
        var seesAll = principal.administersPlatform();
        var seesTeams =
                seesAll || principal instanceof Principal.SignedInUser user && user.role() == PlatformRole.OPERATOR;
        return new Viewer(principal.platform(), principal.actingUser(), seesAll, seesTeams);
    }
}
