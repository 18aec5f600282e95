package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.net.Fence;
import java.util.Objects;

/**
 * One call of a program.
 *
 * @param key whose turn it is when calls wait: the project's id
 * @param inputs the argument of the code; not to be changed before the call has ended
 * @param fence permission to make the call, checked when a process that can reach the outside is ready for it
 */
public record CodeCall(String key, CodeProgram program, JsonNode inputs, CodeLimits limits, Fence fence) {
    public CodeCall {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(fence, "fence");
    }

    /** A call that no other node makes. */
    public CodeCall(String key, CodeProgram program, JsonNode inputs, CodeLimits limits) {
        this(key, program, inputs, limits, Fence.OPEN);
    }
}
