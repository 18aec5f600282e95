package io.millrace.sandbox.isolation;

import java.io.ByteArrayOutputStream;

/**
 * The machine instructions of a {@link LaunchProgram}. The length of each one does not depend on its operands, so a first pass with
 * unknown addresses has the same size as the last one.
 */
sealed interface MachineCode {
    static MachineCode of(Architecture architecture) {
        return switch (architecture) {
            case X86_64 -> new OnX86();
            case AARCH64 -> new OnArm();
        };
    }

    int position();

    byte[] bytes();

    /** Saves the address of the program's command line words. */
    void begin();

    void operand(int index, long value);

    /** Loads the n-th word above the stack's top into the register of an operand. */
    void operandFromStack(int index, int word);

    /** Loads the address of the n-th word above the stack's top. */
    void operandStackAddress(int index, int word);

    /** Loads the address of the environment, which follows the words counted at the stack's top and a null. */
    void operandEnvironment(int index);

    void call(int number);

    void jumpOnError(int target);

    abstract sealed class Output implements MachineCode {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();

        @Override
        public int position() {
            return out.size();
        }

        @Override
        public byte[] bytes() {
            return out.toByteArray();
        }
    }

    final class OnX86 extends Output {
        /** First bytes of "move a number of 64 bits" for rdi, rsi, rdx, r10, r8. */
        private static final int[][] MOVES = {{0x48, 0xBF}, {0x48, 0xBE}, {0x48, 0xBA}, {0x49, 0xBA}, {0x49, 0xB8}};

        /** Second byte of an instruction with one of the first three registers and an address relative to r12. */
        private static final int[] BESIDE_R12 = {0xBC, 0xB4, 0x94};

        @Override
        public void begin() {
            put(0x49, 0x89, 0xE4); // mov r12, rsp
        }

        @Override
        public void operand(int index, long value) {
            put(MOVES[index]);
            number(value, Long.BYTES);
        }

        @Override
        public void operandFromStack(int index, int word) {
            put(0x49, 0x8B, BESIDE_R12[index], 0x24); // mov register, [r12 + …]
            number(8L * word, Integer.BYTES);
        }

        @Override
        public void operandStackAddress(int index, int word) {
            put(0x49, 0x8D, BESIDE_R12[index], 0x24); // lea register, [r12 + …]
            number(8L * word, Integer.BYTES);
        }

        @Override
        public void operandEnvironment(int index) {
            put(0x49, 0x8B, 0x04, 0x24); // mov rax, [r12]
            put(0x49, 0x8D, BESIDE_R12[index] - 0x40, 0xC4, 16); // lea register, [r12 + rax * 8 + 16]
        }

        @Override
        public void call(int number) {
            put(0x48, 0xB8); // mov rax, …
            number(number, Long.BYTES);
            put(0x0F, 0x05); // syscall
        }

        @Override
        public void jumpOnError(int target) {
            put(0x48, 0x85, 0xC0); // test rax, rax
            put(0x0F, 0x88); // js …
            number(target - (position() + Integer.BYTES), Integer.BYTES);
        }

        private void put(int... values) {
            for (var value : values) {
                out.write(value);
            }
        }

        private void number(long value, int length) {
            for (var index = 0; index < length; index++) {
                out.write((int) (value >> 8 * index));
            }
        }
    }

    /** Instructions of four bytes. Registers x0 to x4 hold operands, x8 the number of a call. */
    final class OnArm extends Output {
        private static final int NUMBER_REGISTER = 8;
        private static final int SCRATCH_REGISTER = 9;
        private static final int STACK_REGISTER = 19;
        private static final int JUMP_MASK = 0x3FFFFFF;

        @Override
        public void begin() {
            put(0x910003E0 | STACK_REGISTER); // mov x19, sp
        }

        @Override
        public void operand(int index, long value) {
            put(0xD2800000 | half(value, 0) << 5 | index); // movz
            for (var part = 1; part < 4; part++) {
                put(0xF2800000 | part << 21 | half(value, part) << 5 | index); // movk
            }
        }

        @Override
        public void operandFromStack(int index, int word) {
            put(0xF9400000 | word << 10 | STACK_REGISTER << 5 | index); // ldr register, [x19, …]
        }

        @Override
        public void operandStackAddress(int index, int word) {
            put(0x91000000 | 8 * word << 10 | STACK_REGISTER << 5 | index); // add register, x19, …
        }

        @Override
        public void operandEnvironment(int index) {
            operandFromStack(SCRATCH_REGISTER, 0);
            put(0x8B000000 | SCRATCH_REGISTER << 16 | 3 << 10 | STACK_REGISTER << 5 | index); // add …, x19, x9, lsl 3
            put(0x91000000 | 16 << 10 | index << 5 | index); // add …, …, 16
        }

        @Override
        public void call(int number) {
            operand(NUMBER_REGISTER, number);
            put(0xD4000001); // svc
        }

        @Override
        public void jumpOnError(int target) {
            // A conditional jump has a short range, so it skips an unconditional one.
            put(0xB6F80040); // tbz x0, 63, +8
            put(0x14000000 | (target - position()) / 4 & JUMP_MASK); // b …
        }

        private static int half(long value, int part) {
            return (int) (value >>> 16 * part) & 0xFFFF;
        }

        private void put(int instruction) {
            for (var index = 0; index < Integer.BYTES; index++) {
                out.write(instruction >> 8 * index);
            }
        }
    }
}
