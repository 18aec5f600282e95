package io.millrace.sandbox.isolation;

/** Numbers of system calls on both families; -1 where a family does not have it. Those added since 5.1 have one number. */
enum SystemCall {
    ACCEPT(43, 202),
    ACCEPT4(288, 242),
    ACCT(163, 89),
    ADD_KEY(248, 217),
    BIND(49, 200),
    BPF(321, 280),
    CAPSET(126, 91),
    CHROOT(161, 51),
    CLONE(56, 220),
    CLONE3(435),
    CLOSE(3, 57),
    CLOSE_RANGE(436),
    CONNECT(42, 203),
    DELETE_MODULE(176, 106),
    EXECVE(59, 221),
    EXIT_GROUP(231, 94),
    FCNTL(72, 25),
    FINIT_MODULE(313, 273),
    FORK(57, -1),
    FSCONFIG(431),
    FSMOUNT(432),
    FSOPEN(430),
    FSPICK(433),
    INIT_MODULE(175, 105),
    IOCTL(16, 29),
    IOPERM(173, -1),
    IOPL(172, -1),
    IOPRIO_SET(251, 30),
    IO_URING_ENTER(426),
    IO_URING_REGISTER(427),
    IO_URING_SETUP(425),
    KCMP(312, 272),
    KEXEC_LOAD(246, 104),
    KEYCTL(250, 219),
    KILL(62, 129),
    LANDLOCK_ADD_RULE(445),
    LANDLOCK_CREATE_RULESET(444),
    LANDLOCK_RESTRICT_SELF(446),
    LISTEN(50, 201),
    MIGRATE_PAGES(256, 238),
    MOUNT(165, 40),
    MOUNT_SETATTR(442),
    MOVE_MOUNT(429),
    MOVE_PAGES(279, 239),
    OPENAT(257, 56),
    OPEN_BY_HANDLE_AT(304, 265),
    OPEN_TREE(428),
    PERF_EVENT_OPEN(298, 241),
    PIDFD_GETFD(438),
    PIDFD_OPEN(434),
    PIDFD_SEND_SIGNAL(424),
    PIVOT_ROOT(155, 41),
    PRCTL(157, 167),
    PRLIMIT64(302, 261),
    PROCESS_MADVISE(440),
    PROCESS_MRELEASE(448),
    PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271),
    PTRACE(101, 117),
    QUOTACTL(179, 60),
    REBOOT(169, 142),
    REQUEST_KEY(249, 218),
    RT_SIGQUEUEINFO(129, 138),
    RT_TGSIGQUEUEINFO(297, 240),
    SCHED_SETAFFINITY(203, 122),
    SCHED_SETATTR(314, 274),
    SCHED_SETPARAM(142, 118),
    SCHED_SETSCHEDULER(144, 119),
    SECCOMP(317, 277),
    SENDMMSG(307, 269),
    SENDMSG(46, 211),
    SENDTO(44, 206),
    SETGROUPS(116, 159),
    SETNS(308, 268),
    SETPRIORITY(141, 140),
    SETRESGID(119, 149),
    SETRESUID(117, 147),
    SOCKET(41, 198),
    SOCKETPAIR(53, 199),
    SWAPOFF(168, 225),
    SWAPON(167, 224),
    SYSLOG(103, 116),
    TGKILL(234, 131),
    TKILL(200, 130),
    UMOUNT2(166, 39),
    UNSHARE(272, 97),
    USERFAULTFD(323, 282),
    VFORK(58, -1),
    WRITE(1, 64);

    private final int onX86;
    private final int onArm;

    SystemCall(int everywhere) {
        this(everywhere, everywhere);
    }

    SystemCall(int onX86, int onArm) {
        this.onX86 = onX86;
        this.onArm = onArm;
    }

    /** Number on a family; negative when the family does not have the call. */
    int on(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> onX86;
            case AARCH64 -> onArm;
        };
    }
}
