package io.millrace.sandbox.isolation;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * File access rights of a process under the kernel's Landlock (landlock(7)): only listed paths are accessible. Each level of
 * Landlock knows more rights; a kernel rejects rights that it does not know. Landlock does not hide names: a process that knows a
 * path can still read its size, owner and times (stat(2)).
 */
final class FileRights {
    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_DIR = 1 << 3;
    private static final long TRUNCATE = 1 << 14;
    private static final long IOCTL_DEV = 1 << 15;
    private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;
    private static final long MAKE_CHAR = 1 << 6;
    private static final long MAKE_SOCK = 1 << 9;
    private static final long MAKE_FIFO = 1 << 10;
    private static final long MAKE_BLOCK = 1 << 11;

    private static final long READ = READ_FILE | READ_DIR;
    private static final long RUN = READ | EXECUTE;

    /** Landlock levels that add rights for files, each with the bits of all rights up to it. */
    private static final Map<Integer, Integer> BITS = Map.of(1, 13, 2, 14, 3, 15, 4, 15, 5, 16, 6, 16);

    /**
     * Directory of the process in /proc. Its rule is tied to the directory's inode, which the kernel recreates after a
     * cache eviction, so {@link LaunchSteps} leaves a descriptor open that keeps the entry.
     */
    static final Path OWN_PROCESS = Path.of("/proc/self");

    private static final SystemFiles NONE = new SystemFiles(List.of(), List.of(), List.of());

    /**
     * Files of the operating system that a purpose needs.
     *
     * @param run programs and libraries
     * @param read files, and directories that may be listed
     * @param readUnlisted directories whose files may be read and not listed
     */
    private record SystemFiles(List<String> run, List<String> read, List<String> readUnlisted) {
        SystemFiles and(SystemFiles more) {
            return new SystemFiles(
                    joined(run, more.run), joined(read, more.read), joined(readUnlisted, more.readUnlisted));
        }

        private static List<String> joined(List<String> first, List<String> second) {
            return Stream.concat(first.stream(), second.stream()).toList();
        }
    }

    /** The dynamic loader and its libraries: needed by every program except the compiler, which is static. */
    private static final SystemFiles LIBRARIES = new SystemFiles(
            List.of("/lib", "/lib64", "/lib32", "/usr/lib", "/usr/lib64", "/usr/lib32", "/nix/store"),
            // Where the loader finds a library by its name: of glibc, and of musl on two families of processors.
            List.of("/etc/ld.so.cache", "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path"),
            List.of());

    /** Random numbers and the time zone: the engines of all languages. */
    private static final SystemFiles BASICS = new SystemFiles(
            List.of(),
            List.of(
                    "/dev/urandom",
                    "/dev/random",
                    "/dev/zero",
                    "/etc/localtime",
                    "/etc/timezone",
                    "/usr/share/zoneinfo"),
            List.of());

    /** Programs that start a process with lower priority and in a new session (ProcessPriority). */
    private static final SystemFiles STARTERS =
            new SystemFiles(List.of("/usr/bin/nice", "/usr/bin/setsid"), List.of(), List.of());

    /** The first line of the package manager's program names these. */
    private static final SystemFiles INTERPRETERS =
            new SystemFiles(List.of("/usr/bin/env", "/bin/sh"), List.of(), List.of());

    /** Memory and processors, by which the JVM and Node.js choose the sizes of heaps and thread pools. */
    private static final SystemFiles MACHINE = new SystemFiles(
            List.of(),
            List.of(
                    "/sys/devices/system/cpu",
                    "/sys/devices/system/node",
                    "/sys/kernel/mm/transparent_hugepage",
                    "/sys/kernel/mm/hugepages",
                    "/proc/meminfo",
                    "/proc/cpuinfo",
                    "/proc/stat",
                    "/proc/uptime",
                    "/proc/loadavg",
                    "/proc/cgroups",
                    "/proc/sys/vm/overcommit_memory",
                    "/proc/sys/vm/max_map_count",
                    // Memory of the process itself, and the names of its control groups.
                    OWN_PROCESS.toString()),
            // Limits of the process's control groups. A list of them would name all services of the host.
            List.of("/sys/fs/cgroup"));

    /** Settings of the JVM as distributions install them: links in its directory lead there. */
    private static final SystemFiles JAVA_SETTINGS =
            new SystemFiles(List.of(), List.of("/etc/java", "/etc/crypto-policies/back-ends/java.config"), List.of());

    private static final String JAVA_SETTINGS_OF_RELEASES = "java-*";

    /** Modules that distributions take out of Node.js, and the settings of its cryptography. */
    private static final SystemFiles NODE_SETTINGS = new SystemFiles(
            List.of(),
            List.of("/usr/share/nodejs", "/usr/share/node_modules", "/etc/ssl/openssl.cnf", "/etc/pki/tls/openssl.cnf"),
            List.of());

    /** Certificates of authorities, and the targets of links in their directories. These directories hold no private keys. */
    private static final SystemFiles CERTIFICATES = new SystemFiles(
            List.of(),
            List.of(
                    "/etc/ssl/certs",
                    "/etc/ssl/cert.pem",
                    "/usr/share/ca-certificates",
                    "/usr/local/share/ca-certificates",
                    "/etc/pki/tls/certs",
                    "/etc/pki/tls/cert.pem",
                    "/etc/pki/ca-trust/extracted",
                    "/etc/ca-certificates/extracted",
                    "/var/lib/ca-certificates"),
            List.of());

    private static final SystemFiles NAMES = new SystemFiles(
            List.of(),
            List.of(
                    "/etc/resolv.conf",
                    "/etc/hosts",
                    "/etc/nsswitch.conf",
                    "/etc/host.conf",
                    "/etc/gai.conf",
                    "/etc/services",
                    "/etc/protocols"),
            List.of());

    /** Programs open it for input and output that they do not have. */
    private static final Path NOTHING = Path.of("/dev/null");

    /** A path and the rights for it and everything below it. */
    record Rule(Path path, long rights) {}

    private FileRights() {}

    static long handled(int level) {
        return (1L << BITS.get(level)) - 1;
    }

    /** Rules for the existing files of the operating system. */
    static List<Rule> ofSystem(ProcessPurpose purpose, int level) {
        var files = filesFor(purpose);
        var rules = new ArrayList<Rule>();
        files.run().forEach(path -> add(rules, Path.of(path), RUN, level));
        files.read().forEach(path -> add(rules, Path.of(path), READ, level));
        files.readUnlisted().forEach(path -> add(rules, Path.of(path), READ_FILE, level));
        if (purpose == ProcessPurpose.CODE) {
            ofReleases().forEach(path -> add(rules, path, READ, level));
        }
        add(rules, NOTHING, READ | WRITE_FILE, level);
        return rules;
    }

    private static SystemFiles filesFor(ProcessPurpose purpose) {
        return switch (purpose) {
            case COMPILER -> NONE;
            case PYTHON -> LIBRARIES.and(BASICS).and(STARTERS);
            case CODE -> LIBRARIES.and(BASICS).and(MACHINE).and(JAVA_SETTINGS);
            case PIECE -> ofNode().and(STARTERS);
            case INSTALL -> ofNode().and(INTERPRETERS);
        };
    }

    private static SystemFiles ofNode() {
        return LIBRARIES
                .and(BASICS)
                .and(MACHINE)
                .and(NODE_SETTINGS)
                .and(CERTIFICATES)
                .and(NAMES);
    }

    /** Settings directories of the Java releases: Debian has one for each. */
    private static List<Path> ofReleases() {
        var found = new ArrayList<Path>();
        try (var directories = Files.newDirectoryStream(Path.of("/etc"), JAVA_SETTINGS_OF_RELEASES)) {
            directories.forEach(found::add);
        } catch (IOException | DirectoryIteratorException unreadable) {
            // A host whose /etc cannot be listed has no such package either; the JVM reports a missing file.
            return List.of();
        }
        found.sort(null);
        return found;
    }

    /** Rules for the granted files, in the order read, run, write; including paths that do not exist. */
    static List<Rule> of(FileGrants grants, int level) {
        var rules = new ArrayList<Rule>();
        grants.read().forEach(path -> rules.add(rule(path, READ, level)));
        grants.run().forEach(path -> rules.add(rule(path, RUN, level)));
        grants.write().forEach(path -> rules.add(rule(path, writing(level), level)));
        return rules;
    }

    /** Write rights, except for programs, devices, sockets and pipes. */
    private static long writing(int level) {
        return handled(level) & ~(EXECUTE | IOCTL_DEV | MAKE_CHAR | MAKE_SOCK | MAKE_FIFO | MAKE_BLOCK);
    }

    private static void add(List<Rule> rules, Path path, long rights, int level) {
        if (Files.exists(path)) {
            rules.add(rule(path, rights, level));
        }
    }

    private static Rule rule(Path path, long rights, int level) {
        var ofKind = Files.isDirectory(path) ? rights : rights & OF_FILES;
        return new Rule(path, ofKind & handled(level));
    }
}
