package io.millrace.app;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the signal SIGHUP, which would end the process by default. Java supports signals only by an internal API that causes
 * compiler warnings, so it is called by reflection (decision 0451).
 */
final class HangUpSignal {
    private static final Logger LOG = LoggerFactory.getLogger(HangUpSignal.class);
    private static final String NAME = "HUP";

    private HangUpSignal() {}

    /** From now on the signal does this, on a thread of the virtual machine for each. */
    static void take(Runnable action) {
        try {
            var signal = Class.forName("sun.misc.Signal");
            var handler = Class.forName("sun.misc.SignalHandler");
            var before = signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(NAME), proxy(handler, action));
            // Under nohup the signal is ignored, and the JVM keeps that disposition.
            if (handler.getField("SIG_IGN").get(null).equals(before)) {
                LOG.info("the process was started with SIGHUP ignored (nohup); restart to load changed settings");
            }
        } catch (ReflectiveOperationException | IllegalArgumentException untaken) {
            LOG.warn("cannot handle SIGHUP, restart to load changed settings: {}", reason(untaken));
        }
    }

    private static Object proxy(Class<?> handler, Runnable action) {
        return Proxy.newProxyInstance(
                handler.getClassLoader(),
                new Class<?>[] {handler},
                (self, method, arguments) -> answer(self, method, arguments, action));
    }

    /** A handler is equal to itself alone. */
    @SuppressWarnings("ReferenceEquality")
    private static Object answer(Object self, Method method, Object[] arguments, Runnable action) {
        return switch (method.getName()) {
            case "handle" -> {
                action.run();
                yield null;
            }
            case "equals" -> self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> "handler of SIG" + NAME;
        };
    }

    private static Throwable reason(Exception untaken) {
        return untaken.getCause() == null ? untaken : untaken.getCause();
    }
}
