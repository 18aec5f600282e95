package io.millrace.persistence;

import io.vertx.core.Future;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What tests of durability make this process do wrong. Asked for by the JVM's system property {@code millrace.fault}
 * and by nothing else: no setting, request or row leads here, and without the property all of this is one comparison
 * with a constant.
 *
 * <ul>
 *   <li>{@code before:RESULT:3} ends the process before the third write of that kind is sent;
 *   <li>{@code after:RESULT:3} ends it when that write is durable and nobody has been told;
 *   <li>{@code acknowledge-early} answers writes of runs before they are written;
 *   <li>{@code no-fsync} runs the embedded PostgreSQL without waiting for the disk.
 * </ul>
 *
 * <p>The last two break promises on purpose: a harness that does not report the loss proves nothing.
 */
public final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);

    /** How long before its write an early acknowledgement comes. */
    public static final long EARLY_MS = 300;

    private static final String PROPERTY = "millrace.fault";

    /** As if the process had been killed; the property says on which side of the write. */
    private static final int STATUS = 137;

    private static final Faults ASKED_FOR = parse(System.getProperty(PROPERTY));

    /** A breach of a promise, for the negative controls. */
    private enum Breach {
        ACKNOWLEDGE_EARLY,
        NO_FSYNC
    }

    private enum Side {
        BEFORE,
        AFTER
    }

    /** The point at which the process ends. */
    private record Crash(Side side, String write, AtomicInteger left) {}

    private final Optional<Breach> breach;
    private final Optional<Crash> crash;

    private Faults(Optional<Breach> breach, Optional<Crash> crash) {
        this.breach = breach;
        this.crash = crash;
    }

    private static Faults parse(String asked) {
        if (asked == null) {
            return null;
        }
        LOG.warn("this process fails on purpose: {}={}", PROPERTY, asked);
        var breach = Arrays.stream(Breach.values())
                .filter(one -> wordOf(one).equals(asked))
                .findFirst();
        if (breach.isPresent()) {
            return new Faults(breach, Optional.empty());
        }
        var parts = asked.split(":", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("expected " + PROPERTY + " to be side:write:count, found " + asked);
        }
        var side = parts[0].equals(wordOf(Side.BEFORE)) ? Side.BEFORE : Side.AFTER;
        var left = new AtomicInteger(Integer.parseInt(parts[2]));
        return new Faults(Optional.empty(), Optional.of(new Crash(side, parts[1], left)));
    }

    private static String wordOf(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Performs a write, unless this is where the process is to end. */
    public static <T> Future<T> around(DurableWrite write, Supplier<Future<T>> work) {
        return ASKED_FOR == null ? work.get() : ASKED_FOR.performed(List.of(write), work);
    }

    /**
     * Performs a write that holds several, unless this is where the process is to end.
     *
     * @param writes only asked for while a fault is
     */
    public static <T> Future<T> around(
            Supplier<? extends Collection<? extends DurableWrite>> writes, Supplier<Future<T>> work) {
        return ASKED_FOR == null ? work.get() : ASKED_FOR.performed(writes.get(), work);
    }

    /** Whether writes are to be answered before they are written. */
    public static boolean acknowledgesEarly() {
        return ASKED_FOR != null && ASKED_FOR.breaks(Breach.ACKNOWLEDGE_EARLY);
    }

    /** What a commit of embedded PostgreSQL is to survive. */
    public static Durability durability() {
        return ASKED_FOR != null && ASKED_FOR.breaks(Breach.NO_FSYNC) ? Durability.NONE : Durability.FULL;
    }

    private boolean breaks(Breach promise) {
        return breach.filter(promise::equals).isPresent();
    }

    private <T> Future<T> performed(Collection<? extends DurableWrite> writes, Supplier<Future<T>> work) {
        pass(Side.BEFORE, writes);
        return work.get().map(written -> {
            pass(Side.AFTER, writes);
            return written;
        });
    }

    private void pass(Side side, Collection<? extends DurableWrite> writes) {
        crash.filter(at -> at.side() == side)
                .filter(at -> writes.stream().anyMatch(write -> write.name().equals(at.write())))
                .filter(at -> at.left().decrementAndGet() == 0)
                .ifPresent(_ -> Runtime.getRuntime().halt(STATUS));
    }
}
