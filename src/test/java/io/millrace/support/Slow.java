package io.millrace.support;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test class of the slow lane: {@code scripts/check} runs it, {@code scripts/check --fast} does not. Each class of the
 * fast lane takes at most a few seconds and starts no program that a user starts.
 */
@Tag("slow")
@Inherited
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Slow {
    /** The reason. */
    Reason value();

    /** Reasons for which a class is not in the fast lane. */
    enum Reason {
        /** Pages in Chromium. */
        BROWSER,
        /** Kills of servers, a database that is lost, a full disk. */
        FAULT,
        /** Attacks on a fence, with processes that are ended for what they use. */
        HOSTILE,
        /** The server or its command line as a separate process. */
        PROCESS,
        /** Waits for periods that a setting cannot shorten, or hundreds of requests. */
        DURATION
    }
}
