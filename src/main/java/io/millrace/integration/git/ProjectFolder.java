package io.millrace.integration.git;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * The folder of a project in a commit. Files are read from and written to trees, never to a disk, so that other entries
 * (symbolic links, submodules, unusual names) are ignored and have no effect.
 */
final class ProjectFolder {
    /** Maximum number of entries that are read; more than the flows of any project. */
    private static final int ENTRIES_MAX = 20_000;

    private final Repository repository;
    private final String slug;

    ProjectFolder(Repository repository, String slug) {
        this.repository = repository;
        this.slug = slug;
    }

    List<RepositoryFile> read(Optional<ObjectId> tip, long bytesMax) throws IOException, GitFailure {
        if (tip.isEmpty()) {
            return List.of();
        }
        try (var reader = repository.newObjectReader();
                var found = TreeWalk.forPath(reader, slug, treeOf(reader, tip.get()))) {
            return found == null || !found.isSubtree() ? List.of() : read(reader, found.getObjectId(0), bytesMax);
        }
    }

    private static List<RepositoryFile> read(ObjectReader reader, ObjectId folder, long bytesMax)
            throws IOException, GitFailure {
        var files = new ArrayList<RepositoryFile>();
        var bytesLeft = bytesMax;
        var entries = 0;
        try (var walk = new TreeWalk(reader)) {
            walk.addTree(folder);
            while (walk.next()) {
                if (++entries > ENTRIES_MAX) {
                    throw RemoteBranch.tooLarge();
                }
                if (walk.isSubtree() && walk.getDepth() == 0) {
                    walk.enterSubtree();
                } else if (walk.getDepth() == 1 && isFile(walk.getRawMode(0))) {
                    bytesLeft -= reader.getObjectSize(walk.getObjectId(0), Constants.OBJ_BLOB);
                    if (bytesLeft < 0) {
                        throw RemoteBranch.tooLarge();
                    }
                    files.add(file(walk, reader));
                }
            }
        }
        return files;
    }

    private static boolean isFile(int mode) {
        return FileMode.REGULAR_FILE.equals(mode) || FileMode.EXECUTABLE_FILE.equals(mode);
    }

    private static RepositoryFile file(TreeWalk walk, ObjectReader reader) throws IOException {
        var path = walk.getPathString();
        var slash = path.lastIndexOf('/');
        var content = reader.open(walk.getObjectId(0), Constants.OBJ_BLOB).getCachedBytes();
        return new RepositoryFile(path.substring(0, slash), path.substring(slash + 1), Buffer.buffer(content));
    }

    /** Entries outside the folder stay unchanged. */
    ObjectId changed(Optional<ObjectId> tip, List<FileChange> changes) throws IOException {
        try (var reader = repository.newObjectReader();
                var inserter = repository.newObjectInserter()) {
            var root = TreeEntries.read(reader, tip.isPresent() ? Optional.of(treeOf(reader, tip.get())) : tip);
            var project = TreeEntries.read(reader, root.tree(slug));
            var byFolder = new TreeMap<String, List<FileChange>>();
            changes.forEach(change -> byFolder.computeIfAbsent(change.folder(), _ -> new ArrayList<>())
                    .add(change));
            for (var folder : byFolder.entrySet()) {
                var files = TreeEntries.read(reader, project.tree(folder.getKey()));
                for (var change : folder.getValue()) {
                    apply(change, files, inserter);
                }
                project.putTree(folder.getKey(), files, inserter);
            }
            root.putTree(slug, project, inserter);
            var tree = root.insert(inserter);
            inserter.flush();
            return tree;
        }
    }

    private static void apply(FileChange change, TreeEntries files, ObjectInserter inserter) throws IOException {
        var existing = files.files(change::isOf);
        switch (change) {
            case FileChange.Put put ->
                files.putFile(
                        existing.isEmpty() ? put.fileName() : existing.getFirst(),
                        inserter.insert(Constants.OBJ_BLOB, put.content().getBytes()));
            case FileChange.Remove _ -> existing.forEach(files::remove);
        }
    }

    static ObjectId treeOf(ObjectReader reader, ObjectId commit) throws IOException {
        try (var walk = new RevWalk(reader)) {
            return walk.parseCommit(commit).getTree().getId();
        }
    }
}
