package io.millrace.piece.npm;

import java.util.Set;

/**
 * Which packages may load native code: an operator names them, for every platform or for one.
 *
 * @param names each a package's name, or a platform's id, a colon and the name
 */
record NativeCode(Set<String> names) {
    NativeCode {
        names = Set.copyOf(names);
    }

    /** @param group the platform that has the package, or the word for the packages of all */
    boolean allows(String group, PackageId id) {
        return names.contains(id.name()) || names.contains(group + ":" + id.name());
    }
}
