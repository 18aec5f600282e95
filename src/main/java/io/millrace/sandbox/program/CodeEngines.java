package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.RunningCode;
import io.millrace.sandbox.expression.closure.CodeClosure;
import java.util.Optional;

/** Runs programs and expressions, each in the engine that it was compiled for. */
public final class CodeEngines {
    private final WorkerCode workers;
    private final NodeCode node;
    private final NodeCode python;

    public CodeEngines(WorkerCode workers, NodeCode node, NodeCode python) {
        this.workers = workers;
        this.node = node;
        this.python = python;
    }

    /** Starts a first worker in the background, for expressions beyond the grammar. */
    public void warmUp() {
        workers.warmUp();
    }

    /** Starts a first worker in the background if the program needs one; a Node.js process is started when one is needed. */
    public void warmUp(CodeProgram program) {
        workers.warmUp(program);
    }

    /** The program as a closure that runs in the server (decision 0440); empty if it needs a process. */
    public Optional<CodeClosure> closure(CodeProgram program) {
        return workers.closure(program);
    }

    public RunningCode run(CodeCall call) {
        return switch (call.program().form()) {
            case NODE -> node.run(call);
            case PYTHON -> python.run(call);
            case COMMON_JS, MODULE -> workers.run(call);
        };
    }

    public RunningCode evaluate(CodeExpression expression) {
        return workers.evaluate(expression);
    }
}
