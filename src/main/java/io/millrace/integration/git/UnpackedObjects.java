package io.millrace.integration.git;

import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.ObjectChecker;

/**
 * Checks each object that the library has unpacked in memory: trees must be well-formed, and the total size is limited. Each
 * delta of a chain may expand to a large object, and the library holds all of them.
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
            throw new CorruptObjectException("the unpacked objects are larger than AP_GIT_REPOSITORY_SIZE_MB allows");
        }
        if (type == Constants.OBJ_TREE) {
            super.check(id, type, content);
        }
    }

    boolean isExhausted() {
        return bytesLeft < 0;
    }
}
