package io.millrace.platform;

import io.millrace.access.Principal;
import io.millrace.bus.Nothing;
import io.millrace.bus.Request;
import java.util.Optional;

/** What one may ask of platforms. Answered by {@link PlatformService}. */
public sealed interface Platforms {
    /** The principal's own platform; another one is refused. */
    record Find(Principal by, String platformId) implements Platforms, Request<Platform> {}

    /** The platform that this installation serves (contract admin-api 32.3), if anybody has signed up yet. */
    record Oldest() implements Platforms, Request<Optional<Platform>> {}

    /** Does the database answer? */
    record CheckDatabase() implements Platforms, Request<Nothing> {}
}
