package io.millrace.sandbox.share;

import java.util.Comparator;

/**
 * Decides which project gets the next process of a pool (decision 0365).
 *
 * <p>A project without a busy process gets one as long as fewer than {@link #ceiling} are busy. A further process needs a place
 * in the foreground: calls that take longer than {@link #LONG_MS} are in the background and hold none. Beyond the usual number of
 * processes, a project gets a further one only while it has fewer than are left, so that the places which are left shrink more
 * slowly the more of them are taken, and some always stay for projects that have none.
 *
 * @param usual processes in the foreground, and all that one project gets
 * @param ceiling busy processes of all projects together, as many as the memory allows
 */
public record ProcessShares(int usual, int ceiling) {
    /** Calls that have been in a process for so long are in the background. */
    public static final long LONG_MS = 1_000;

    /**
     * Processes of a pool that have a call or are being started for one.
     *
     * @param all every busy process
     * @param background busy processes with a long call
     */
    public record Busy(int all, int background) {
        int foreground() {
            return all - background;
        }
    }

    /**
     * A project that has a call waiting.
     *
     * @param held its busy processes
     * @param lastTurn number of the last turn it had; lower is longer ago
     */
    public record Claim(int held, long lastTurn) {
        /** The project with the fewest processes is served first, then the one whose last turn is longest ago. */
        public static final Comparator<Claim> ORDER =
                Comparator.comparingInt(Claim::held).thenComparingLong(Claim::lastTurn);
    }

    public ProcessShares {
        if (usual < 1 || ceiling < usual) {
            throw new IllegalArgumentException(
                    "expected 1 <= usual <= ceiling processes, but found " + usual + " and " + ceiling);
        }
    }

    /** Places that only projects without a busy process may take. */
    public int reserved() {
        return Math.ceilDiv(ceiling - usual, 2);
    }

    public boolean mayTake(int held, Busy busy) {
        if (busy.all() >= ceiling) {
            return false;
        }
        if (held == 0) {
            return true;
        }
        if (held >= usual || busy.foreground() >= usual) {
            return false;
        }
        return busy.all() < usual || held < ceiling - reserved() - busy.all();
    }

    /**
     * Number of processes, idle ones included, below which one is started for a project.
     *
     * @param held its busy processes
     */
    public int startsBelow(int held) {
        return held == 0 ? ceiling : Math.max(usual, ceiling - reserved());
    }

    /**
     * True if an idle process of another project is ended to make room for a project.
     *
     * @param held busy processes of the project that needs room
     * @param kept processes of the other one, the idle one included
     */
    public boolean mayEnd(int held, int kept) {
        return held < kept;
    }

    /**
     * True if one more call may wait. Projects with few waiting calls always keep some room.
     *
     * @param ofProject calls of the project that wait
     * @param all waiting calls of all projects
     * @param most limit of waiting calls of all projects
     */
    public static boolean mayWait(int ofProject, int all, int most) {
        return ofProject < most - all;
    }
}
