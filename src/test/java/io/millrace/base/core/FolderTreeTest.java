package io.millrace.base.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FolderTreeTest {
    @TempDir
    private Path folder;

    @Test
    void removesAFolderWithItsFiles() throws IOException {
        var tree = Files.createDirectories(folder.resolve("tree"));
        Files.writeString(Files.createDirectories(tree.resolve("a/b/c")).resolve("file"), "text");
        Files.writeString(tree.resolve("file"), "text");

        FolderTree.remove(tree);

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void removesALink_andKeepsItsTarget() throws IOException {
        var kept = Files.createDirectories(folder.resolve("kept"));
        Files.writeString(kept.resolve("file"), "text");
        var tree = Files.createDirectories(folder.resolve("tree"));
        Files.createSymbolicLink(tree.resolve("link"), kept);

        FolderTree.discard(tree);

        assertThat(tree).doesNotExist();
        assertThat(kept.resolve("file")).exists();
    }

    @Test
    void doesNothing_withoutAFolder() throws IOException {
        FolderTree.remove(folder.resolve("nothing"));

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void removesALinkOrAFileInPlaceOfTheFolder() throws IOException {
        var target = Files.createDirectory(folder.resolve("target"));
        Files.writeString(target.resolve("kept"), "kept");
        var link = Files.createSymbolicLink(folder.resolve("link"), target);
        var file = Files.writeString(folder.resolve("file"), "text");

        FolderTree.remove(link);
        FolderTree.remove(file);

        assertThat(link).doesNotExist();
        assertThat(file).doesNotExist();
        assertThat(target.resolve("kept")).hasContent("kept");
    }
}
