package io.millrace.identity;

import io.millrace.access.PlatformRole;
import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Notice;
import io.millrace.bus.Request;
import io.millrace.core.Change;
import io.millrace.core.Page;
import io.millrace.core.PageRequest;
import io.millrace.platform.Picture;
import java.util.List;
import java.util.Optional;

/** What one may ask of the people on a platform. Answered by {@link UserService}. */
public sealed interface Users {
    /** The users of the principal's platform, newest first. */
    record ListAll(Principal by, Optional<String> externalId, PageRequest page)
            implements Users, Request<Page<UserView>> {}

    /** A user of the principal's platform. */
    record Find(Principal by, String userId) implements Users, Request<UserView> {}

    /** What a user has been awarded; answered by the room of badges, for this one knows neither flows nor runs. */
    record FindBadges(String userId) implements Users, Request<List<Badge>> {}

    /** Changes a user of the principal's platform. */
    record Update(
            Principal by,
            String userId,
            Optional<UserStatus> status,
            Optional<PlatformRole> platformRole,
            Change<String> externalId)
            implements Users, Request<UserView> {}

    /** Removes a user of the principal's platform, with the personal project. */
    record Delete(Principal by, String userId) implements Users, Request<Nothing> {}

    /** Shows another picture of the person who asks, or none. */
    record ChangeMe(Principal by, Change<Picture> picture) implements Users, Request<Person> {}

    /** Somebody has left the platform. */
    record Deleted(String userId, String platformId) implements Users, Notice {}
}
