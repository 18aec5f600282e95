package io.millrace.integration.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.eclipse.jgit.internal.storage.file.FileRepository;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.transport.PackParser;

/**
 * Bare repository with limits on the size of an object and the number of objects in a pack: a few bytes of a pack can expand to
 * gigabytes, which the library would unpack in memory.
 */
final class BoundedRepository extends FileRepository {
    /** More than the largest working trees hold; an object costs some hundred bytes of memory. */
    static final int OBJECTS_MAX = 200_000;

    private final long objectBytesMax;

    private BoundedRepository(Path folder, long objectBytesMax) throws IOException {
        super(folder.toFile());
        this.objectBytesMax = objectBytesMax;
    }

    static BoundedRepository create(Path folder, long objectBytesMax) throws IOException {
        var repository = new BoundedRepository(folder, objectBytesMax);
        repository.create(true);
        return repository;
    }

    @Override
    public ObjectInserter newObjectInserter() {
        var inserter = super.newObjectInserter();
        return new ObjectInserter.Filter() {
            @Override
            protected ObjectInserter delegate() {
                return inserter;
            }

            @Override
            public PackParser newPackParser(InputStream pack) throws IOException {
                var parser = inserter.newPackParser(new PackHead(pack, OBJECTS_MAX));
                parser.setMaxObjectSizeLimit(objectBytesMax);
                return parser;
            }
        };
    }
}
