package io.millrace.sandbox.isolation;

import io.millrace.sandbox.isolation.FileRights.Rule;
import io.millrace.sandbox.isolation.LaunchStep.Failure;
import io.millrace.sandbox.isolation.LaunchStep.Operand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Steps by which a process drops its rights before it executes its command. The out-of-memory score is first; then files, because
 * this server's user resolves the paths; then the user; the filter is last, because it refuses most of the calls before it.
 */
final class LaunchSteps {
    /** Exit statuses, one for each step that the kernel may refuse. */
    static final int NO_PRIVILEGES = 119;

    static final int NO_LANDLOCK = 120;
    static final int NO_ACCOUNT = 121;
    static final int NO_FILTER = 122;
    static final int NO_CHANNEL = 123;
    private static final int NO_COMMAND = 126;

    private static final Failure IGNORE = new Failure.Skip(0);

    private static final int PR_CAPBSET_DROP = 24;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int PR_CAP_AMBIENT = 47;
    private static final int PR_CAP_AMBIENT_CLEAR_ALL = 4;
    private static final int CAPABILITY_VERSION = 0x20080522;
    private static final int CAPABILITIES_MAX = 63;

    private static final int CLONE_NEWIPC = 0x08000000;

    private static final int AT_FDCWD = -100;
    private static final int O_PATH = 0x200000;
    private static final int O_CLOEXEC = 0x80000;

    private static final int O_WRONLY = 1;

    /** Out-of-memory score of a process: the kernel kills processes with a higher score first (proc_pid_oom_score_adj(5)). */
    private static final String MEMORY_CLAIM = "/proc/self/oom_score_adj";

    /** Highest score: this process is killed first. */
    private static final String FIRST_TO_END = "1000";

    /** First of the descriptors that are closed at the start, so that descriptors opened later have known numbers. */
    private static final int FIRST_OPENED = 3;

    private static final long ALL = 0xFFFFFFFFL;
    private static final int LANDLOCK_RULE_PATH_BENEATH = 1;
    private static final int SECCOMP_SET_MODE_FILTER = 1;
    private static final int AF_UNIX = 1;
    private static final int SOCK_STREAM = 1;

    /** Landlock's rights to bind and to connect TCP sockets. */
    private static final int ALL_TCP = 3;

    /** Signals, and sockets with names outside of the file system, stay among the processes of one start. */
    private static final int SCOPED = 3;

    private static final int LEVEL_WITH_NETWORK = 4;
    private static final int LEVEL_WITH_SIGNALS = 6;

    private final List<LaunchStep> steps = new ArrayList<>();

    /** The descriptors that are opened for Landlock: the ruleset, and beneath it one path after the other. */
    private final int rules;

    private final int opened;

    private LaunchSteps(boolean hasChannel) {
        this.rules = FIRST_OPENED + (hasChannel ? 1 : 0);
        this.opened = rules + 1;
    }

    /**
     * Steps of a launch program. On the command line, the command follows the paths of the rules, and the token if there is a
     * channel.
     *
     * @param landlockLevel 0 for none
     * @param given rules whose paths are on the command line
     * @param limits resource limits of the process and its program
     * @param channel path of the server's socket; empty for a process without a channel
     * @param filter instructions of the filter; empty for none
     */
    static List<LaunchStep> of(
            int landlockLevel,
            List<Rule> ofSystem,
            List<Rule> given,
            ProcessLimits limits,
            Optional<Path> channel,
            ProcessAccount account,
            byte[] filter) {
        var list = new LaunchSteps(channel.isPresent());
        list.add(SystemCall.PRCTL, new Failure.End(NO_PRIVILEGES), PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        list.add(SystemCall.CLOSE_RANGE, IGNORE, FIRST_OPENED, ALL, 0);
        // System V memory and queues are removed with the process, if this server may create a namespace for them.
        list.add(SystemCall.UNSHARE, IGNORE, CLONE_NEWIPC);
        list.endFirst();
        channel.ifPresent(socket -> list.open(socket, 1 + given.size()));
        list.limit(limits);
        if (landlockLevel > 0) {
            list.confineFiles(landlockLevel, ofSystem, given);
        }
        list.become(account);
        if (filter.length > 0) {
            list.filter(filter);
        }
        var command = 1 + given.size() + (channel.isPresent() ? 1 : 0);
        list.add(
                SystemCall.EXECVE,
                new Failure.End(NO_COMMAND),
                List.of(new Operand.Word(command), new Operand.WordsFrom(command), new Operand.Environment()));
        return list.steps;
    }

    /** Makes the kernel kill this process first when memory runs out, before the server or its database. */
    private void endFirst() {
        add(
                SystemCall.OPENAT,
                new Failure.Skip(2),
                List.of(number(AT_FDCWD), bytes(text(MEMORY_CLAIM)), number(O_WRONLY | O_CLOEXEC), number(0)));
        add(
                SystemCall.WRITE,
                IGNORE,
                List.of(number(FIRST_OPENED), bytes(text(FIRST_TO_END)), number(FIRST_TO_END.length())));
        add(SystemCall.CLOSE, IGNORE, FIRST_OPENED);
    }

    private void open(Path socket, int token) {
        add(SystemCall.SOCKET, new Failure.End(NO_CHANNEL), AF_UNIX, SOCK_STREAM, 0);
        var path = text(socket.toString());
        var address = ByteBuffer.allocate(Short.BYTES + path.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) AF_UNIX)
                .put(path)
                .array();
        add(
                SystemCall.CONNECT,
                new Failure.End(NO_CHANNEL),
                List.of(number(LaunchChannel.DESCRIPTOR), bytes(address), number(address.length)));
        add(
                SystemCall.WRITE,
                new Failure.End(NO_CHANNEL),
                List.of(number(LaunchChannel.DESCRIPTOR), new Operand.Word(token), number(LaunchChannel.TOKEN_LENGTH)));
    }

    private void confineFiles(int level, List<Rule> ofSystem, List<Rule> given) {
        var wanted = attributes(level);
        add(
                SystemCall.LANDLOCK_CREATE_RULESET,
                new Failure.End(NO_LANDLOCK),
                List.of(bytes(wanted), number(wanted.length), number(0)));
        ofSystem.stream()
                .filter(rule -> !isOfOwnProcess(rule))
                .forEach(rule -> rule(rule, bytes(text(rule.path().toString())), O_CLOEXEC));
        for (var index = 0; index < given.size(); index++) {
            rule(given.get(index), new Operand.Word(1 + index), O_CLOEXEC);
        }
        // The last rule: its descriptor stays open.
        ofSystem.stream()
                .filter(LaunchSteps::isOfOwnProcess)
                .forEach(rule -> rule(rule, bytes(text(rule.path().toString())), 0));
        add(SystemCall.LANDLOCK_RESTRICT_SELF, new Failure.End(NO_LANDLOCK), rules, 0);
        add(SystemCall.CLOSE, IGNORE, rules);
    }

    private static byte[] attributes(int level) {
        var bytes = ByteBuffer.allocate(level >= LEVEL_WITH_SIGNALS ? 24 : level >= LEVEL_WITH_NETWORK ? 16 : 8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(FileRights.handled(level));
        if (level >= LEVEL_WITH_NETWORK) {
            bytes.putLong(ALL_TCP);
        }
        if (level >= LEVEL_WITH_SIGNALS) {
            bytes.putLong(SCOPED);
        }
        return bytes.array();
    }

    private static boolean isOfOwnProcess(Rule rule) {
        return rule.path().equals(FileRights.OWN_PROCESS);
    }

    /** Sets a limit. The kernel refuses only if a lower limit is in force that cannot be raised. */
    private void limit(ProcessLimits limits) {
        for (var limit : limits.list()) {
            var softAndHard = ByteBuffer.allocate(2 * Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(limit.most())
                    .putLong(limit.most())
                    .array();
            add(
                    SystemCall.PRLIMIT64,
                    IGNORE,
                    List.of(number(0), number(limit.resource()), bytes(softAndHard), number(0)));
        }
    }

    /** @param closing O_CLOEXEC, or 0 for a descriptor that the program keeps */
    private void rule(Rule rule, Operand path, int closing) {
        var parent = ByteBuffer.allocate(12)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(rule.rights())
                .putInt(opened)
                .array();
        add(
                SystemCall.OPENAT,
                new Failure.Skip(2),
                List.of(number(AT_FDCWD), path, number(O_PATH | closing), number(0)));
        add(
                SystemCall.LANDLOCK_ADD_RULE,
                new Failure.End(NO_LANDLOCK),
                List.of(number(rules), number(LANDLOCK_RULE_PATH_BENEATH), bytes(parent), number(0)));
        if (closing != 0) {
            add(SystemCall.CLOSE, IGNORE, opened);
        }
    }

    /** Changes the account and drops all capabilities, those of this server and those inherited from its service manager. */
    private void become(ProcessAccount account) {
        dropBounds();
        if (account instanceof ProcessAccount.Other(var user, var group)) {
            add(SystemCall.SETGROUPS, new Failure.End(NO_ACCOUNT), 0, 0);
            add(SystemCall.SETRESGID, new Failure.End(NO_ACCOUNT), group, group, group);
            add(SystemCall.SETRESUID, new Failure.End(NO_ACCOUNT), user, user, user);
        }
        add(SystemCall.PRCTL, IGNORE, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
        dropCapabilities();
    }

    /**
     * Drops capabilities from the bounding set, so that no program regains them; if the kernel refuses, the process has
     * none to drop.
     */
    private void dropBounds() {
        for (var capability = 0; capability <= CAPABILITIES_MAX; capability++) {
            add(SystemCall.PRCTL, IGNORE, PR_CAPBSET_DROP, capability, 0, 0, 0);
        }
    }

    private void dropCapabilities() {
        var header = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putInt(CAPABILITY_VERSION);
        add(SystemCall.CAPSET, new Failure.End(NO_ACCOUNT), List.of(bytes(header.array()), bytes(new byte[24])));
    }

    /** Loads the filter: its address is in a structure with its length and is known after the structure is placed. */
    private void filter(byte[] instructions) {
        add(
                SystemCall.SECCOMP,
                new Failure.End(NO_FILTER),
                List.of(
                        number(SECCOMP_SET_MODE_FILTER),
                        number(0),
                        new Operand.Counted(ByteBuffer.wrap(instructions), instructions.length / 8)));
    }

    private void add(SystemCall call, Failure failure, long... numbers) {
        var operands = new ArrayList<Operand>();
        for (var value : numbers) {
            operands.add(number(value));
        }
        add(call, failure, operands);
    }

    private void add(SystemCall call, Failure failure, List<Operand> operands) {
        steps.add(new LaunchStep(call, List.copyOf(operands), failure));
    }

    private static Operand number(long value) {
        return new Operand.Constant(value);
    }

    private static Operand bytes(byte[] content) {
        return new Operand.Bytes(ByteBuffer.wrap(content));
    }

    private static byte[] text(String text) {
        return (text + '\0').getBytes(StandardCharsets.UTF_8);
    }
}
