package io.millrace.sandbox.program;

import io.millrace.sandbox.code.CodeCall;
import io.millrace.sandbox.code.CodeExpression;
import io.millrace.sandbox.code.CodeProgram;
import io.millrace.sandbox.code.CodeRunner;
import io.millrace.sandbox.code.RunningCode;

/** Runs programs and expressions, each in the engine that it was compiled for. */
public final class CodeEngines {
    private final CodeRunner workers;
    private final NodeCode node;

    public CodeEngines(CodeRunner workers, NodeCode node) {
        this.workers = workers;
        this.node = node;
    }

    /** Starts a first worker in the background; a Node.js process is started when one is needed. */
    public void warmUp() {
        workers.warmUp();
    }

    /** Calls the program's function with the inputs. */
    public RunningCode run(CodeCall call) {
        return call.program().form() == CodeProgram.Form.NODE ? node.run(call) : workers.run(call);
    }

    /** Evaluates the expression; its value is the output. */
    public RunningCode evaluate(CodeExpression expression) {
        return workers.evaluate(expression);
    }
}
