package io.millrace.authoring.folder;

import io.millrace.base.persistence.Tx;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/** Counts the content of folders of one kind: flows or tables. Implemented by the modules above. */
@FunctionalInterface
public interface FolderContents {
    /** Counts by folder id; an empty folder may be missing. */
    Future<Map<String, Integer>> count(Tx tx, List<String> folderIds);
}
