package io.millrace.sandbox.isolation;

import io.millrace.sandbox.isolation.LaunchStep.Failure;
import io.millrace.sandbox.isolation.LaunchStep.Operand;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * An executable file that makes a sequence of system calls, the last of which executes another program. A process must drop its
 * rights itself between its fork and its first instruction; the JVM has no hook there, a shell cannot make these calls, and a
 * program in C would have to be built for each kind of host (decision 0098).
 *
 * <p>The file is a static ELF program of one read-only segment: instructions, then their data.
 */
final class LaunchProgram {
    private static final long ADDRESS = 0x400000;
    private static final int HEADER_BYTES = 64;
    private static final int SEGMENT_HEADER_BYTES = 56;
    private static final int START = HEADER_BYTES + 2 * SEGMENT_HEADER_BYTES;
    private static final int ALIGNMENT = 0x10000;
    private static final int LOADED = 1;
    private static final int STACK = 0x6474E551;
    private static final int READ_EXECUTE = 5;
    private static final int READ_WRITE = 6;
    private static final int WORD_BYTES = 8;
    private static final int COUNTED_BYTES = 2 * WORD_BYTES;

    private final Architecture architecture;
    private final List<LaunchStep> steps;
    private final IdentityHashMap<Operand, Integer> places = new IdentityHashMap<>();

    private LaunchProgram(Architecture architecture, List<LaunchStep> steps) {
        this.architecture = architecture;
        this.steps = steps;
    }

    static byte[] of(Architecture architecture, List<LaunchStep> steps) {
        var program = new LaunchProgram(architecture, steps);
        // The first pass only measures: where the instructions end, and where each step begins.
        var starts = new int[steps.size() + 1];
        var length = program.instructions(starts, 0).length;
        var dataBytes = program.place(START + length);
        var code = program.instructions(starts, length);
        var content = new byte[START + code.length + dataBytes];
        var file = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
        program.head(file);
        file.put(START, code);
        program.places.forEach((operand, place) -> write(file, operand, place));
        return content;
    }

    /** Assigns each content an address after the instructions; returns the total number of bytes. */
    private int place(int from) {
        var next = aligned(from);
        for (var step : steps) {
            for (var operand : step.operands()) {
                if (bytesOf(operand) > 0) {
                    places.put(operand, next);
                    next = aligned(next + bytesOf(operand));
                }
            }
        }
        return next - from;
    }

    private static int bytesOf(Operand operand) {
        return switch (operand) {
            case Operand.Bytes(var content) -> content.remaining();
            case Operand.Counted(var content, var _) -> COUNTED_BYTES + content.remaining();
            case Operand.Constant _, Operand.Word _, Operand.WordsFrom _, Operand.Environment _ -> 0;
        };
    }

    private static void write(ByteBuffer file, Operand operand, int place) {
        file.position(place);
        switch (operand) {
            case Operand.Bytes(var content) -> file.put(content.duplicate());
            case Operand.Counted(var content, var count) ->
                file.putLong(count).putLong(ADDRESS + place + COUNTED_BYTES).put(content.duplicate());
            case Operand.Constant _, Operand.Word _, Operand.WordsFrom _, Operand.Environment _ -> {}
        }
    }

    private static int aligned(int position) {
        return (position + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    }

    private byte[] instructions(int[] starts, int length) {
        var code = MachineCode.of(architecture);
        code.begin();
        for (var index = 0; index < steps.size(); index++) {
            starts[index] = code.position();
            add(steps.get(index), index, starts, length, code);
        }
        starts[steps.size()] = code.position();
        // The exits follow the last step: one for each status, in order.
        for (var status : statuses()) {
            code.operand(0, status);
            code.call(SystemCall.EXIT_GROUP.on(architecture));
        }
        return code.bytes();
    }

    private void add(LaunchStep step, int index, int[] starts, int length, MachineCode code) {
        for (var position = 0; position < step.operands().size(); position++) {
            switch (step.operands().get(position)) {
                case Operand.Constant(var value) -> code.operand(position, value);
                case Operand.Bytes _, Operand.Counted _ ->
                    code.operand(
                            position,
                            ADDRESS + places.getOrDefault(step.operands().get(position), 0));
                // The stack begins with the number of words, followed by the words.
                case Operand.Word(var word) -> code.operandFromStack(position, word + 1);
                case Operand.WordsFrom(var word) -> code.operandStackAddress(position, word + 1);
                case Operand.Environment() -> code.operandEnvironment(position);
            }
        }
        code.call(step.call().on(architecture));
        switch (step.failure()) {
            case Failure.Skip(var further) -> code.jumpOnError(length == 0 ? 0 : starts[index + 1 + further]);
            case Failure.End(var status) -> code.jumpOnError(length == 0 ? 0 : endOf(status, starts, length));
        }
    }

    private int endOf(int status, int[] starts, int length) {
        var ends = statuses();
        var each = (length - starts[steps.size()]) / ends.size();
        return starts[steps.size()] + each * ends.indexOf(status);
    }

    private List<Integer> statuses() {
        return steps.stream()
                .map(LaunchStep::failure)
                .filter(Failure.End.class::isInstance)
                .map(end -> ((Failure.End) end).status())
                .distinct()
                .sorted()
                .toList();
    }

    private void head(ByteBuffer file) {
        file.put(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
        file.putShort((short) 2)
                .putShort((short) architecture.elfMachine())
                .putInt(1)
                .putLong(ADDRESS + START)
                .putLong(HEADER_BYTES)
                .putLong(0)
                .putInt(0)
                .putShort((short) HEADER_BYTES)
                .putShort((short) SEGMENT_HEADER_BYTES)
                .putShort((short) 2)
                .putShort((short) 0)
                .putShort((short) 0)
                .putShort((short) 0);
        segment(file, LOADED, READ_EXECUTE, ADDRESS, file.capacity(), ALIGNMENT);
        segment(file, STACK, READ_WRITE, 0, 0, 2 * WORD_BYTES);
    }

    private static void segment(ByteBuffer file, int type, int rights, long address, long bytes, long alignment) {
        file.putInt(type)
                .putInt(rights)
                .putLong(0)
                .putLong(address)
                .putLong(address)
                .putLong(bytes)
                .putLong(bytes)
                .putLong(alignment);
    }
}
