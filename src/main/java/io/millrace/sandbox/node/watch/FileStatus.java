package io.millrace.sandbox.node.watch;

import io.millrace.sandbox.isolation.SystemFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Blocks and links of a file by statx(2), which the file attributes of the JDK omit. Blocks.
 *
 * @param inode number of the file on its device
 * @param device number of the device
 * @param links number of names of the file
 * @param bytes disk space of the file, or its length if that is larger
 */
record FileStatus(long inode, long device, long links, Kind kind, long bytes) {
    enum Kind {
        FILE,
        DIRECTORY,
        OTHER
    }

    enum Absence {
        GONE,
        REFUSED
    }

    record Answer(Optional<FileStatus> status, Optional<Absence> absence) {}

    private static final Map<String, Long> STATX = Map.of("amd64", 332L, "aarch64", 291L);
    private static final long AT_FDCWD = -100;
    private static final long AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long BASIC_STATS = 0x7FF;
    private static final int STRUCTURE_BYTES = 256;
    private static final int LINKS_AT = 16;
    private static final int MODE_AT = 28;
    private static final int INODE_AT = 32;
    private static final int SIZE_AT = 40;
    private static final int BLOCKS_AT = 48;
    private static final int DEVICE_MAJOR_AT = 136;
    private static final int DEVICE_MINOR_AT = 140;
    private static final int BLOCK_BYTES = 512;
    private static final int TYPE_MASK = 0xF000;
    private static final int TYPE_FILE = 0x8000;
    private static final int TYPE_DIRECTORY = 0x4000;
    private static final int ENOENT = 2;
    private static final int ENOTDIR = 20;
    private static final int ESRCH = 3;

    private static final class Call {
        private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
        private static final VarHandle ERROR = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final Optional<MethodHandle> SYSTEM = STATX.containsKey(System.getProperty("os.arch"))
                ? SystemFunction.find(
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.ADDRESS),
                        Linker.Option.firstVariadicArg(1),
                        Linker.Option.captureCallState("errno"))
                : Optional.empty();

        private Call() {}

        /** 0, or the number of the error. */
        private static int statx(MemorySegment state, MemorySegment path, long flags, MemorySegment answer) {
            try {
                var failed = (long) SYSTEM.orElseThrow()
                        .invokeExact(
                                state,
                                (long) STATX.get(System.getProperty("os.arch")),
                                AT_FDCWD,
                                path,
                                flags,
                                BASIC_STATS,
                                answer);
                return failed == 0 ? 0 : (int) ERROR.get(state, 0L);
            } catch (Throwable failure) {
                throw new IllegalStateException("statx(2) could not be called", failure);
            }
        }
    }

    static boolean isAvailable() {
        return Call.SYSTEM.isPresent();
    }

    /** Status of the file itself, without following a symbolic link. */
    static Answer of(Path file) {
        return of(file.toString(), AT_SYMLINK_NOFOLLOW);
    }

    /** Status of the target of a link in /proc. */
    static Answer ofTarget(String link) {
        return of(link, 0);
    }

    private static Answer of(String path, long flags) {
        try (var arena = Arena.ofConfined()) {
            var answer = arena.allocate(STRUCTURE_BYTES, Long.BYTES);
            var error = Call.statx(arena.allocate(Call.STATE), arena.allocateFrom(path), flags, answer);
            return switch (error) {
                case 0 -> new Answer(Optional.of(read(answer)), Optional.empty());
                case ENOENT, ENOTDIR, ESRCH -> new Answer(Optional.empty(), Optional.of(Absence.GONE));
                default -> new Answer(Optional.empty(), Optional.of(Absence.REFUSED));
            };
        }
    }

    private static FileStatus read(MemorySegment answer) {
        var kind = switch (answer.get(ValueLayout.JAVA_SHORT, MODE_AT) & TYPE_MASK) {
            case TYPE_FILE -> Kind.FILE;
            case TYPE_DIRECTORY -> Kind.DIRECTORY;
            default -> Kind.OTHER;
        };
        var device = ((long) answer.get(ValueLayout.JAVA_INT, DEVICE_MAJOR_AT) << 32)
                | answer.get(ValueLayout.JAVA_INT, DEVICE_MINOR_AT);
        return new FileStatus(
                answer.get(ValueLayout.JAVA_LONG, INODE_AT),
                device,
                answer.get(ValueLayout.JAVA_INT, LINKS_AT),
                kind,
                Math.max(
                        answer.get(ValueLayout.JAVA_LONG, SIZE_AT),
                        answer.get(ValueLayout.JAVA_LONG, BLOCKS_AT) * BLOCK_BYTES));
    }
}
