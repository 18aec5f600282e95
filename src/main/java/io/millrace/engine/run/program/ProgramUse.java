package io.millrace.engine.run.program;

import java.util.Optional;

/** The program of a flow version, and whether its walks are kept: one that is mostly left to the general engine costs twice. */
final class ProgramUse {
    private static final int LEFT_MAX = 16;
    private static final int PAUSE = 1_000;

    private final Optional<PureProgram> program;
    private int leftInSequence;
    private int pause;

    ProgramUse(Optional<PureProgram> program) {
        this.program = program;
    }

    PureProgram program() {
        return program.orElseThrow();
    }

    boolean isWorthTrying() {
        if (pause > 0) {
            pause--;
            return false;
        }
        return program.isPresent();
    }

    void tried(boolean isKept) {
        leftInSequence = isKept ? 0 : leftInSequence + 1;
        if (leftInSequence == LEFT_MAX) {
            leftInSequence = 0;
            pause = PAUSE;
        }
    }
}
