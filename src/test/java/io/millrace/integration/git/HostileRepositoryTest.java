package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.base.core.Json;
import io.millrace.base.core.input.Fields;
import io.millrace.base.net.Fence;
import io.millrace.hostile.HostileKind;
import io.millrace.support.Slow;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Repositories with path traversal in entries, and addresses that a git client would parse as an option or a command.
 */
@Slow(Slow.Reason.HOSTILE)
@HostileKind("git server")
final class HostileRepositoryTest extends GitBench {
    private GitOperations.Remote remote() {
        return remote("orders", key, Optional.empty());
    }

    private static Arguments entry(String name, FileMode mode) {
        return Arguments.of(name, mode);
    }

    /** Names that a working tree must not have, and modes other than those of files. */
    static Stream<Arguments> entries() {
        return Stream.of(
                entry(".git", FileMode.REGULAR_FILE),
                entry(".GIT", FileMode.REGULAR_FILE),
                entry("git~1", FileMode.REGULAR_FILE),
                entry(".g\u200cit", FileMode.REGULAR_FILE),
                entry(".git ", FileMode.REGULAR_FILE),
                entry(".git::$INDEX_ALLOCATION", FileMode.REGULAR_FILE),
                entry("..", FileMode.REGULAR_FILE),
                entry(".", FileMode.REGULAR_FILE),
                entry("../../../tmp/x.json", FileMode.REGULAR_FILE),
                entry("/etc/cron.d/x.json", FileMode.REGULAR_FILE),
                entry("a\\..\\b.json", FileMode.REGULAR_FILE),
                entry("C:\\x.json", FileMode.REGULAR_FILE),
                entry("a\nb.json", FileMode.REGULAR_FILE),
                entry("a\u001b[31m.json", FileMode.REGULAR_FILE),
                entry("--upload-pack=x.json", FileMode.REGULAR_FILE),
                entry("CON", FileMode.REGULAR_FILE),
                entry("x".repeat(60_000) + ".json", FileMode.REGULAR_FILE),
                entry("a.json", FileMode.SYMLINK),
                entry("a.json", FileMode.GITLINK),
                entry("a.json", FileMode.TREE),
                entry(".gitmodules", FileMode.REGULAR_FILE),
                entry(".gitattributes", FileMode.REGULAR_FILE),
                entry(".gitmodules", FileMode.SYMLINK),
                entry("hooks", FileMode.EXECUTABLE_FILE));
    }

    /** Reads at most the text of files in the requested folder of the repository; writes no file to the disk of this server. */
    @ParameterizedTest
    @MethodSource("entries")
    void readsNoFileOfThisServer_andWritesNone(String name, FileMode mode) throws Exception {
        put(name.getBytes(StandardCharsets.UTF_8), mode);
        List<RepositoryFile> files;
        try {
            files = operations.read(remote(), new Attempt(Fence.OPEN));
        } catch (GitFailure | IOException refused) {
            assertReadsASoundRepository();
            files = List.of();
        }

        assertThat(files).allSatisfy(file -> {
            assertThat(file.content().toString()).isEqualTo("/etc/passwd");
            assertThat(file.folder()).isEqualTo("flows");
        });
        if (!mode.equals(FileMode.REGULAR_FILE) && !mode.equals(FileMode.EXECUTABLE_FILE)) {
            assertThat(files).isEmpty();
        }
        assertThat(filesOfThisServer()).isEmpty();
    }

    /** A commit in the same repository leaves such entries unchanged and adds the new files. */
    @ParameterizedTest
    @MethodSource("entries")
    void commitsBesideThem(String name, FileMode mode) throws Exception {
        put(name.getBytes(StandardCharsets.UTF_8), mode);
        var change = new FileChange.Put("flows", "b.json", Buffer.buffer("{}"));
        try {
            operations.commit(
                    remote(),
                    new GitRepos.Commit("project", ADA, "Beside it", List.of(change)),
                    new Attempt(Fence.OPEN));
        } catch (GitFailure | IOException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            assertReadsASoundRepository();
        }
        assertThat(filesOfThisServer()).isEmpty();
    }

    /** Positive control: the entry was the reason for a refusal, not the connection, the key or the folder. */
    private void assertReadsASoundRepository() throws Exception {
        put("a.json".getBytes(StandardCharsets.UTF_8), FileMode.REGULAR_FILE);

        assertThat(operations.read(remote(), new Attempt(Fence.OPEN)))
                .extracting(RepositoryFile::name)
                .containsExactly("a.json");
    }

    /** Files below the working directory of the operations, which are deleted with the operation. */
    private List<Path> filesOfThisServer() throws IOException {
        try (var files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile).toList();
        }
    }

    /** Adds an entry next to a folder of flows and inside it; its content is the text of a path. */
    private void put(byte[] name, FileMode mode) throws IOException {
        try (var repository = new FileRepository(server.folderOf(this.name).toFile());
                var inserter = repository.newObjectInserter()) {
            var blob = inserter.insert(Constants.OBJ_BLOB, "/etc/passwd".getBytes(StandardCharsets.US_ASCII));
            var flows = tree(inserter, name, mode, blob);
            var orders = new TreeFormatter();
            orders.append("flows", FileMode.TREE, flows);
            var root = new TreeFormatter();
            root.append("orders", FileMode.TREE, inserter.insert(orders));
            var commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(root));
            var olga = new PersonIdent("Olga", "olga@example.com");
            commit.setAuthor(olga);
            commit.setCommitter(olga);
            var made = inserter.insert(commit);
            inserter.flush();
            server.git(this.name, "update-ref", "refs/heads/main", made.name());
        }
    }

    private static ObjectId tree(ObjectInserter inserter, byte[] name, FileMode mode, ObjectId blob)
            throws IOException {
        var tree = new TreeFormatter();
        tree.append(name, 0, name.length, mode, blob);
        return inserter.insert(tree);
    }

    private static Fields read(String field, String value) {
        var body = Json.object()
                .put("remoteUrl", "git@git.example.com:mill/flows.git")
                .put("branch", "main")
                .put("slug", "orders")
                .put("sshPrivateKey", "key")
                .put(field, value);
        var fields = Fields.of("body", body);
        assertThat(NewGitRepo.read(fields).toString()).doesNotContain("key");
        return fields;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ext::sh -c id",
                "ext::sh%20-c%20id",
                "file:///etc",
                "/etc",
                "../orders.git",
                "--upload-pack=/bin/sh",
                "-oProxyCommand=id",
                "git@-oProxyCommand=id:x",
                "git@host:a b",
                "git@host:a;id",
                "git@host:a$(id)",
                "git@host:a`id`",
                "git@host:a'b",
                "git@host:a\"b",
                "git@host:a\nb",
                "git@host:a\u0000b",
                "root@host:a",
                "user:password@host:a",
                "git@host",
                "git@:a",
                "git@host:",
                "git@host:a\\b",
                "git@[::1]:a",
                "git@host%00.evil:a",
                "git@host/evil:a",
                "ssh://git@host/a",
                "ssh://-oProxyCommand=id/a",
                "https://host/a.git",
                "http://169.254.169.254/latest",
                "git://127.0.0.1/a",
                "fd::17",
                "bundle:///tmp/x",
                " git@host:a"
            })
    void takesNoAddressThatIsAnOptionOrACommand(String url) {
        assertThat(read("remoteUrl", url).isSound()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-x",
                "--upload-pack=x",
                "a..b",
                "../main",
                "a b",
                "a\nb",
                "a~1",
                "a^{}",
                "a:b",
                "refs/heads/x.lock",
                "x.lock",
                "a//b",
                "/a",
                "a/",
                ".a",
                "@{-1}",
                "a@{b",
                "*",
                "a?",
                "[a",
                "a\\b",
                "+main:refs/heads/x"
            })
    void takesNoBranchThatMeansMore(String branch) {
        assertThat(read("branch", branch).isSound()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", ".", "..", ".git", ".GIT", "git~1", "a/b", "a\\b", "../x", "a\nb", "a\u0000", ".git.", "a b"
            })
    void refusesAFolderOutsideOfTheRepository(String slug) {
        assertThat(read("slug", slug).isSound()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", ".git", "a/b", "a\\b", "../x", "a\nb", "a\u0000b", "a b", ".x"})
    void writesNoFileOfSuchAName(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> new FileChange.Remove("flows", name));
        assertThatIllegalArgumentException().isThrownBy(() -> new FileChange.Remove(name, "a.json"));
    }
}
