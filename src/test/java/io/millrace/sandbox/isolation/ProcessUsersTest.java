package io.millrace.sandbox.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.hostile.HostileKind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Processes of one purpose for two projects, separated by their users alone: the attacking process has the user of a
 * sandboxed process, but neither Landlock nor a filter of system calls.
 */
@HostileKind("process isolation")
class ProcessUsersTest {
    private static final Path SHELL = Path.of("/bin/sh");

    @TempDir
    private Path directory;

    private Isolation isolation;
    private ProcessUser first;
    private ProcessUser second;
    private Process neighbour;

    @BeforeEach
    void start() throws IOException {
        isolation = new Isolation(Isolation.Settings.of(directory.resolve("isolation")));
        assumeTrue(isolation.inForce().accounts() == EffectiveIsolation.Accounts.SEPARATE, "the server is not root");
        first = isolation.userFor(ProcessPurpose.PYTHON);
        second = isolation.userFor(ProcessPurpose.PYTHON);
        assumeTrue(first.number() != first.group(), "the kernel has no user " + first.number());
    }

    @AfterEach
    void stop() {
        if (neighbour != null) {
            neighbour.destroyForcibly();
        }
    }

    private Process sandboxed(ProcessPurpose purpose, ProcessUser user, String script) throws IOException {
        var run = List.of(Path.of("/usr/bin"), Path.of("/lib"), Path.of("/usr/lib"));
        var command = isolation.command(
                purpose,
                user,
                new FileGrants(List.of(), run.stream().filter(Files::exists).toList(), List.of()),
                ProcessLimits.INHERITED,
                Optional.empty(),
                List.of(SHELL.toString(), "-c", script));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private void startNeighbour() throws IOException {
        neighbour = sandboxed(ProcessPurpose.PYTHON, first, "echo begun; read -r line");
        assertThat(neighbour.inputReader().readLine()).isEqualTo("begun");
    }

    /** Runs a script as the user and group of a process, without any other restriction. */
    private static String asUser(ProcessUser user, String script) throws IOException, InterruptedException {
        var process = new ProcessBuilder(
                        "setpriv",
                        "--reuid=" + user.number(),
                        "--regid=" + user.group(),
                        "--clear-groups",
                        SHELL.toString(),
                        "-c",
                        script)
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return said;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kill -9 PID",
                "kill -STOP PID",
                "kill -0 PID",
                "cat /proc/PID/environ",
                "cat /proc/PID/maps",
                "cat /proc/PID/mem",
                "ls -l /proc/PID/fd",
                "cat /proc/PID/fd/0",
                "ls -l /proc/PID/cwd",
                "echo 1 >/proc/PID/oom_score_adj",
                "renice -n 19 -p PID",
                "ionice -c 3 -p PID",
                "taskset -p 1 PID",
                "chrt --idle -p 0 PID",
                "prlimit --pid PID --nofile=3"
            })
    void refusesEachAccessToAProcessOfAnotherProject(String attack) throws Exception {
        startNeighbour();
        assumeTrue(
                !asUser(first, "command -v " + attack.split(" ")[0]).isBlank(), attack.split(" ")[0] + " is missing");
        var script = attack.replace("PID", Long.toString(neighbour.pid())) + " && echo reached";

        assertThat(asUser(second, script)).doesNotContain("reached").containsIgnoringCase("permi");
        assertThat(neighbour.isAlive()).isTrue();
    }

    /**
     * Positive control: a process with the shared user, which is used when all users are taken, reaches others with
     * that user.
     */
    @Test
    void reachesAProcessOfTheSameUser() throws Exception {
        startNeighbour();

        assertThat(asUser(first, "kill -0 " + neighbour.pid() + " && echo reached"))
                .contains("reached");
    }

    /** All processes of a user get another priority by one call. */
    @Test
    void changesNoPriorityOfTheUserOfAnotherProject() throws Exception {
        startNeighbour();
        var before = niceness();

        asUser(second, "renice -n 19 -u " + first.number());
        asUser(second, "renice -n 19 -u " + second.number());

        assertThat(niceness()).isEqualTo(before);
    }

    private String niceness() throws IOException {
        var stat = Files.readString(Path.of("/proc", Long.toString(neighbour.pid()), "stat"));
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16];
    }

    @ParameterizedTest
    @EnumSource(
            value = ProcessPurpose.class,
            names = {"PYTHON", "PIECE", "INSTALL", "CODE"})
    void runsEachProcessAsItsUser_andTheGroupOfItsPurpose(ProcessPurpose purpose) throws Exception {
        var user = isolation.userFor(purpose);
        var process = sandboxed(purpose, user, "echo begun; read -r line");
        try (var said = new BufferedReader(process.inputReader())) {
            assertThat(said.readLine()).isEqualTo("begun");
            assertThat(Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")))
                    .contains(
                            "Uid:" + ("\t" + user.number()).repeat(4),
                            "Gid:" + ("\t" + user.group()).repeat(4),
                            "Groups:\t ");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void writesToAFolderOfItsOwnOnly() throws Exception {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        var folder = directory.resolve("scratch");
        isolation.lend(first, folder);

        assertThat(asUser(first, "echo x >" + folder + "/a && cat " + folder + "/a"))
                .isEqualTo("x\n");
        assertThat(asUser(second, "cat " + folder + "/a; ls " + folder + "; echo y >" + folder + "/b; echo end"))
                .contains("ermission denied")
                .endsWith("end\n")
                .doesNotContain("x\n");
    }

    @Test
    void givesAUserToAnotherProcess_onlyAfterTheFirstHasEnded() throws Exception {
        startNeighbour();
        first.releaseAfter(neighbour);
        var third = isolation.userFor(ProcessPurpose.PYTHON);
        assertThat(third.number()).isNotIn(first.number(), second.number());

        neighbour.destroyForcibly().onExit().thenRun(() -> {}).join();
        first.release();

        assertThat(isolation.userFor(ProcessPurpose.PIECE).number()).isEqualTo(first.number());
    }

    @Test
    void sharesTheUserOfThePurpose_whenNoneIsLeft() {
        var few = new Isolation(new Isolation.Settings(directory.resolve("few"), 65_521, 65_522, 1, first.number(), 1));

        var only = few.userFor(ProcessPurpose.PYTHON);
        var further = few.userFor(ProcessPurpose.PYTHON);
        only.release();
        only.release();

        assertThat(only.number()).isEqualTo(first.number());
        assertThat(further.number()).isEqualTo(65_521);
        assertThat(few.userFor(ProcessPurpose.PIECE).number()).isEqualTo(first.number());
    }

    @Test
    void sharesUsers_whenTheOperatorWantsNone() {
        var none = new Isolation(new Isolation.Settings(directory.resolve("none"), 65_521, 65_522, 0, 60_600, 1));

        assertThat(none.userFor(ProcessPurpose.PYTHON).number()).isEqualTo(65_521);
        assertThat(new ProcessUsers(60_600, 0).last()).isEqualTo(OptionalInt.empty());
    }
}
