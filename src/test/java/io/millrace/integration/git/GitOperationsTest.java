package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.core.Ids;
import io.millrace.base.net.Fence;
import io.millrace.support.Waiting;
import io.millrace.support.outside.GitServer;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tested with a real SSH server, real repositories and the git of this host. */
final class GitOperationsTest extends GitBench {
    /** Asserts that operations leave no files. */
    @AfterEach
    void jailsAreEmpty() throws IOException {
        try (var paths = Files.walk(directory)) {
            assertThat(paths.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private GitOperations.Remote remote(String slug) {
        return remote(slug, key, Optional.empty());
    }

    private void commit(String slug, String message, FileChange... changes) throws Exception {
        operations.commit(
                remote(slug), new GitRepos.Commit("project", ADA, message, List.of(changes)), new Attempt(Fence.OPEN));
    }

    private static FileChange put(String folder, String file, String content) {
        return new FileChange.Put(folder, file, Buffer.buffer(content));
    }

    private List<RepositoryFile> read(String slug) throws Exception {
        return operations.read(remote(slug), new Attempt(Fence.OPEN));
    }

    @Test
    void commitsOnTopOfWhatOthersPushed_andLeavesTheirFilesAlone() throws Exception {
        // given
        commit("orders", "First", put("flows", "a.json", "{}"), put("flows", "b.json", "{}"));
        server.commit(name, Map.of("README.md", "By hand", "orders/flows/c.json", "[]"));

        // when
        commit("orders", "Second", put("flows", "a.json", "{\"x\":1}"), new FileChange.Remove("flows", "b.json"));

        // then
        assertThat(server.git(name, "ls-tree", "-r", "--name-only", "main").lines())
                .containsExactly("README.md", "orders/flows/a.json", "orders/flows/c.json");
        assertThat(server.git(name, "log", "--format=%an <%ae> %s", "main").lines())
                .containsExactly(
                        "Ada Miller <ada@example.com> Second",
                        "Olga <olga@example.com> By hand",
                        "Ada Miller <ada@example.com> First");
        assertThat(server.git(name, "fsck", "--strict")).doesNotContain("error");
        assertThat(read("orders"))
                .containsExactly(
                        new RepositoryFile("flows", "a.json", Buffer.buffer("{\"x\":1}")),
                        new RepositoryFile("flows", "c.json", Buffer.buffer("[]")));
    }

    @Test
    void labelsNewFiles_andKeepsTheNamesOfExistingOnes() throws Exception {
        // given files of an earlier release, of a renamed item, and of users
        server.commit(
                name,
                Map.of(
                        "orders/flows/a.json", "{}",
                        "orders/flows/old-name.b.json", "{}",
                        "orders/flows/x.c.txt", "{}",
                        "orders/flows/caf\u00e9.d.json", "{}",
                        "orders/flows/xb.json", "{}"));

        // when
        commit(
                "orders",
                "Labels",
                new FileChange.Put("flows", "new-name", "a.json", Buffer.buffer("1")),
                new FileChange.Put("flows", "new-name", "b.json", Buffer.buffer("2")),
                new FileChange.Put("flows", "new-name", "c.json", Buffer.buffer("3")),
                new FileChange.Put("flows", "new-name", "d.json", Buffer.buffer("4")),
                new FileChange.Put("flows", "", "e.json", Buffer.buffer("5")));
        var written = contents();
        commit(
                "orders",
                "Removed",
                new FileChange.Remove("flows", "a.json"),
                new FileChange.Remove("flows", "b.json"),
                new FileChange.Remove("flows", "c.json"));

        // then
        assertThat(written)
                .containsEntry("a.json", "1")
                .containsEntry("old-name.b.json", "2")
                .containsEntry("new-name.c.json", "3")
                .containsEntry("new-name.d.json", "4")
                .containsEntry("e.json", "5")
                .containsEntry("x.c.txt", "{}")
                .containsEntry("xb.json", "{}")
                .hasSize(8);
        assertThat(contents().keySet())
                .contains("new-name.d.json", "e.json", "x.c.txt", "xb.json")
                .doesNotContain("a.json", "old-name.b.json", "new-name.c.json")
                .hasSize(5);
    }

    private Map<String, String> contents() throws Exception {
        return read("orders").stream()
                .collect(Collectors.toMap(
                        RepositoryFile::name, file -> file.content().toString()));
    }

    @Test
    void commitsNothing_whenNothingChanges() throws Exception {
        // given
        commit("orders", "First", put("flows", "a.json", "{}"));

        // when
        commit("orders", "Again", put("flows", "a.json", "{}"), new FileChange.Remove("flows", "other.json"));

        // then
        assertThat(server.git(name, "log", "--format=%s", "main")).isEqualTo("First");
    }

    @Test
    void commitsAnew_whenOthersPushMeanwhile() throws Exception {
        // when
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var one = threads.submit(() -> {
                commit("orders", "One", put("flows", "a.json", "{}"));
                return true;
            });
            commit("orders", "Two", put("flows", "b.json", "{}"));
            assertThat(one.get()).isTrue();
        }

        // then
        assertThat(server.git(name, "ls-tree", "-r", "--name-only", "main").lines())
                .containsExactly("orders/flows/a.json", "orders/flows/b.json");
        assertThat(server.git(name, "log", "--format=%s", "main").lines()).containsExactlyInAnyOrder("One", "Two");
    }

    /** Git configuration and environment variables of the host are ignored. */
    @Test
    void readsNothingThatIsSetUpOnTheHost() {
        var system = SystemReader.getInstance();
        assertThat(system.openUserConfig(null, FS.DETECTED).getFile()).isNull();
        assertThat(system.openSystemConfig(null, FS.DETECTED).getFile()).isNull();
        assertThat(system.openJGitConfig(null, FS.DETECTED).getFile()).isNull();
        assertThat(system.getenv("GIT_DIR")).isNull();
        assertThat(system.getenv("XDG_CONFIG_HOME")).isNull();
    }

    @Test
    void readsNothing_whenTheBranchOrTheFolderIsNotThere() throws Exception {
        assertThat(read("orders")).isEmpty();
        server.commit(name, Map.of("README.md", "By hand", "file", "not a folder"));
        assertThat(read("orders")).isEmpty();
        assertThat(read("file")).isEmpty();
    }

    /** Links in a repository may point anywhere: they are neither read nor written through. */
    @Test
    void passesOverSymbolicLinks_andReplacesThoseInItsWay() throws Exception {
        // given
        var outside = Files.writeString(directory.resolve("outside"), "secret");
        server.commitLink(name, "orders/flows/a.json", outside.toString());
        server.commitLink(name, "other", directory.toString());

        // when
        var read = read("orders");
        commit("other", "Into a link", put("flows", "a.json", "{}"));

        // then
        assertThat(read).isEmpty();
        assertThat(read("other")).hasSize(1);
        assertThat(Files.readString(outside)).isEqualTo("secret");
        assertThat(server.git(name, "ls-tree", "main", "other")).contains("tree");
        Files.delete(outside);
    }

    @Test
    void refusesNamesThatLeaveTheFolder() {
        for (var bad : List.of("..", ".git", "a/b", "", "a\u0000", "x".repeat(241))) {
            assertThatThrownBy(() -> put("flows", bad, "")).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new FileChange.Remove(bad, "a.json")).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void takesARepositoryUpToItsSize_andRefusesALargerOne() throws Exception {
        // given
        server.commit(name, Map.of("orders/flows/a.json", noise(700_000)));

        // when
        var fits = read("orders");

        // then
        assertThat(fits).hasSize(1);

        // given
        server.commit(name, Map.of("orders/flows/b.json", noise(700_000)));

        // when, then
        assertThatThrownBy(() -> read("orders")).satisfies(GitOperationsTest::isTooLarge);
    }

    /** A few bytes of a pack expand to megabytes. */
    @Test
    void refusesAnObjectThatUnpacksBeyondTheSize() {
        server.commit(name, Map.of("orders/flows/a.json", "0".repeat(2_000_000)));
        assertThatThrownBy(() -> read("orders")).satisfies(GitOperationsTest::isTooLarge);
    }

    /** Many small objects are rejected, too: their sum is bounded. */
    @Test
    void refusesFilesWhoseSumUnpacksBeyondTheSize() {
        var files = new HashMap<String, String>();
        for (var index = 0; index < 20; index++) {
            files.put("orders/flows/" + index + ".json", index + "0".repeat(100_000));
        }
        server.commit(name, files);
        assertThatThrownBy(() -> read("orders")).satisfies(GitOperationsTest::isTooLarge);
    }

    private static void isTooLarge(Throwable failure) {
        assertThat(failure).isInstanceOf(GitFailure.class);
        assertThat(((GitFailure) failure).kind()).isEqualTo(GitFailure.Kind.TOO_LARGE);
    }

    private static String noise(int length) {
        return new Random(length)
                        .ints(length, 'a', 'z')
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString()
                + Ids.next();
    }

    @Test
    void refusesKeysThatTheServerDoesNotKnow_andWhatIsNoKey() {
        assertRefused(GitServer.unknownKey(), "rejected the SSH key");
        assertRefused("hunter2", "sshPrivateKey");
        assertRefused("-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----", "sshPrivateKey");
    }

    private void assertRefused(String privateKey, String reason) {
        assertThatThrownBy(
                        () -> operations.check(remote("orders", privateKey, Optional.empty()), new Attempt(Fence.OPEN)))
                .isInstanceOf(GitFailure.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("AAAA");
    }

    @Test
    void refusesARepositoryThatIsNotThere() {
        url = "git@127.0.0.1:no-such.git";
        assertRefused(key, "no such repository");
    }

    @Test
    void knowsAServerByItsKey() throws Exception {
        // given
        var hostKey = operations.check(remote("orders"), new Attempt(Fence.OPEN));
        assertThat(hostKey).startsWith("ecdsa-sha2-nistp256 ");

        // when, then
        var again = operations.check(remote("orders", key, Optional.of(hostKey)), new Attempt(Fence.OPEN));
        assertThat(again).isEqualTo(hostKey);

        // given
        server.changeHostKey();

        // when, then
        assertThatThrownBy(() -> operations.check(remote("orders", key, Optional.of(hostKey)), new Attempt(Fence.OPEN)))
                .isInstanceOf(GitFailure.class)
                .hasMessageContaining("host key of the git server has changed");
    }

    @Test
    void endsAnAttemptWhoseTimeIsOver() throws Exception {
        // given
        var attempt = new Attempt(Fence.OPEN);
        server.hang(true);

        // when
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var outcome = threads.submit(() -> operations.read(remote("orders"), attempt));
            Waiting.until("the server does not answer", server::hasHung);
            attempt.end();

            // then
            assertThatThrownBy(outcome::get).hasCauseInstanceOf(GitFailure.class);
        } finally {
            server.hang(false);
        }
    }
}
