package io.millrace.hostile;

import java.util.ArrayList;
import java.util.List;

/** Cases of one kind of attack, by result. Not thread-safe. */
final class KindTally {
    private static final int REASONS_MAX = 20;

    private final List<String> falls = new ArrayList<>();
    private final List<String> reasons = new ArrayList<>();
    private int held;
    private int fell;
    private int untried;

    void hold() {
        held++;
    }

    void hold(int cases) {
        held += cases;
    }

    /** @param message case and failure, on one line */
    void fall(String message) {
        fell++;
        note(falls, message);
    }

    /** @param reason missing prerequisite of this machine, for example a kernel without Landlock */
    void leave(String reason) {
        untried++;
        note(reasons, reason);
    }

    private static void note(List<String> notes, String text) {
        if (notes.size() < REASONS_MAX && !notes.contains(text)) {
            notes.add(text);
        }
    }

    int tried() {
        return held + fell;
    }

    int held() {
        return held;
    }

    int fell() {
        return fell;
    }

    int untried() {
        return untried;
    }

    /** Messages of the first cases that fell. */
    List<String> falls() {
        return List.copyOf(falls);
    }

    /** Reasons of the first cases that were not tried. */
    List<String> reasons() {
        return List.copyOf(reasons);
    }
}
