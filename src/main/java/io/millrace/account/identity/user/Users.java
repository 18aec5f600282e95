package io.millrace.account.identity.user;

import io.millrace.account.identity.UserStatus;
import io.millrace.account.identity.UserView;
import io.millrace.account.platform.Picture;
import io.millrace.base.access.PlatformRole;
import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.ClusterNotice;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import io.millrace.base.core.input.FieldChange;
import io.millrace.base.core.input.Page;
import io.millrace.base.core.input.PageRequest;
import java.util.List;
import java.util.Optional;

/** Requests about the users of a platform. Answered by {@link UserService}. */
public sealed interface Users {
    /** The users of the principal's platform, newest first. */
    record ListAll(Principal by, Optional<String> externalId, PageRequest page)
            implements Users, BusRequest<Page<UserView>> {}

    record Find(Principal by, String userId) implements Users, BusRequest<UserView> {}

    /** Badges of a user; answered by the module of badges, because this one knows neither flows nor runs. */
    record FindBadges(String userId) implements Users, BusRequest<List<Badge>> {}

    record BadgeAwarded(String projectId, String userId, String badge) implements Users, ClusterNotice {}

    record Update(
            Principal by,
            String userId,
            Optional<UserStatus> status,
            Optional<PlatformRole> platformRole,
            FieldChange<String> externalId)
            implements Users, BusRequest<UserView> {}

    /** Removes a user of the principal's platform, with the personal project. */
    record Delete(Principal by, String userId) implements Users, BusRequest<Nothing> {}

    record ChangeMe(Principal by, FieldChange<Picture> picture) implements Users, BusRequest<UserProfile> {}

    record Deleted(String userId, String platformId) implements Users, Notice {}
}
