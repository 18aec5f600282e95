package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts the kernel's isolation around processes that run untrusted code: a separate user if this server is root, Landlock for files
 * and signals, a filter of system calls. Mechanisms that the kernel does not grant are left out and logged.
 *
 * <p>The first command probes the granted permissions, which takes some milliseconds; all methods block.
 */
public final class Isolation {
    /**
     * Settings of the operator.
     *
     * @param directory of the launch programs; only this server may enter it
     * @param codeUser number of the user that code of users runs as, if this server is root
     * @param pieceUser number of the user that npm pieces run as, if this server is root
     * @param users number of users of which each process has a different one, if this server is root; 0 for none
     * @param firstUser number of the first of these users
     * @param processorsLeft number of processors that long computations leave free for other processes, if the host has more
     */
    public record Settings(Path directory, int codeUser, int pieceUser, int users, int firstUser, int processorsLeft) {
        private static final int PROCESSORS_LEFT = 1;
        private static final int USERS = 256;
        private static final int FIRST_USER = 60_600;

        public Settings(Path directory, int codeUser, int pieceUser) {
            this(directory, codeUser, pieceUser, USERS, FIRST_USER, PROCESSORS_LEFT);
        }

        /** Settings with user numbers that no system assigns. */
        public static Settings of(Path directory) {
            return new Settings(directory, 65_521, 65_522);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(Isolation.class);

    private static final Map<PosixFilePermission, PosixFilePermission> OWNER_TO_GROUP = Map.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.GROUP_READ,
            PosixFilePermission.OWNER_WRITE, PosixFilePermission.GROUP_WRITE,
            PosixFilePermission.OWNER_EXECUTE, PosixFilePermission.GROUP_EXECUTE);

    private static final Path COUNTERS = Path.of("/proc/vmstat");

    private final Settings settings;
    private final Path counters;
    private final Map<List<Object>, Path> programs = new ConcurrentHashMap<>();

    /** Paths that a separate account cannot read, each with the purpose that found it first. */
    private final Map<Path, ProcessPurpose> closed = new ConcurrentHashMap<>();

    private final ProcessUsers users;
    private final AtomicBoolean isShortage = new AtomicBoolean();

    private EffectiveIsolation inForce;

    private boolean hasUsers;

    public Isolation(Settings settings) {
        this(settings, COUNTERS);
    }

    /** @param counters file with the kernel's count of processes killed for lack of memory */
    public Isolation(Settings settings, Path counters) {
        this.counters = counters;
        this.settings = new Settings(
                settings.directory().toAbsolutePath(),
                settings.codeUser(),
                settings.pieceUser(),
                settings.users(),
                settings.firstUser(),
                settings.processorsLeft());
        this.users = new ProcessUsers(settings.firstUser(), settings.users());
    }

    /** Isolation in force on this host; determined and logged at the first call. */
    public synchronized EffectiveIsolation inForce() {
        if (inForce == null) {
            var trial = new Trial(settings.directory());
            inForce = trial.findOut(settings.codeUser());
            hasUsers = isSeparate(inForce)
                    && users.last().isPresent()
                    && trial.allows(
                            inForce, new ProcessAccount.Other(users.last().getAsInt(), settings.codeUser()));
            if (isSeparate(inForce) && users.last().isPresent() && !hasUsers) {
                LOG.warn(
                        "processes of pieces and code share users: the kernel has no user {} here; set AP_PROCESS_UID_FIRST"
                                + " to the first of {} numbers that it has",
                        users.last().getAsInt(),
                        settings.users());
            }
            if (inForce.confinesSignals()) {
                LOG.info("processes of pieces and code: {}", inForce.description());
            } else {
                LOG.warn("processes of pieces and code could kill this server: {}", inForce.description());
            }
            if (!inForce.confinesNetwork()) {
                LOG.warn("npm pieces and code in Node.js: {}", inForce.networkDescription());
            }
        }
        return inForce;
    }

    /** Starts a process that runs code, on a thread of the operating system. */
    public Process start(ProcessBuilder process) throws IOException {
        return ProcessPriority.start(process, settings.processorsLeft());
    }

    /** Observes the kernel's out-of-memory kills from now on. Blocks. */
    public MemoryKills memoryKills() {
        return MemoryKills.fromNow(counters);
    }

    public ProcessPriority priorityOf(ProcessHandle process) {
        return new ProcessPriority(process, settings.processorsLeft());
    }

    /**
     * Command line for an isolated process.
     *
     * @param words command; the first one is the absolute path of a program
     */
    public List<String> command(ProcessPurpose purpose, FileGrants grants, List<String> words) throws IOException {
        return command(purpose, grants, ProcessLimits.INHERITED, Optional.empty(), words);
    }

    public List<String> command(ProcessPurpose purpose, FileGrants grants, ProcessLimits limits, List<String> words)
            throws IOException {
        return command(purpose, grants, limits, Optional.empty(), words);
    }

    public List<String> command(
            ProcessPurpose purpose, FileGrants grants, Optional<LaunchChannel> channel, List<String> words)
            throws IOException {
        return command(purpose, grants, ProcessLimits.INHERITED, channel, words);
    }

    /**
     * Command line of a process with a channel to this server; without a channel if no isolation is in force.
     *
     * @param words command; the first one is the absolute path of a program
     */
    public List<String> command(
            ProcessPurpose purpose,
            FileGrants grants,
            ProcessLimits limits,
            Optional<LaunchChannel> channel,
            List<String> words)
            throws IOException {
        return command(purpose, ProcessUser.shared(user(purpose)), grants, limits, channel, words);
    }

    /**
     * Command line of a process as a user of its own.
     *
     * @param user of {@link #userFor}
     */
    public List<String> command(
            ProcessPurpose purpose,
            ProcessUser user,
            FileGrants grants,
            ProcessLimits limits,
            Optional<LaunchChannel> channel,
            List<String> words)
            throws IOException {
        var means = inForce();
        if (means.isNothing()) {
            return limits.byShell(words);
        }
        var granted = new FileGrants(grants.read(), withProgram(grants.run(), words), grants.write());
        var rules =
                means.landlockLevel() > 0 ? FileRights.of(granted, means.landlockLevel()) : List.<FileRights.Rule>of();
        var account = accountFor(purpose, user, granted);
        var command = new ArrayList<String>();
        command.add(program(purpose, rules, limits, channel.map(LaunchChannel::socket), account)
                .toString());
        rules.forEach(rule -> command.add(rule.path().toString()));
        channel.map(LaunchChannel::token).ifPresent(command::add);
        command.addAll(words);
        return command;
    }

    private static List<Path> withProgram(List<Path> run, List<String> words) throws IOException {
        var all = new ArrayList<>(run);
        all.add(Path.of(words.getFirst()).toRealPath());
        return all;
    }

    /** One program for all commands with the same kinds of rights: only the paths differ. */
    private Path program(
            ProcessPurpose purpose,
            List<FileRights.Rule> rules,
            ProcessLimits limits,
            Optional<Path> channel,
            ProcessAccount account)
            throws IOException {
        var kind = List.<Object>of(
                purpose, rules.stream().map(FileRights.Rule::rights).toList(), limits, channel, account);
        var known = programs.get(kind);
        if (known != null && Files.exists(known)) {
            return known;
        }
        var file = new Trial(settings.directory()).program(purpose, inForce(), rules, limits, channel, account);
        programs.put(kind, file);
        return file;
    }

    /**
     * Takes a user that no other process has, where the server is root and has one left; else the user of the purpose. The group is
     * that of the purpose, which may read its files. The caller releases it.
     */
    public ProcessUser userFor(ProcessPurpose purpose) {
        var group = user(purpose);
        inForce();
        if (!hasUsers) {
            return ProcessUser.shared(group);
        }
        var number = users.take();
        if (number.isPresent()) {
            var taken = number.getAsInt();
            return new ProcessUser(taken, group, () -> users.giveBack(taken));
        }
        if (isShortage.compareAndSet(false, true)) {
            LOG.warn(
                    "there are more processes of pieces and code than users: further ones share user {}; raise"
                            + " AP_PROCESS_UIDS",
                    group);
        }
        return ProcessUser.shared(group);
    }

    private ProcessAccount accountFor(ProcessPurpose purpose, ProcessUser user, FileGrants grants) {
        return switch (inForce().accounts()) {
            case OWN -> new ProcessAccount.Own();
            case POWERLESS -> new ProcessAccount.Powerless();
            case SEPARATE -> {
                var closed = new FileAccessCheck(user.number(), user.group()).firstClosed(grants);
                closed.ifPresent(path -> warnOfClosed(purpose, path));
                yield closed.isEmpty()
                        ? new ProcessAccount.Other(user.number(), user.group())
                        : new ProcessAccount.Powerless();
            }
        };
    }

    private void warnOfClosed(ProcessPurpose purpose, Path path) {
        if (closed.putIfAbsent(path, purpose) == null) {
            LOG.warn(
                    "processes for {} run as root without its capabilities: user {} cannot read {};"
                            + " allow access to its parent directories (chmod o+x) or move it",
                    purpose,
                    user(purpose),
                    path);
        }
    }

    private int user(ProcessPurpose purpose) {
        return purpose.isOfCode() ? settings.codeUser() : settings.pieceUser();
    }

    private boolean isSeparate() {
        return isSeparate(inForce());
    }

    private static boolean isSeparate(EffectiveIsolation means) {
        return means.accounts() == EffectiveIsolation.Accounts.SEPARATE;
    }

    /** Makes a directory that only processes of a purpose, and this server, may enter; its content stays the server's. */
    public void open(ProcessPurpose purpose, Path directory) throws IOException {
        Files.createDirectories(directory);
        if (isSeparate()) {
            Files.setAttribute(directory, "unix:gid", user(purpose), LinkOption.NOFOLLOW_LINKS);
        }
        Files.setPosixFilePermissions(
                directory, PosixFilePermissions.fromString(isSeparate() ? "rwxr-x---" : "rwx------"));
    }

    /** Makes a directory that processes of a purpose may write to. */
    public void lend(ProcessPurpose purpose, Path directory) throws IOException {
        lend(ProcessUser.shared(user(purpose)), directory);
    }

    public void lend(ProcessUser user, Path directory) throws IOException {
        Files.createDirectories(directory);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        give(user, directory);
    }

    /**
     * Makes a user the owner of a file or directory; its content keeps its owners. The group is that of root: a process that runs
     * as root has no capability, and so needs permissions like any other.
     */
    public void give(ProcessUser user, Path path) throws IOException {
        if (isSeparate()) {
            var permissions = Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
            OWNER_TO_GROUP.forEach((owner, group) -> {
                if (permissions.contains(owner)) {
                    permissions.add(group);
                }
            });
            Files.setAttribute(path, "unix:gid", 0, LinkOption.NOFOLLOW_LINKS);
            Files.setPosixFilePermissions(path, permissions);
            Files.setAttribute(path, "unix:uid", user.number(), LinkOption.NOFOLLOW_LINKS);
        }
    }

    /** Takes a tree back: every user may read it, only this server may change it. */
    public void takeBack(Path tree) throws IOException {
        try (var paths = Files.walk(tree)) {
            for (var path : (Iterable<Path>) paths::iterator) {
                if (isSeparate()) {
                    Files.setAttribute(path, "unix:uid", 0, LinkOption.NOFOLLOW_LINKS);
                    Files.setAttribute(path, "unix:gid", 0, LinkOption.NOFOLLOW_LINKS);
                }
                // A link has no permissions itself, and those of its target must not change.
                if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
                } else if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-r--r--"));
                }
            }
        }
    }
}
