package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.base.net.Fence;
import java.util.Objects;

/**
 * One call of a program.
 *
 * @param key id of the project, for fair queueing
 * @param inputs argument of the code; must not be changed before the call has ended
 * @param fence permission to make the call, checked when a process with external access is ready for it
 */
public record CodeCall(String key, CodeProgram program, JsonNode inputs, CodeLimits limits, Fence fence) {
    public CodeCall {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(limits, "limits");
        Objects.requireNonNull(fence, "fence");
    }

    /** A call that no other node can make as well, so it needs no fence. */
    public CodeCall(String key, CodeProgram program, JsonNode inputs, CodeLimits limits) {
        this(key, program, inputs, limits, Fence.OPEN);
    }
}
