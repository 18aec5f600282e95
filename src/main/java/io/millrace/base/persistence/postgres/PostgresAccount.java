package io.millrace.base.persistence.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The operating system's user that PostgreSQL runs as. PostgreSQL refuses to run as root, so a server started as root runs it
 * as the owner of the data, or as the user of a setting when there is no data yet.
 *
 * @param user number of the user
 * @param group number of the group
 * @param isSwitched true if that is not the user of this process
 * @param capability capability that lets the user through closed directories; null where none is needed
 */
record PostgresAccount(int user, int group, boolean isSwitched, String capability) {
    private static final int ROOT = 0;
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** Capabilities, each of which opens directories that are closed to others; containers often have the second only. */
    private static final List<String> WAYS_THROUGH = List.of("dac_read_search", "dac_override");

    /**
     * Chooses the user for a database directory that need not exist yet.
     *
     * @param user number of the user of a new database, where this server is root
     */
    static PostgresAccount choose(Path data, int user) throws IOException {
        var own = ownUser();
        if (own != ROOT) {
            if (Files.exists(data) && FileTrees.owner(data) != own) {
                throw new PostgresStartException("the database directory " + data + " belongs to user "
                        + FileTrees.owner(data) + ", this server runs as user " + own
                        + ": start it as that user or as root");
            }
            return new PostgresAccount(own, own, false, null);
        }
        if (!Files.exists(data) || FileTrees.owner(data) == ROOT) {
            return new PostgresAccount(user, user, true, null);
        }
        return new PostgresAccount(FileTrees.owner(data), FileTrees.group(data), true, null);
    }

    /**
     * The account with access to a directory. If a parent is closed (such as root's home), it gets only the capability that
     * opens directories.
     */
    PostgresAccount reaching(Path directory) throws IOException {
        if (canReach(directory)) {
            return this;
        }
        for (var way : WAYS_THROUGH) {
            var helped = new PostgresAccount(user, group, isSwitched, way);
            if (helped.canReach(directory)) {
                return helped;
            }
        }
        throw new PostgresStartException("PostgreSQL cannot run as root and is started as user " + user
                + ", but that user cannot enter " + directory + " ("
                + enter(directory).output() + ")"
                + ": allow access (chmod o+x) to each of its parent directories, or change AP_DATA_DIR");
    }

    boolean canReach(Path directory) throws IOException {
        return !isSwitched || enter(directory).succeeded();
    }

    /** Returns true if the data can be reached only with a capability; programs must then be in another directory. */
    boolean isHelped() {
        return capability != null;
    }

    PostgresAccount unhelped() {
        return new PostgresAccount(user, group, isSwitched, null);
    }

    /** The words of a command, so that it runs as this user. */
    List<String> command(List<String> words) {
        if (!isSwitched) {
            return words;
        }
        var whole = new ArrayList<String>(List.of("setpriv", "--reuid=" + user, "--regid=" + group, "--clear-groups"));
        if (capability != null) {
            whole.add("--inh-caps=-all,+" + capability);
            whole.add("--ambient-caps=-all,+" + capability);
        }
        whole.addAll(words);
        return whole;
    }

    void own(Path path) throws IOException {
        if (isSwitched) {
            FileTrees.own(path, user, group);
        }
    }

    private Command enter(Path directory) throws IOException {
        try {
            return Command.run(command(List.of("sh", "-c", "cd \"$1\"", "sh", directory.toString())), DEADLINE);
        } catch (IOException absent) {
            throw new PostgresStartException(
                    "PostgreSQL cannot run as root, and the program setpriv (package util-linux) that would start it as"
                            + " another user does not run: install it, or start this server as another user",
                    absent);
        }
    }

    private static int ownUser() throws IOException {
        var prefix = "Uid:";
        for (var line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith(prefix)) {
                return Integer.parseInt(line.substring(prefix.length()).strip().split("\\s+")[1]);
            }
        }
        throw new IOException("/proc/self/status has no line " + prefix);
    }
}
