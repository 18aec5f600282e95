package io.millrace.account.platform;

import io.millrace.base.access.Principal;
import io.millrace.base.bus.BusRequest;
import io.millrace.base.bus.Nothing;
import io.millrace.base.bus.Notice;
import java.util.List;
import java.util.Optional;

/** Requests about platforms, and notices of their changes. Answered by {@link PlatformService}. */
public sealed interface Platforms {
    /** The principal's own platform; another one is refused. */
    record Find(Principal by, String platformId) implements Platforms, BusRequest<Platform> {}

    /** A platform, for modules that have already checked access; fails with ENTITY_NOT_FOUND. */
    record Get(String platformId) implements Platforms, BusRequest<Platform> {}

    /** The platform of this installation (contract admin-api 32.3); empty before the first sign-up. */
    record Oldest() implements Platforms, BusRequest<Optional<Platform>> {}

    /** Changes the principal's own platform; another one is refused. */
    record Update(Principal by, String platformId, PlatformChanges changes)
            implements Platforms, BusRequest<Platform> {}

    /** Verifies the TXT record of the platform's SSO domain; fails with VALIDATION when it does not match. */
    record VerifyDomain(Principal by, String platformId) implements Platforms, BusRequest<Platform> {}

    /** Adds origins to those that may embed the principal's platform; returns the whole list. */
    record AllowEmbedding(Principal by, List<String> origins) implements Platforms, BusRequest<List<String>> {}

    /** Telemetry settings of the principal's platform; created by the first request (contract admin-api 19). */
    record FindConfiguration(Principal by) implements Platforms, BusRequest<PlatformConfiguration> {}

    record Configure(Principal by, Optional<Boolean> productTelemetry, Optional<Boolean> infraSetupTelemetry)
            implements Platforms, BusRequest<PlatformConfiguration> {}

    record Changed(String platformId) implements Platforms, Notice {}

    /** An image of any platform or person; fails with ENTITY_NOT_FOUND. */
    record FindPicture(String id) implements Platforms, BusRequest<Picture> {}

    record CheckDatabase() implements Platforms, BusRequest<Nothing> {}
}
