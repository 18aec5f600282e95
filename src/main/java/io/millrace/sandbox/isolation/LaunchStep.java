package io.millrace.sandbox.isolation;

import java.nio.ByteBuffer;
import java.util.List;

record LaunchStep(SystemCall call, List<Operand> operands, Failure failure) {
    sealed interface Operand {
        record Constant(long value) implements Operand {}

        /** The address of bytes that the program carries. */
        record Bytes(ByteBuffer content) implements Operand {}

        /** The address of a structure of a count and the address of the bytes that are counted. */
        record Counted(ByteBuffer content, int count) implements Operand {}

        /** The address of a word of the command line; 0 is the program itself. */
        record Word(int index) implements Operand {}

        /** The address of the list of words from there on. */
        record WordsFrom(int index) implements Operand {}

        /** The address of the list of environment variables. */
        record Environment() implements Operand {}
    }

    sealed interface Failure {
        /** The program ends with a status, and the command is not run. */
        record End(int status) implements Failure {}

        /** Skips this number of following steps; with 0 the error is ignored. */
        record Skip(int steps) implements Failure {}
    }
}
