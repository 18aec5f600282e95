package io.millrace.integration.git;

import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectChecker;

/**
 * Sees each object that the library has unpacked in memory: trees must be well-formed, and all together may not pass a
 * bound. A chain of differences may stand for a large object at each of its links, and the library holds all of them.
 */
final class UnpackedObjects extends ObjectChecker {
    private long bytesLeft;

    UnpackedObjects(long bytesMax) {
        this.bytesLeft = bytesMax;
        setAllowLeadingZeroFileMode(true);
    }

    @Override
    public void check(AnyObjectId id, int type, byte[] content) throws CorruptObjectException {
        bytesLeft -= content.length;
        if (isExhausted()) {
            throw new CorruptObjectException("the objects unpack to more than is taken");
        }
        if (type == Constants.OBJ_TREE) {
            super.check(id, type, content);
        }
    }

    boolean isExhausted() {
        return bytesLeft < 0;
    }
}
