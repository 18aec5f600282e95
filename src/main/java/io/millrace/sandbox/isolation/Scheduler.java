package io.millrace.sandbox.isolation;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Settings of the Linux scheduler that a process may change for its children. On other systems nothing changes
 * and the methods return false.
 */
final class Scheduler {
    /** The scheduling classes of sched(7) for everything that is not real-time. */
    enum Policy {
        OTHER(0),
        BATCH(3),
        IDLE(5);

        private final int number;

        Policy(int number) {
            this.number = number;
        }
    }

    private static final Path PROCESSES = Path.of("/proc");
    private static final Map<String, Long> SET_ATTRIBUTES = Map.of("amd64", 314L, "aarch64", 274L);
    private static final Map<String, Long> SET_AFFINITY = Map.of("amd64", 203L, "aarch64", 122L);
    private static final String OWN_PROCESSORS = "Cpus_allowed_list:";
    private static final int PROCESSORS_MAX = 1_024;
    private static final int ATTRIBUTES_BYTES = 48;
    private static final int SESSION_AT = 3;
    private static final int OWN_NICE_AT = 16;
    private static final int POLICY_AT = 4;
    private static final int NICE_AT = 16;
    private static final int SLICE_AT = 24;

    private Scheduler() {}

    private static final class Call {
        private static final Optional<MethodHandle> SYSTEM = SET_ATTRIBUTES.containsKey(architecture())
                ? SystemFunction.find(
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG),
                        Linker.Option.firstVariadicArg(1))
                : Optional.empty();

        private static boolean make(long number, long thread, long second, long third) {
            try {
                return (long) SYSTEM.orElseThrow().invokeExact(number, thread, second, third) == 0;
            } catch (Throwable failure) {
                throw new IllegalStateException("a system call could not be made", failure);
            }
        }

        private static boolean setAttributes(long thread, Policy policy, int nice, long sliceNanos) {
            try (var arena = Arena.ofConfined()) {
                var attributes = arena.allocate(ATTRIBUTES_BYTES, Long.BYTES);
                attributes.set(ValueLayout.JAVA_INT, 0, ATTRIBUTES_BYTES);
                attributes.set(ValueLayout.JAVA_INT, POLICY_AT, policy.number);
                attributes.set(ValueLayout.JAVA_INT, NICE_AT, nice);
                attributes.set(ValueLayout.JAVA_LONG, SLICE_AT, sliceNanos);
                return make(SET_ATTRIBUTES.get(architecture()), thread, attributes.address(), 0);
            }
        }

        private static boolean setAffinity(long thread, BitSet processors) {
            try (var arena = Arena.ofConfined()) {
                var mask = arena.allocate(PROCESSORS_MAX / Byte.SIZE, Long.BYTES);
                mask.copyFrom(MemorySegment.ofArray(processors.toByteArray()));
                return make(SET_AFFINITY.get(architecture()), thread, mask.byteSize(), mask.address());
            }
        }
    }

    /**
     * Gives all threads of the process a policy.
     *
     * @param sliceNanos time slice of a thread among equal ones, in nanoseconds; 0 for the kernel's default
     */
    static boolean setPolicy(long process, Policy policy, long sliceNanos) throws IOException {
        if (Call.SYSTEM.isEmpty()) {
            return false;
        }
        for (var thread : threads(process)) {
            if (!Call.setAttributes(thread, policy, 0, sliceNanos)
                    && Files.exists(task(process).resolve(thread.toString()))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Gives the calling thread a policy. An unprivileged process cannot lower the nice value again.
     *
     * @param nice 0 for the usual weight, 19 for the least
     * @param sliceNanos as for {@link #setPolicy}
     */
    static boolean setOwnPolicy(Policy policy, int nice, long sliceNanos) {
        return Call.SYSTEM.isPresent() && Call.setAttributes(0, policy, nice, sliceNanos);
    }

    /** Lets all threads of the process, and those that they start, run on these processors only. */
    static boolean setProcessors(long process, BitSet processors) throws IOException {
        if (Call.SYSTEM.isEmpty() || processors.isEmpty() || processors.length() > PROCESSORS_MAX) {
            return false;
        }
        for (var thread : threads(process)) {
            if (!Call.setAffinity(thread, processors)
                    && Files.exists(task(process).resolve(thread.toString()))) {
                return false;
            }
        }
        return true;
    }

    /** Lets the calling thread, and processes and threads that it starts, run on these processors only. */
    static boolean setOwnProcessors(BitSet processors) {
        return Call.SYSTEM.isPresent()
                && !processors.isEmpty()
                && processors.length() <= PROCESSORS_MAX
                && Call.setAffinity(0, processors);
    }

    /** Processors that this server may run on; empty if unknown. */
    static BitSet ownProcessors() throws IOException {
        var status = PROCESSES.resolve("self").resolve("status");
        if (!Files.exists(status)) {
            return new BitSet();
        }
        try (var lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(OWN_PROCESSORS))
                    .map(line ->
                            processors(line.substring(OWN_PROCESSORS.length()).strip()))
                    .findFirst()
                    .orElseGet(BitSet::new);
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
    }

    /** Processors of a list in the kernel's format: {@code 0-3,8}. */
    static BitSet processors(String list) {
        var processors = new BitSet();
        for (var range : list.split(",", -1)) {
            var bounds = range.split("-", -1);
            processors.set(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[bounds.length - 1]) + 1);
        }
        return processors;
    }

    /**
     * Sets the weight of the process's session against other sessions, if the kernel groups by them. Does nothing for a process
     * that does not lead a session: the weight would apply to other processes too. The kernel lets an unprivileged process change
     * one weight per 100 ms.
     *
     * @param nice 0 for the usual weight, 19 for the least
     */
    static void setSessionWeight(long process, int nice) throws IOException {
        var group = PROCESSES.resolve(Long.toString(process)).resolve("autogroup");
        if (Files.isWritable(group) && leadsSession(process)) {
            // A FileChannel would take the kernel's EAGAIN for a non-blocking channel.
            try (var weight = new FileOutputStream(group.toFile())) {
                weight.write(Integer.toString(nice).getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    static boolean leadsSession(long process) throws IOException {
        return field(PROCESSES.resolve(Long.toString(process)), SESSION_AT).equals(Long.toString(process));
    }

    /** Nice value of the calling thread. */
    static int ownNice() throws IOException {
        return Integer.parseInt(field(PROCESSES.resolve("thread-self"), OWN_NICE_AT));
    }

    /** Field of the state of a process or thread (proc(5)), counted from the one after the name. */
    private static String field(Path task, int index) throws IOException {
        var state = Files.readString(task.resolve("stat"));
        return state.substring(state.lastIndexOf(')') + 2).split(" ", index + 2)[index];
    }

    private static List<Long> threads(long process) throws IOException {
        try (Stream<Path> tasks = Files.list(task(process))) {
            return tasks.map(task -> Long.valueOf(task.getFileName().toString()))
                    .toList();
        } catch (UncheckedIOException broken) {
            throw broken.getCause();
        }
    }

    private static Path task(long process) {
        return PROCESSES.resolve(Long.toString(process)).resolve("task");
    }

    private static String architecture() {
        return System.getProperty("os.arch");
    }
}
