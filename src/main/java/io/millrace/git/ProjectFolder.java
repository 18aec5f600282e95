package io.millrace.git;

import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * The folder of a project in a commit. Files are read from and written to trees, never to a disk, so that what else is in
 * them (symbolic links, other repositories, odd names) is passed over and can lead nowhere.
 */
final class ProjectFolder {
    /** Entries that are looked at; more than a project has flows. */
    private static final int ENTRIES_MAX = 20_000;

    private final Repository repository;
    private final String slug;

    ProjectFolder(Repository repository, String slug) {
        this.repository = repository;
        this.slug = slug;
    }

    /** Regular files in the folders of the project's folder. */
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

    /** The tree of a commit with changes of the folder; what is elsewhere stays as it is. */
    ObjectId changed(Optional<ObjectId> tip, List<FileChange> changes) throws IOException {
        try (var reader = repository.newObjectReader();
                var inserter = repository.newObjectInserter()) {
            var index = DirCache.newInCore();
            var builder = index.builder();
            if (tip.isPresent()) {
                builder.addTree(new byte[0], DirCacheEntry.STAGE_0, reader, treeOf(reader, tip.get()));
            }
            builder.finish();
            var editor = index.editor();
            for (var change : changes) {
                var path = slug + "/" + change.folder() + "/" + change.name();
                switch (change) {
                    case FileChange.Put put ->
                        editor.add(put(
                                path,
                                inserter.insert(
                                        Constants.OBJ_BLOB, put.content().getBytes())));
                    case FileChange.Remove _ -> editor.add(new DirCacheEditor.DeletePath(path));
                }
            }
            editor.finish();
            var tree = index.writeTree(inserter);
            inserter.flush();
            return tree;
        }
    }

    private static DirCacheEditor.PathEdit put(String path, ObjectId blob) {
        return new DirCacheEditor.PathEdit(path) {
            @Override
            public void apply(DirCacheEntry entry) {
                entry.setFileMode(FileMode.REGULAR_FILE);
                entry.setObjectId(blob);
            }
        };
    }

    /** The tree of a commit. */
    static ObjectId treeOf(ObjectReader reader, ObjectId commit) throws IOException {
        try (var walk = new RevWalk(reader)) {
            return walk.parseCommit(commit).getTree().getId();
        }
    }
}
