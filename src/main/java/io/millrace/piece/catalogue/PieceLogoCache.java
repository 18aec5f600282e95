package io.millrace.piece.catalogue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Cache of logos by address, limited in bytes, with least-recently-used eviction. Missing logos are cached too, for a
 * shorter time. Thread-safe.
 */
final class PieceLogoCache {
    static final Duration KEPT = Duration.ofDays(1);
    static final Duration MISSING_KEPT = Duration.ofMinutes(10);

    /** Overhead of an entry besides its image, so that negative entries count towards the limit. */
    private static final long ENTRY_BYTES = 1_024;

    private final Map<String, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private final long bytesMax;
    private final InstantSource clock;
    private long bytes;

    private record Entry(Optional<PieceLogo> logo, Instant until) {
        long bytes() {
            return ENTRY_BYTES + logo.map(known -> known.data().length()).orElse(0);
        }
    }

    PieceLogoCache(long bytesMax, InstantSource clock) {
        this.bytesMax = bytesMax;
        this.clock = clock;
    }

    /** Cached result for an address: a logo or its absence; the outer value is empty on a cache miss. */
    synchronized Optional<Optional<PieceLogo>> find(String address) {
        var entry = entries.get(address);
        if (entry == null) {
            return Optional.empty();
        }
        if (clock.instant().isAfter(entry.until())) {
            drop(address);
            return Optional.empty();
        }
        return Optional.of(entry.logo());
    }

    synchronized void keep(String address, Optional<PieceLogo> logo) {
        drop(address);
        var entry = new Entry(logo, clock.instant().plus(logo.isPresent() ? KEPT : MISSING_KEPT));
        entries.put(address, entry);
        bytes += entry.bytes();
        while (bytes > bytesMax && !entries.isEmpty()) {
            drop(entries.keySet().iterator().next());
        }
    }

    private void drop(String address) {
        var gone = entries.remove(address);
        if (gone != null) {
            bytes -= gone.bytes();
        }
    }
}
