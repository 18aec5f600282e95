package io.millrace.sandbox.isolation;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Handles of the C function {@code long syscall(long number, …)} with register-wide operands. */
public final class SystemFunction {
    private SystemFunction() {}

    /**
     * Looks the function up, which takes some 50 ms.
     *
     * @param type operands that the handle has; a system call ignores operands beyond its own
     */
    @SuppressWarnings("restricted") // The server is started with native access, and this is what it is for.
    public static Optional<MethodHandle> find(FunctionDescriptor type, Linker.Option... options) {
        var linker = Linker.nativeLinker();
        return linker.defaultLookup().find("syscall").map(function -> linker.downcallHandle(function, type, options));
    }
}
