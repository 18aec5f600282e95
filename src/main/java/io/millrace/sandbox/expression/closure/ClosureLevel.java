package io.millrace.sandbox.expression.closure;

final class ClosureLevel {
    private final int depth;
    private int size;

    ClosureLevel(int depth) {
        this.depth = depth;
    }

    ClosureLevel inner() {
        return new ClosureLevel(depth + 1);
    }

    int depth() {
        return depth;
    }

    int size() {
        return size;
    }

    int newSlot() {
        return size++;
    }
}
