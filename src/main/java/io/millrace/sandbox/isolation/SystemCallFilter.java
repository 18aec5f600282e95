package io.millrace.sandbox.isolation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * System call filter of a process from before its first instruction to its end (seccomp(2)), in the kernel's format: a list of
 * instructions of the classic BPF machine. A refused call fails with an error; the process continues.
 *
 * <p>The filter refuses calls that reach other processes (signals, memory, limits, priorities), leave something behind after the
 * process has ended, choose a processor, start further processes, listen, or use parts of the kernel that no engine needs and that
 * have had the most holes.
 */
final class SystemCallFilter {
    private static final int LOAD_WORD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_GREATER_OR_EQUAL = 0x35;
    private static final int JUMP_IF_BITS = 0x45;
    private static final int RETURN = 0x06;

    private static final int NUMBER_OFFSET = 0;
    private static final int FAMILY_OFFSET = 4;
    private static final int ARGUMENTS_OFFSET = 16;

    private static final int ALLOW = 0x7FFF0000;
    private static final int KILL_PROCESS = 0x80000000;
    private static final int FAIL = 0x00050000;
    private static final int EPERM = 1;
    private static final int EACCES = 13;
    private static final int ENOSYS = 38;

    /** Calls of another convention of the x86 family start here; no engine needs them. */
    private static final int OTHER_CONVENTION = 0x40000000;

    private static final int CLONE_THREAD = 0x00010000;

    /** A flag of a send call that makes a TCP connection without connect(2). */
    private static final int MSG_FASTOPEN = 0x20000000;

    private static final int PRIO_PROCESS = 0;
    private static final int IOPRIO_WHO_PROCESS = 1;
    private static final int ASK_PERSONALITY = -1;
    private static final int SIGABRT = 6;
    private static final int SIGUSR2 = 12;
    private static final int SIGURG = 23;
    private static final int F_SETOWN = 8;
    private static final int F_SETSIG = 10;
    private static final int F_SETOWN_EX = 15;
    private static final int FIOSETOWN = 0x8901;
    private static final int SIOCSPGRP = 0x8902;

    /** Refused: a process gets connected sockets from the server over its channel, and creates none. */
    private static final List<SystemCall> OF_NETWORK =
            List.of(SystemCall.SOCKET, SystemCall.SOCKETPAIR, SystemCall.CONNECT, SystemCall.BIND, SystemCall.SENDMMSG);

    private static final List<SystemCall> REFUSED = List.of(
            // Signals, memory and descriptors of other processes.
            SystemCall.TKILL,
            SystemCall.RT_SIGQUEUEINFO,
            SystemCall.RT_TGSIGQUEUEINFO,
            SystemCall.PTRACE,
            SystemCall.PROCESS_VM_READV,
            SystemCall.PROCESS_VM_WRITEV,
            SystemCall.KCMP,
            SystemCall.GET_ROBUST_LIST,
            // Further processes and programs without a name in the file system.
            SystemCall.FORK,
            SystemCall.VFORK,
            SystemCall.EXECVEAT,
            // Memory and queues that outlive a process or count for no process: System V, POSIX and files in memory.
            SystemCall.SHMGET,
            SystemCall.SHMAT,
            SystemCall.SHMCTL,
            SystemCall.SHMDT,
            SystemCall.SEMGET,
            SystemCall.SEMOP,
            SystemCall.SEMTIMEDOP,
            SystemCall.SEMCTL,
            SystemCall.MSGGET,
            SystemCall.MSGSND,
            SystemCall.MSGRCV,
            SystemCall.MSGCTL,
            SystemCall.MQ_OPEN,
            SystemCall.MQ_UNLINK,
            SystemCall.MQ_TIMEDSEND,
            SystemCall.MQ_TIMEDRECEIVE,
            SystemCall.MQ_NOTIFY,
            SystemCall.MQ_GETSETATTR,
            SystemCall.MEMFD_CREATE,
            // Servers.
            SystemCall.LISTEN,
            SystemCall.ACCEPT,
            SystemCall.ACCEPT4,
            // Parts of the kernel with many holes in the past, which no engine needs.
            SystemCall.PERF_EVENT_OPEN,
            SystemCall.BPF,
            SystemCall.USERFAULTFD,
            SystemCall.ADD_KEY,
            SystemCall.REQUEST_KEY,
            SystemCall.KEYCTL,
            SystemCall.SPLICE,
            SystemCall.TEE,
            SystemCall.VMSPLICE,
            SystemCall.MODIFY_LDT,
            SystemCall.REMAP_FILE_PAGES,
            SystemCall.USELIB,
            SystemCall.SYSFS,
            SystemCall.SYSCTL,
            SystemCall.NFSSERVCTL,
            SystemCall.LOOKUP_DCOOKIE,
            // Mounts and namespaces.
            SystemCall.MOUNT,
            SystemCall.UMOUNT2,
            SystemCall.PIVOT_ROOT,
            SystemCall.CHROOT,
            SystemCall.UNSHARE,
            SystemCall.SETNS,
            SystemCall.OPEN_BY_HANDLE_AT,
            SystemCall.NAME_TO_HANDLE_AT,
            // Notification of file changes by other processes: Landlock does not restrict it.
            SystemCall.FANOTIFY_INIT,
            SystemCall.FANOTIFY_MARK,
            SystemCall.INOTIFY_INIT,
            SystemCall.INOTIFY_INIT1,
            SystemCall.INOTIFY_ADD_WATCH,
            // Free space of file systems by path: Landlock does not restrict it, and an answer reveals that a path
            // exists.
            SystemCall.STATFS,
            SystemCall.USTAT,
            // The machine as a whole.
            SystemCall.REBOOT,
            SystemCall.KEXEC_LOAD,
            SystemCall.KEXEC_FILE_LOAD,
            SystemCall.INIT_MODULE,
            SystemCall.FINIT_MODULE,
            SystemCall.DELETE_MODULE,
            SystemCall.CREATE_MODULE,
            SystemCall.QUERY_MODULE,
            SystemCall.GET_KERNEL_SYMS,
            SystemCall.SWAPON,
            SystemCall.SWAPOFF,
            SystemCall.ACCT,
            SystemCall.QUOTACTL,
            SystemCall.SYSLOG,
            SystemCall.IOPL,
            SystemCall.IOPERM,
            SystemCall.SETHOSTNAME,
            SystemCall.SETDOMAINNAME,
            SystemCall.SETTIMEOFDAY,
            SystemCall.CLOCK_SETTIME,
            SystemCall.CLOCK_ADJTIME,
            SystemCall.ADJTIMEX,
            SystemCall.VHANGUP,
            // Writing back the buffers of whole file systems blocks the database.
            SystemCall.SYNC,
            SystemCall.SYNCFS,
            // Processors and memory nodes.
            SystemCall.SCHED_SETAFFINITY,
            SystemCall.SCHED_SETSCHEDULER,
            SystemCall.SCHED_SETPARAM,
            SystemCall.SCHED_SETATTR,
            SystemCall.MBIND,
            SystemCall.SET_MEMPOLICY,
            // The same by calls that are newer.
            SystemCall.PIDFD_SEND_SIGNAL,
            SystemCall.PIDFD_OPEN,
            SystemCall.PIDFD_GETFD,
            SystemCall.PROCESS_MADVISE,
            SystemCall.PROCESS_MRELEASE,
            SystemCall.MOVE_MOUNT,
            SystemCall.OPEN_TREE,
            SystemCall.FSOPEN,
            SystemCall.FSCONFIG,
            SystemCall.FSMOUNT,
            SystemCall.FSPICK,
            SystemCall.MOUNT_SETATTR);

    /** Calls refused as unknown to the kernel, so that callers fall back to calls whose arguments the filter can check. */
    private static final List<SystemCall> UNKNOWN = List.of(
            SystemCall.CLONE3,
            SystemCall.IO_URING_SETUP,
            SystemCall.IO_URING_ENTER,
            SystemCall.IO_URING_REGISTER,
            // The number of these requests is bounded for the whole machine, databases included.
            SystemCall.IO_SETUP,
            SystemCall.IO_DESTROY,
            SystemCall.IO_SUBMIT,
            SystemCall.IO_CANCEL,
            SystemCall.IO_GETEVENTS,
            SystemCall.IO_PGETEVENTS);

    /** Last system call before both families began to number new ones alike (Linux 5.1). */
    private static final int NEWER = 335;

    /**
     * Newer calls that are allowed. Kernels get more of them each year; a call that is not listed fails as if the kernel did not
     * have it, and callers fall back.
     */
    private static final List<SystemCall> NEWER_ALLOWED = List.of(
            SystemCall.CLOSE_RANGE,
            SystemCall.OPENAT2,
            SystemCall.FACCESSAT2,
            SystemCall.EPOLL_PWAIT2,
            SystemCall.FUTEX_WAITV,
            SystemCall.FUTEX_WAKE,
            SystemCall.FUTEX_WAIT,
            SystemCall.FUTEX_REQUEUE,
            SystemCall.CACHESTAT,
            SystemCall.FCHMODAT2,
            SystemCall.MAP_SHADOW_STACK,
            SystemCall.MSEAL,
            SystemCall.SETXATTRAT,
            SystemCall.GETXATTRAT,
            SystemCall.LISTXATTRAT,
            SystemCall.REMOVEXATTRAT,
            SystemCall.FILE_GETATTR);

    /** The first argument names a process; 0 is the caller itself. */
    private static final List<SystemCall> OF_ITSELF_ONLY =
            List.of(SystemCall.PRLIMIT64, SystemCall.MIGRATE_PAGES, SystemCall.MOVE_PAGES);

    private final Architecture architecture;
    private final List<long[]> instructions = new ArrayList<>();

    private SystemCallFilter(Architecture architecture) {
        this.architecture = architecture;
    }

    /** The instructions for a purpose, in the kernel's binary form. */
    static byte[] of(ProcessPurpose purpose, Architecture architecture) {
        var filter = new SystemCallFilter(architecture);
        filter.checkFamily();
        REFUSED.forEach(call -> filter.refuse(call, EPERM));
        UNKNOWN.forEach(call -> filter.refuse(call, ENOSYS));
        OF_ITSELF_ONLY.forEach(call -> filter.allowOnly(call, 0, EPERM, 0));
        // These two take "which" before "who"; a user or a group would select all processes of this process's user.
        filter.allowOnlyPair(SystemCall.SETPRIORITY, PRIO_PROCESS, 0);
        filter.allowOnlyPair(SystemCall.IOPRIO_SET, IOPRIO_WHO_PROCESS, 0);
        // The caller may query its execution domain, and set it to Linux.
        filter.allowOnly(SystemCall.PERSONALITY, 0, EPERM, 0, ASK_PERSONALITY);
        // A process may test for a process (signal 0), and may signal its own threads.
        filter.allowOnly(SystemCall.KILL, 1, EPERM, 0);
        filter.allowOnly(SystemCall.TGKILL, 2, EPERM, 0, SIGABRT, SIGUSR2, SIGURG);
        filter.refuseValues(SystemCall.FCNTL, 1, F_SETOWN, F_SETSIG, F_SETOWN_EX);
        filter.refuseValues(SystemCall.IOCTL, 1, FIOSETOWN, SIOCSPGRP);
        filter.threadsOnly();
        filter.network();
        filter.newer();
        filter.add(RETURN, 0, 0, ALLOW);
        return filter.encoded();
    }

    private void network() {
        OF_NETWORK.forEach(call -> refuse(call, EACCES));
        refuseFlag(SystemCall.SENDTO, 3, MSG_FASTOPEN, EACCES);
        refuseFlag(SystemCall.SENDMSG, 2, MSG_FASTOPEN, EACCES);
    }

    private void refuseFlag(SystemCall call, int argument, int flag, int error) {
        add(JUMP_IF_EQUAL, 0, 4, call.on(architecture));
        loadArgument(argument);
        add(JUMP_IF_BITS, 0, 1, flag);
        add(RETURN, 0, 0, FAIL | error);
        add(RETURN, 0, 0, ALLOW);
    }

    private void checkFamily() {
        load(FAMILY_OFFSET);
        add(JUMP_IF_EQUAL, 1, 0, architecture.auditNumber());
        add(RETURN, 0, 0, KILL_PROCESS);
        load(NUMBER_OFFSET);
        add(JUMP_IF_GREATER_OR_EQUAL, 0, 1, OTHER_CONVENTION);
        add(RETURN, 0, 0, FAIL | ENOSYS);
    }

    private void refuse(SystemCall call, int error) {
        if (call.on(architecture) >= 0) {
            add(JUMP_IF_EQUAL, 0, 1, call.on(architecture));
            add(RETURN, 0, 0, FAIL | error);
        }
    }

    private void newer() {
        for (var call : NEWER_ALLOWED) {
            add(JUMP_IF_EQUAL, 0, 1, call.on(architecture));
            add(RETURN, 0, 0, ALLOW);
        }
        add(JUMP_IF_GREATER_OR_EQUAL, 0, 1, NEWER);
        add(RETURN, 0, 0, FAIL | ENOSYS);
    }

    private void allowOnlyPair(SystemCall call, int first, int second) {
        add(JUMP_IF_EQUAL, 0, 6, call.on(architecture));
        loadArgument(0);
        add(JUMP_IF_EQUAL, 0, 3, first);
        loadArgument(1);
        add(JUMP_IF_EQUAL, 0, 1, second);
        add(RETURN, 0, 0, ALLOW);
        add(RETURN, 0, 0, FAIL | EPERM);
    }

    private void allowOnly(SystemCall call, int argument, int error, int... values) {
        add(JUMP_IF_EQUAL, 0, values.length + 3, call.on(architecture));
        loadArgument(argument);
        for (var index = 0; index < values.length; index++) {
            add(JUMP_IF_EQUAL, values.length - index, 0, values[index]);
        }
        add(RETURN, 0, 0, FAIL | error);
        add(RETURN, 0, 0, ALLOW);
    }

    private void refuseValues(SystemCall call, int argument, int... values) {
        add(JUMP_IF_EQUAL, 0, values.length + 3, call.on(architecture));
        loadArgument(argument);
        for (var index = 0; index < values.length; index++) {
            add(JUMP_IF_EQUAL, values.length - index, 0, values[index]);
        }
        add(RETURN, 0, 0, ALLOW);
        add(RETURN, 0, 0, FAIL | EPERM);
    }

    /** Refuses further processes, and with them new namespaces. */
    private void threadsOnly() {
        add(JUMP_IF_EQUAL, 0, 4, SystemCall.CLONE.on(architecture));
        loadArgument(0);
        add(JUMP_IF_BITS, 1, 0, CLONE_THREAD);
        add(RETURN, 0, 0, FAIL | EPERM);
        add(RETURN, 0, 0, ALLOW);
    }

    private void load(int offset) {
        add(LOAD_WORD, 0, 0, offset);
    }

    /** Loads the lower half of an argument on little-endian machines. */
    private void loadArgument(int index) {
        load(ARGUMENTS_OFFSET + 8 * index);
    }

    private void add(int code, int ifTrue, int ifFalse, int operand) {
        instructions.add(new long[] {code, ifTrue, ifFalse, operand});
    }

    private byte[] encoded() {
        var bytes = ByteBuffer.allocate(8 * instructions.size()).order(ByteOrder.LITTLE_ENDIAN);
        for (var instruction : instructions) {
            bytes.putShort((short) instruction[0])
                    .put((byte) instruction[1])
                    .put((byte) instruction[2])
                    .putInt((int) instruction[3]);
        }
        return bytes.array();
    }
}
