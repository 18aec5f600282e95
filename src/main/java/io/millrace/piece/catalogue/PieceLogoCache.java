package io.millrace.piece.catalogue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Logos by their addresses, up to a number of bytes: the one that was not asked for longest goes first. That there is
 * none is remembered too, for a shorter time. Asked on several event loops.
 */
final class PieceLogoCache {
    static final Duration KEPT = Duration.ofDays(1);
    static final Duration MISSING_KEPT = Duration.ofMinutes(10);

    /** What an entry costs besides its picture, so that nothing is remembered for free. */
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

    /** What is known of an address: a logo, or that there is none; empty when nothing is known. */
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
