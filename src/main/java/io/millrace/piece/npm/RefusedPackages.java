package io.millrace.piece.npm;

import com.github.benmanes.caffeine.cache.Cache;
import io.millrace.base.cache.Caches;
import io.millrace.piece.catalogue.PieceCatalogue;
import io.millrace.piece.catalogue.PieceScope;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Packages that could not be installed on demand, and are not requested again for a while. */
final class RefusedPackages {
    /** Minimum time before an unavailable package is requested again. */
    private static final Duration REFUSED_FOR = Duration.ofMinutes(1);

    /** Retry interval of a rejected package for which a built-in stands in. */
    private static final Duration STOOD_IN_FOR = Duration.ofHours(1);

    private static final int REFUSED_KEPT_MAX = 1_000;

    private final PieceCatalogue catalogue;
    private final InstantSource clock;
    private final Cache<PackageId, Instant> times;

    RefusedPackages(PieceCatalogue catalogue, InstantSource clock) {
        this.catalogue = catalogue;
        this.clock = clock;
        this.times = Caches.living("npm.refused-packages", REFUSED_KEPT_MAX, STOOD_IN_FOR, clock)
                .build();
    }

    void add(PackageId id) {
        times.put(id, clock.instant());
    }

    boolean contains(PackageId id) {
        var wasRefused = times.getIfPresent(id);
        var isStoodIn =
                catalogue.find(PieceScope.EVERYBODY, id.name(), id.version()).isPresent();
        return wasRefused != null && clock.instant().isBefore(wasRefused.plus(isStoodIn ? STOOD_IN_FOR : REFUSED_FOR));
    }
}
