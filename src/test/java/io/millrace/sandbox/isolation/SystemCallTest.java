package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.hostile.HostileKind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * System calls that processes of each purpose make, by their numbers, in a Python interpreter. All arguments are
 * invalid unless a case says otherwise: without a filter the kernel would return EFAULT, EBADF or EINVAL.
 */
@HostileKind("system calls")
class SystemCallTest {
    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int ENOSYS = 38;
    private static final Path PYTHON = Path.of("/usr/bin/python3");
    private static final String WRONG = "-1,-1,-1,-1,-1,-1";

    /** Reads lines of a number and arguments, makes the calls, and prints the error of each, or 0. */
    private static final String CALLER = """
            import ctypes, sys
            libc = ctypes.CDLL(None, use_errno=True)
            libc.syscall.restype = ctypes.c_long
            for line in sys.stdin:
                number, *arguments = [ctypes.c_long(int(part)) for part in line.strip().split(',')]
                ctypes.set_errno(0)
                result = libc.syscall(number, *arguments)
                print(ctypes.get_errno() if result == -1 else 0, flush=True)
            """;

    /** System calls refused to every process with any arguments. */
    private static final List<SystemCall> REFUSED = List.of(
            SystemCall.SHMGET,
            SystemCall.SHMAT,
            SystemCall.SHMCTL,
            SystemCall.SHMDT,
            SystemCall.SEMGET,
            SystemCall.SEMOP,
            SystemCall.SEMTIMEDOP,
            SystemCall.SEMCTL,
            SystemCall.MSGGET,
            SystemCall.MSGSND,
            SystemCall.MSGRCV,
            SystemCall.MSGCTL,
            SystemCall.MQ_OPEN,
            SystemCall.MQ_UNLINK,
            SystemCall.MQ_TIMEDSEND,
            SystemCall.MQ_TIMEDRECEIVE,
            SystemCall.MQ_NOTIFY,
            SystemCall.MQ_GETSETATTR,
            SystemCall.MEMFD_CREATE,
            SystemCall.NAME_TO_HANDLE_AT,
            SystemCall.OPEN_BY_HANDLE_AT,
            SystemCall.EXECVEAT,
            SystemCall.SPLICE,
            SystemCall.TEE,
            SystemCall.VMSPLICE,
            SystemCall.REMAP_FILE_PAGES,
            SystemCall.FANOTIFY_INIT,
            SystemCall.FANOTIFY_MARK,
            SystemCall.INOTIFY_INIT1,
            SystemCall.INOTIFY_ADD_WATCH,
            SystemCall.STATFS,
            SystemCall.SYNCFS,
            SystemCall.IO_SETUP,
            SystemCall.IO_SUBMIT,
            SystemCall.IO_GETEVENTS,
            SystemCall.IO_PGETEVENTS,
            SystemCall.MBIND,
            SystemCall.SET_MEMPOLICY,
            SystemCall.CLOCK_SETTIME,
            SystemCall.CLOCK_ADJTIME,
            SystemCall.KEXEC_FILE_LOAD,
            SystemCall.GET_ROBUST_LIST,
            SystemCall.SETPRIORITY,
            SystemCall.IOPRIO_SET,
            SystemCall.PRLIMIT64,
            SystemCall.MOVE_PAGES,
            SystemCall.SCHED_SETAFFINITY,
            SystemCall.SCHED_SETATTR,
            SystemCall.PROCESS_VM_READV,
            SystemCall.PROCESS_VM_WRITEV,
            SystemCall.PTRACE,
            SystemCall.KCMP,
            SystemCall.PIDFD_OPEN,
            SystemCall.PIDFD_GETFD,
            SystemCall.PIDFD_SEND_SIGNAL,
            SystemCall.PROCESS_MADVISE,
            SystemCall.PROCESS_MRELEASE,
            SystemCall.CLONE3,
            SystemCall.UNSHARE,
            SystemCall.SETNS,
            SystemCall.MOUNT,
            SystemCall.FSOPEN,
            SystemCall.OPEN_TREE,
            SystemCall.BPF,
            SystemCall.PERF_EVENT_OPEN,
            SystemCall.USERFAULTFD,
            SystemCall.KEYCTL,
            SystemCall.ADD_KEY,
            SystemCall.REQUEST_KEY,
            SystemCall.IO_URING_SETUP,
            SystemCall.IO_URING_ENTER,
            SystemCall.IO_URING_REGISTER,
            SystemCall.TKILL,
            SystemCall.RT_SIGQUEUEINFO,
            SystemCall.RT_TGSIGQUEUEINFO,
            SystemCall.LISTEN,
            SystemCall.ACCEPT,
            SystemCall.ACCEPT4,
            SystemCall.SOCKET,
            SystemCall.SOCKETPAIR,
            SystemCall.CONNECT,
            SystemCall.BIND,
            SystemCall.SENDMMSG,
            SystemCall.MIGRATE_PAGES,
            SystemCall.SCHED_SETSCHEDULER,
            SystemCall.SCHED_SETPARAM,
            SystemCall.UMOUNT2,
            SystemCall.PIVOT_ROOT,
            SystemCall.CHROOT,
            SystemCall.MOVE_MOUNT,
            SystemCall.FSCONFIG,
            SystemCall.FSMOUNT,
            SystemCall.FSPICK,
            SystemCall.MOUNT_SETATTR,
            SystemCall.KEXEC_LOAD,
            SystemCall.INIT_MODULE,
            SystemCall.FINIT_MODULE,
            SystemCall.DELETE_MODULE,
            SystemCall.SWAPON,
            SystemCall.SWAPOFF,
            SystemCall.ACCT,
            SystemCall.QUOTACTL,
            SystemCall.SYSLOG,
            SystemCall.SETHOSTNAME,
            SystemCall.SETDOMAINNAME,
            SystemCall.SETTIMEOFDAY,
            SystemCall.ADJTIMEX,
            SystemCall.REBOOT,
            SystemCall.IO_DESTROY,
            SystemCall.IO_CANCEL);

    @TempDir
    private static Path root;

    private static Isolation isolation;
    private static final Map<ProcessPurpose, Map<String, Integer>> ANSWERS = new EnumMap<>(ProcessPurpose.class);

    @BeforeAll
    static void call() throws IOException, InterruptedException {
        assumeTrue(Files.isExecutable(PYTHON), "no Python");
        isolation = new Isolation(Isolation.Settings.of(root.resolve("isolation")));
        assumeTrue(isolation.inForce().isFiltered(), isolation.inForce().description());
        var lines = Stream.of(
                        REFUSED.stream().map(SystemCallTest::wrong),
                        particular(),
                        newer().mapToObj(number -> number + "," + WRONG))
                .flatMap(each -> each)
                .distinct()
                .toList();
        for (var purpose : ProcessPurpose.values()) {
            ANSWERS.put(purpose, answers(isolation.command(purpose, files(), interpreter()), lines));
        }
    }

    private static String wrong(SystemCall call) {
        return number(call) + "," + WRONG;
    }

    private static int number(SystemCall call) {
        return call.on(Architecture.ofHost().orElseThrow());
    }

    /**
     * Numbers above those in use when this was written, and those unused until 2019. The kernel exempts 335 and 336 of
     * x86 from every filter; they kill a process that makes them without a probe.
     */
    private static IntStream newer() {
        return IntStream.concat(IntStream.range(337, 340), IntStream.range(469, 600));
    }

    private static Stream<String> particular() {
        return Stream.concat(allowed(), refusedByArguments());
    }

    /** System calls that programs need, with arguments that affect only the calling process. */
    static Stream<String> allowed() {
        return Stream.of(
                number(SystemCall.SETPRIORITY) + ",0,0,19",
                number(SystemCall.PRLIMIT64) + ",0,4,0,0",
                number(SystemCall.PERSONALITY) + "," + 0xFFFFFFFFL,
                number(SystemCall.CLOSE_RANGE) + ",200,300,0");
    }

    static Stream<String> refusedByArguments() {
        var own = "0";
        return Stream.of(
                // Shared memory, a queue, semaphores and a file in memory with right arguments.
                number(SystemCall.SHMGET) + ",0,4096,1023",
                number(SystemCall.MSGGET) + ",0,1023",
                number(SystemCall.SEMGET) + ",0,1,1023",
                // A process group, a user, all processes of the same user, another process.
                number(SystemCall.SETPRIORITY) + ",1,0,19",
                number(SystemCall.SETPRIORITY) + ",2,0,19",
                number(SystemCall.SETPRIORITY) + ",2,65521,19",
                number(SystemCall.SETPRIORITY) + ",0,1,19",
                number(SystemCall.SETPRIORITY) + "," + (1L << 32 | 2) + ",0,19",
                number(SystemCall.SETPRIORITY) + ",2," + (1L << 32) + ",19",
                number(SystemCall.IOPRIO_SET) + ",2,0,0",
                number(SystemCall.IOPRIO_SET) + ",3,0,0",
                number(SystemCall.IOPRIO_SET) + ",3,65521,0",
                number(SystemCall.IOPRIO_SET) + ",1,1,0",
                number(SystemCall.PRLIMIT64) + ",1,4,0,0",
                number(SystemCall.KILL) + ",1,9",
                number(SystemCall.KILL) + "," + own + ",15",
                number(SystemCall.PERSONALITY) + ",8",
                // Sockets of each family, and a connection by sending.
                number(SystemCall.SOCKET) + ",1,1,0",
                number(SystemCall.SOCKET) + ",2,1,0",
                number(SystemCall.SOCKET) + ",2,2,0",
                number(SystemCall.SOCKET) + ",10,1,0",
                number(SystemCall.SOCKET) + ",16,3,0",
                number(SystemCall.SOCKET) + ",17,3,0",
                number(SystemCall.SOCKET) + ",38,5,0",
                number(SystemCall.SOCKET) + ",40,1,0",
                number(SystemCall.SOCKETPAIR) + ",1,1,0,0",
                number(SystemCall.SENDTO) + ",0,0,0," + 0x20000000L + ",0,0",
                number(SystemCall.SENDMSG) + ",0,0," + 0x20000000L,
                number(SystemCall.SENDTO) + ",0,0,0," + (1L << 40 | 0x20000000L) + ",0,0",
                // Signals on changes of a descriptor.
                number(SystemCall.FCNTL) + ",0,8,1",
                number(SystemCall.FCNTL) + ",0,10,9",
                number(SystemCall.FCNTL) + ",0,15,0",
                number(SystemCall.FCNTL) + ",0," + (1L << 32 | 8) + ",1",
                number(SystemCall.IOCTL) + ",0," + 0x8901 + ",0",
                number(SystemCall.IOCTL) + ",0," + 0x8902 + ",0",
                number(SystemCall.TGKILL) + ",1,1,9",
                number(SystemCall.TGKILL) + ",1,1,15",
                // A process with the flags of fork, and namespaces.
                number(SystemCall.CLONE) + ",17,0,0,0,0",
                number(SystemCall.CLONE) + "," + 0x10000000L + ",0,0,0,0");
    }

    private static FileGrants files() {
        return new FileGrants(
                List.of(),
                Stream.of("/lib", "/lib64", "/usr/lib")
                        .map(Path::of)
                        .filter(Files::exists)
                        .toList(),
                List.of());
    }

    private static List<String> interpreter() {
        return List.of(PYTHON.toString(), "-I", "-S", "-c", CALLER);
    }

    private static Map<String, Integer> answers(List<String> command, List<String> lines)
            throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(String.join("\n", lines) + "\n");
        }
        var said = process.inputReader(StandardCharsets.UTF_8).readAllLines();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(said).as(command.toString()).hasSameSizeAs(lines);
        var answers = new HashMap<String, Integer>();
        for (var index = 0; index < lines.size(); index++) {
            answers.put(lines.get(index), Integer.parseInt(said.get(index)));
        }
        return answers;
    }

    static List<SystemCall> refused() {
        var calls = new ArrayList<>(REFUSED);
        calls.removeIf(call -> number(call) < 0);
        return calls;
    }

    @ParameterizedTest
    @MethodSource("refused")
    void refusesACall(SystemCall call) {
        ANSWERS.forEach((purpose, errors) -> assertThat(errors.get(wrong(call)))
                .as("%s of %s", call, purpose)
                .isIn(EPERM, EACCES, ENOSYS));
    }

    @ParameterizedTest
    @MethodSource("refusedByArguments")
    void refusesACall_thatReachesOthers(String call) {
        ANSWERS.forEach((purpose, errors) ->
                assertThat(errors.get(call)).as("%s of %s", call, purpose).isIn(EPERM, EACCES));
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void allowsACall_thatReachesTheCallerOnly(String call) {
        ANSWERS.forEach((purpose, errors) ->
                assertThat(errors.get(call)).as("%s of %s", call, purpose).isZero());
    }

    /** New kernels add calls: unknown numbers are treated as missing calls. */
    @Test
    void treatsCallsNewerThanTheFilterAsMissing() {
        ANSWERS.forEach((purpose, errors) -> assertThat(newer())
                .allSatisfy(number -> assertThat(errors.get(number + "," + WRONG))
                        .as("%d of %s", number, purpose)
                        .isEqualTo(ENOSYS)));
    }

    /** The same calls without a filter show that the test above would notice a missing filter. */
    @Test
    void wouldNoticeAMissingFilter() throws Exception {
        var lines = List.of(wrong(SystemCall.SHMCTL), wrong(SystemCall.SPLICE), wrong(SystemCall.INOTIFY_ADD_WATCH));

        assertThat(answers(interpreter(), lines).values()).doesNotContain(EPERM, EACCES, ENOSYS, 0);
    }

    /** Reads the status of the process from outside: no sandboxed process has a capability, even if this server has some. */
    @ParameterizedTest
    @EnumSource(ProcessPurpose.class)
    void hasNoCapability_andMayGetNone(ProcessPurpose purpose) throws Exception {
        var closed = Files.createDirectories(root.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        var libraries = files().run();

        for (var grants : List.of(files(), new FileGrants(List.of(closed), libraries, List.of()))) {
            var status = status(purpose, grants);

            for (var set : List.of("CapInh", "CapPrm", "CapEff", "CapAmb")) {
                assertThat(status.get(set)).as("%s of %s", set, purpose).isEqualTo("0000000000000000");
            }
            if (isolation.inForce().accounts() == EffectiveIsolation.Accounts.SEPARATE) {
                assertThat(status.get("CapBnd")).isEqualTo("0000000000000000");
                assertThat(status.get("Groups")).isNullOrEmpty();
            }
            assertThat(status.get("NoNewPrivs")).isEqualTo("1");
            assertThat(status.get("Seccomp")).isEqualTo("2");
        }
    }

    private static Map<String, String> status(ProcessPurpose purpose, FileGrants grants) throws Exception {
        var command = isolation.command(
                purpose, grants, List.of(PYTHON.toString(), "-I", "-S", "-c", "print('begun', flush=True); input()"));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (var said = process.inputReader()) {
            assertThat(said.readLine()).isEqualTo("begun");
            var status = new HashMap<String, String>();
            for (var line : Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status"))) {
                var parts = line.split(":", 2);
                status.put(parts[0], parts[1].strip());
            }
            return status;
        } finally {
            process.destroyForcibly();
        }
    }

    /** Limits are set before the program begins, as part of the launch program. */
    @ParameterizedTest
    @ValueSource(longs = {1L << 28, 1L << 29})
    void setsLimits_beforeTheProgramBegins(long addressBytes) throws Exception {
        var limits = new ProcessLimits(
                OptionalLong.of(addressBytes), OptionalLong.of(9), OptionalLong.of(4096), OptionalLong.of(33));
        var script = "import resource as r; print([r.getrlimit(k)[1] for k in"
                + " (r.RLIMIT_AS, r.RLIMIT_CPU, r.RLIMIT_FSIZE, r.RLIMIT_NOFILE, r.RLIMIT_CORE)])";
        var words = List.of(PYTHON.toString(), "-I", "-S", "-c", script);

        for (var command :
                List.of(isolation.command(ProcessPurpose.PYTHON, files(), limits, words), limits.byShell(words))) {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();

            assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo("[" + addressBytes + ", 9, 4096, 33, 0]");
        }
    }
}
