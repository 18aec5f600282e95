package io.millrace.base.coding;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** XXH64 without a seed: detects damage, not forgery. Pure. */
final class XxHash64 {
    private static final long P1 = 0x9E3779B185EBCA87L;
    private static final long P2 = 0xC2B2AE3D27D4EB4FL;
    private static final long P3 = 0x165667B19E3779F9L;
    private static final long P4 = 0x85EBCA77C2B2AE63L;
    private static final long P5 = 0x27D4EB2F165667C5L;
    private static final long P1_AND_P2 = 0x60EA27EEADC0B5D6L;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private XxHash64() {}

    static long of(byte[] bytes, int start, int end) {
        var at = start;
        long hash;
        if (end - start >= 32) {
            long a = P1_AND_P2;
            long b = P2;
            long c = 0;
            long d = -P1;
            for (; at + 32 <= end; at += 32) {
                a = round(a, (long) LONGS.get(bytes, at));
                b = round(b, (long) LONGS.get(bytes, at + 8));
                c = round(c, (long) LONGS.get(bytes, at + 16));
                d = round(d, (long) LONGS.get(bytes, at + 24));
            }
            hash = Long.rotateLeft(a, 1) + Long.rotateLeft(b, 7) + Long.rotateLeft(c, 12) + Long.rotateLeft(d, 18);
            for (var lane : new long[] {a, b, c, d}) {
                hash = (hash ^ round(0, lane)) * P1 + P4;
            }
        } else {
            hash = P5;
        }
        return mixed(rest(hash + end - start, bytes, at, end));
    }

    private static long rest(long begun, byte[] bytes, int start, int end) {
        var hash = begun;
        var at = start;
        for (; at + 8 <= end; at += 8) {
            hash = Long.rotateLeft(hash ^ round(0, (long) LONGS.get(bytes, at)), 27) * P1 + P4;
        }
        if (at + 4 <= end) {
            hash = Long.rotateLeft(hash ^ ((int) INTS.get(bytes, at) & 0xffffffffL) * P1, 23) * P2 + P3;
            at += 4;
        }
        for (; at < end; at++) {
            hash = Long.rotateLeft(hash ^ (bytes[at] & 0xff) * P5, 11) * P1;
        }
        return hash;
    }

    private static long round(long lane, long input) {
        return Long.rotateLeft(lane + input * P2, 31) * P1;
    }

    private static long mixed(long hash) {
        var mixed = (hash ^ hash >>> 33) * P2;
        mixed = (mixed ^ mixed >>> 29) * P3;
        return mixed ^ mixed >>> 32;
    }
}
