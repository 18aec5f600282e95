package io.millrace.integration.git;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.base.net.Fence;
import io.millrace.hostile.HostileKind;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.PersonIdent;
import org.eclipse.jgit.lib.TreeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Malicious git servers that exhaust memory. */
@HostileKind("git server")
final class HostileGitTest extends GitBench {
    @AfterEach
    void serveAgain() {
        server.sayNothing();
    }

    private GitOperations.Remote remote() {
        return remote("orders", key, Optional.empty());
    }

    private List<RepositoryFile> read() throws Exception {
        return operations.read(remote(), new Attempt(Fence.OPEN));
    }

    private static void isTooLarge(Throwable failure) {
        assertThat(failure).isInstanceOf(GitFailure.class);
        assertThat(((GitFailure) failure).kind()).isEqualTo(GitFailure.Kind.TOO_LARGE);
    }

    /** The library would allocate memory for each announced object: sixteen gigabytes for thirty bytes. */
    @Test
    void refusesAPackThatAnnouncesMoreObjectsThanMemoryHolds() {
        var pack = new HandmadePack();
        pack.blob("x".getBytes(StandardCharsets.US_ASCII));
        server.say(pack.said(Integer.MAX_VALUE));
        assertThatThrownBy(this::read).satisfies(HostileGitTest::isTooLarge);
        server.say(pack.said(BoundedRepository.OBJECTS_MAX + 1));
        assertThatThrownBy(this::read).satisfies(HostileGitTest::isTooLarge);
        // This number may be announced; the objects are missing.
        server.say(pack.said(BoundedRepository.OBJECTS_MAX));
        assertThatThrownBy(this::read)
                .isInstanceOf(GitFailure.class)
                .extracting(failure -> ((GitFailure) failure).kind())
                .isEqualTo(GitFailure.Kind.REFUSED);
    }

    /** Text of the server in errors, and so in logs. */
    @Test
    void showsNoCharacterThatSteersATerminal_andNoMoreThanALine() {
        var text = "a\u001b[2J\u001b]0;title\u0007b\rc\nd\u0000e\u007ff <b>root:x:0</b> " + "x".repeat(20_000);
        for (var said :
                List.of(HandmadePack.error(text), HandmadePack.messages(2, text), HandmadePack.messages(3, text))) {
            server.say(said);
            assertThatThrownBy(this::read)
                    .isInstanceOf(GitFailure.class)
                    .satisfies(failure -> assertThat(failure.getMessage())
                            .hasSizeLessThan(1_000)
                            .doesNotContainPattern("\\p{Cc}"));
        }
    }

    /** Each link of a delta chain is kept in memory while another branch of the chain waits. */
    @Test
    void refusesDifferencesWhoseSumUnpacksBeyondTheSize() {
        var pack = new HandmadePack();
        var length = 600_000;
        var base = pack.blob(new byte[length]);
        for (var link = 0; link < 30; link++) {
            pack.longer(base, length, 'a');
            base = pack.longer(base, length, 'b');
            length++;
        }
        server.say(pack.said());
        assertThatThrownBy(this::read).satisfies(HostileGitTest::isTooLarge);
    }

    @Test
    void readsDifferencesUpToTheSize() throws Exception {
        // Given
        var text = "a line of a flow that git writes once and refers to\n".repeat(2_000);
        server.commit(name, Map.of("orders/flows/a.json", text, "orders/flows/b.json", text + "and one more"));
        server.git(name, "gc", "--quiet", "--aggressive");

        // Then
        assertThat(read()).hasSize(2);
    }

    @Test
    void refusesMoreBranchesThanMemoryHolds() {
        server.say(HandmadePack.branches(100_000));
        operations = operations(50 * MEGABYTE);
        assertThatThrownBy(this::read).satisfies(HostileGitTest::isTooLarge);
    }

    @Test
    void readsAmongManyBranches() throws Exception {
        server.say(HandmadePack.branches(10_000));
        operations = operations(50 * MEGABYTE);
        assertThat(read()).isEmpty();
    }

    /** Tree bomb: ten nested trees with ten entries each expand to ten billion files. */
    @Test
    void commitsBesideTreesThatStandForMoreFilesThanMemoryHolds() throws Exception {
        // Given
        server.commit(name, Map.of("orders/flows/a.json", "{}"));
        bomb();

        // When
        var change = new FileChange.Put("flows", "b.json", Buffer.buffer("{}"));
        operations.commit(
                remote(), new GitRepos.Commit("project", ADA, "Beside it", List.of(change)), new Attempt(Fence.OPEN));

        // Then
        assertThat(read()).extracting(RepositoryFile::name).containsExactly("a.json", "b.json");
        assertThat(server.git(name, "ls-tree", "--name-only", "main").lines()).containsExactly("bomb", "orders");
        assertThat(server.git(name, "ls-tree", "--name-only", "main", "orders/").lines())
                .containsExactly("orders/bomb", "orders/flows");
    }

    /** Adds one bomb next to the project's folder and one inside it. */
    private void bomb() throws IOException {
        try (var repository = new FileRepository(server.folderOf(name).toFile());
                var inserter = repository.newObjectInserter()) {
            var tip = repository.resolve("refs/heads/main");
            var flows = repository.resolve("refs/heads/main:orders/flows");
            var level = inserter.insert(Constants.OBJ_BLOB, new byte[] {'x'});
            var mode = FileMode.REGULAR_FILE;
            for (var depth = 0; depth < 10; depth++) {
                level = tree(inserter, mode, level);
                mode = FileMode.TREE;
            }
            var orders = new TreeFormatter();
            orders.append("bomb", FileMode.TREE, level);
            orders.append("flows", FileMode.TREE, flows);
            var root = new TreeFormatter();
            root.append("bomb", FileMode.TREE, level);
            root.append("orders", FileMode.TREE, inserter.insert(orders));
            var commit = new CommitBuilder();
            commit.setTreeId(inserter.insert(root));
            commit.setParentId(tip);
            var olga = new PersonIdent("Olga", "olga@example.com");
            commit.setAuthor(olga);
            commit.setCommitter(olga);
            var made = inserter.insert(commit);
            inserter.flush();
            server.git(name, "update-ref", "refs/heads/main", made.name());
        }
    }

    private static ObjectId tree(ObjectInserter inserter, FileMode mode, ObjectId what) throws IOException {
        var tree = new TreeFormatter();
        for (var index = 0; index < 10; index++) {
            tree.append("f" + index, mode, what);
        }
        return inserter.insert(tree);
    }
}
