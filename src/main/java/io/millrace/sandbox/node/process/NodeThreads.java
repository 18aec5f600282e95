package io.millrace.sandbox.node.process;

/** Starts the threads that exchange data with a process. */
@FunctionalInterface
public interface NodeThreads {
    /** Daemon threads of the operating system, which do not keep this process alive. */
    NodeThreads OF_SYSTEM =
            (name, work) -> Thread.ofPlatform().daemon().name(name).start(work);

    /** Begins one; throws {@link OutOfMemoryError} if the system provides none. */
    Thread begin(String name, Runnable work);
}
