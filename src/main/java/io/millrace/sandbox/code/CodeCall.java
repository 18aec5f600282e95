package io.millrace.sandbox.code;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/**
 * One call of a program.
 *
 * @param key whose turn it is when calls wait: the project's id
 * @param inputs the argument of the code; not to be changed before the call has ended
 */
public record CodeCall(String key, CodeProgram program, JsonNode inputs, CodeLimits limits) {
    public CodeCall {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(program, "program");
        Objects.requireNonNull(inputs, "inputs");
        Objects.requireNonNull(limits, "limits");
    }
}
