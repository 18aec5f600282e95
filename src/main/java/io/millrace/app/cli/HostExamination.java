package io.millrace.app.cli;

import io.millrace.app.ProcessLimit;
import io.millrace.base.config.Config;
import io.millrace.base.persistence.postgres.FileTrees;
import io.millrace.base.persistence.postgres.LogSpool;
import io.millrace.sandbox.isolation.Isolation;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

final class HostExamination {
    private static final long MEGABYTE = 1 << 20;

    /** Below it an embedded database does not start. */
    private static final long ROOM_MB_MIN = 32;

    private static final long ROOM_MB_GOOD = 1_024;
    private static final int SEGMENTS_WAITING_MAX = 10;
    private static final int ANSWER_MS = 3_000;

    private static final Set<PosixFilePermission> OF_OTHERS = PosixFilePermissions.fromString("---rwxrwx");
    private static final Set<PosixFilePermission> READ_OR_WRITTEN_BY_OTHERS =
            PosixFilePermissions.fromString("---rw-rw-");

    /** Files that give access to every secret. */
    private static final List<String> SECRET_FILES = List.of("server-secrets.json", "postgres/password");

    private final Config config;
    private final Path directory;

    HostExamination(Config config) {
        this.config = config;
        this.directory = config.storage().data().directory();
    }

    List<Finding> findings() {
        var findings = new ArrayList<Finding>();
        try {
            if (Files.isDirectory(directory)) {
                files(findings);
                room(findings);
                isolation(findings);
                log(findings);
            } else {
                findings.add(Finding.warning(
                        "data", directory + " does not exist", "the first start of the server creates it"));
            }
            port(findings);
            findings.add(processes(ProcessLimit.allowed()));
        } catch (IOException unreadable) {
            findings.add(Finding.problem(
                    "data",
                    directory + " cannot be examined: " + unreadable,
                    "run the command as the user of the server"));
        }
        return findings;
    }

    private void files(List<Finding> findings) throws IOException {
        if (!Files.isWritable(directory)) {
            findings.add(Finding.problem(
                    "data", directory + " cannot be written to", "make the user of the server its owner"));
        }
        var before = findings.size();
        if (overlaps(directory, READ_OR_WRITTEN_BY_OTHERS)) {
            findings.add(Finding.warning(
                    "secrets", "other users may list or change " + directory, "chmod 700 " + directory));
        }
        for (var name : SECRET_FILES) {
            var file = directory.resolve(name);
            if (Files.exists(file) && overlaps(file, OF_OTHERS)) {
                findings.add(Finding.problem("secrets", "other users may read " + file, "chmod 600 " + file));
            }
        }
        if (findings.size() == before) {
            findings.add(Finding.ok("secrets", "not accessible to other users"));
        }
        try (Stream<Path> entries = Files.list(directory)) {
            entries.filter(entry -> entry.getFileName().toString().startsWith("restore-"))
                    .forEach(left -> findings.add(Finding.warning(
                            "orphans",
                            left + " is left of a restore that was killed",
                            "delete it, if no restore is running")));
        }
    }

    /** @param allowed limit of processes and threads; empty if unlimited */
    static Finding processes(Optional<Long> allowed) {
        var found = allowed.map(limit -> limit + " processes and threads are allowed")
                .orElse("no limit");
        var advice = "raise ulimit -u, TasksMax of systemd, or --pids-limit of the container: ";
        if (allowed.orElse(Long.MAX_VALUE) < ProcessLimit.NEEDED) {
            return Finding.problem("processes", found, advice + "a start needs " + ProcessLimit.NEEDED);
        }
        if (allowed.orElse(Long.MAX_VALUE) < ProcessLimit.NEEDED_WITH_CODE) {
            return Finding.warning(
                    "processes", found, advice + "with code and npm pieces it needs " + ProcessLimit.NEEDED_WITH_CODE);
        }
        return Finding.ok("processes", found);
    }

    private static boolean overlaps(Path file, Set<PosixFilePermission> permissions) throws IOException {
        return Files.getPosixFilePermissions(file).stream().anyMatch(permissions::contains);
    }

    private void room(List<Finding> findings) throws IOException {
        var left = Files.getFileStore(directory).getUsableSpace() / MEGABYTE;
        var found = left + " MB left for " + directory;
        if (left >= ROOM_MB_GOOD) {
            findings.add(Finding.ok("disk", found));
        } else if (left >= ROOM_MB_MIN) {
            findings.add(Finding.warning("disk", found, "free disk space: less than " + ROOM_MB_GOOD + " MB are left"));
        } else {
            findings.add(Finding.problem("disk", found, "free disk space: a start needs " + ROOM_MB_MIN + " MB"));
        }
    }

    /** Tests the isolation in the same place as a server: in a temporary directory of the data directory. */
    private void isolation(List<Finding> findings) throws IOException {
        var trial = Files.createTempDirectory(directory, "doctor-");
        try {
            var accounts = config.storage().data().accounts();
            var inForce = new Isolation(new Isolation.Settings(trial, accounts.code(), accounts.piece())).inForce();
            findings.add(
                    inForce.confinesSignals()
                            ? Finding.ok("isolation", inForce.description())
                            : Finding.warning(
                                    "isolation",
                                    inForce.description(),
                                    "code steps and pieces could kill the server: use Linux 6.12 or later, or start as"
                                            + " root so that they run as separate users"));
            findings.add(
                    inForce.confinesNetwork()
                            ? Finding.ok("network", "pieces and code in Node.js: " + inForce.networkDescription())
                            : Finding.warning(
                                    "network",
                                    "pieces and code in Node.js: " + inForce.networkDescription(),
                                    "allow programs in the data directory and system call filters (seccomp),"
                                            + " or set AP_NODE_REQUIRE_FENCE=true to refuse Node.js"));
        } finally {
            FileTrees.delete(trial);
        }
    }

    /** Checks the spool: segments that no archiver uploads accumulate until the disk is full. */
    private void log(List<Finding> findings) throws IOException {
        var spool = LogSpool.directory(directory);
        if (!Files.isDirectory(spool)) {
            return;
        }
        try (Stream<Path> segments = Files.list(spool)) {
            var waiting = segments.count();
            var found = waiting + " segments of the write-ahead log are not archived yet";
            findings.add(
                    waiting <= SEGMENTS_WAITING_MAX
                            ? Finding.ok("log", found)
                            : Finding.warning(
                                    "log",
                                    found,
                                    "check that a server runs and that it can write to the folder of AP_BACKUP_TARGET"));
        }
    }

    private void port(List<Finding> findings) throws IOException {
        var port = config.network().http().port();
        var place = config.network().http().host() + ":" + port;
        if (port == 0) {
            findings.add(Finding.ok("port", "the start picks a free one"));
            return;
        }
        var address = new InetSocketAddress(
                InetAddress.getByName(config.network().http().host()), port);
        if (isFree(address)) {
            findings.add(Finding.ok("port", place + " is free: no server listens"));
            return;
        }
        var answer = healthOf(address);
        findings.add(
                switch (answer) {
                    case "200" -> Finding.ok("port", "a healthy server listens on " + place);
                    case "503" ->
                        Finding.problem(
                                "port",
                                "the server on " + place + " reports that it is not healthy",
                                "see below, and its log");
                    default ->
                        Finding.problem(
                                "port",
                                place + " is in use by another program",
                                "stop that program, or set AP_PORT to another port");
                });
    }

    private static boolean isFree(InetSocketAddress address) {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(address);
            return true;
        } catch (IOException taken) {
            return false;
        }
    }

    /** Status of the answer; empty if there is none. */
    private static String healthOf(InetSocketAddress address) {
        var target = address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
                : address;
        try (var socket = new Socket()) {
            socket.connect(target, ANSWER_MS);
            socket.setSoTimeout(ANSWER_MS);
            socket.getOutputStream()
                    .write("GET /api/v1/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            var line = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                    .readLine();
            var words = line == null ? new String[0] : line.split(" ", -1);
            return words.length > 1 && words[0].startsWith("HTTP/1.") ? words[1] : "";
        } catch (IOException silent) {
            return "";
        }
    }
}
