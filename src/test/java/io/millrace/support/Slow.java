package io.millrace.support;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * Test class of the slow lane: {@code scripts/check} runs it, {@code scripts/check --fast} does not. Each class of the
 * fast lane takes at most a few seconds and starts no program of its own.
 */
@Tag("slow")
@Inherited
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Slow {
    Reason value();

    /** Reasons for which a class is not in the fast lane. */
    enum Reason {
        /** Pages in Chromium. */
        BROWSER,
        /** Killed servers, a lost database, a full disk. */
        FAULT,
        /** Attacks on the sandbox, with processes that are killed for their resource use. */
        HOSTILE,
        /** The server or its command line as a separate process. */
        PROCESS,
        /** Periods that a setting cannot shorten, or hundreds of requests. */
        DURATION
    }
}
