package io.millrace.hostile;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All attacks, concurrently on separate threads, until the end of the load. */
final class Assault {
    private static final Duration STOP_PATIENCE = Duration.ofSeconds(60);

    private final AttackTarget target;
    private final AnswerCounts answers = new AnswerCounts();
    private final List<Thread> callers = new ArrayList<>();

    private Assault(AttackTarget target) {
        this.target = target;
    }

    static Assault begin(AttackTarget target, List<Attack.Wave> waves) {
        var assault = new Assault(target);
        for (var wave : waves) {
            for (var caller = 0; caller < wave.callers(); caller++) {
                assault.callers.add(Thread.ofVirtual().start(() -> assault.repeat(wave)));
            }
        }
        return assault;
    }

    private void repeat(Attack.Wave wave) {
        try {
            while (!target.isOver()) {
                once(wave.attack());
                target.pause(wave.pause());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void once(Attack attack) throws InterruptedException {
        var since = System.nanoTime();
        try {
            attack.once(target, answers);
        } catch (IOException refused) {
            answers.add("cut off: " + attack.getClass().getSimpleName(), AnswerCounts.NONE, since);
        }
    }

    /** Waits until all callers have stopped; interrupts a caller that the server neither reads nor answers. */
    AnswerCounts finish() throws InterruptedException {
        for (var caller : callers) {
            var left = target.end() + STOP_PATIENCE.toNanos() - System.nanoTime();
            if (!caller.join(Duration.ofNanos(Math.max(1, left)))) {
                caller.interrupt();
                caller.join();
            }
        }
        return answers;
    }
}
