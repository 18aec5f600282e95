package io.millrace.hostile;

import java.io.IOException;

/** Sends a few wrong passwords. */
final class SignInFlood implements Attack {
    private static final int GUESSES = 5;

    @Override
    public void once(AttackTarget target, AnswerCounts answers) throws IOException {
        for (var guess = 0; guess < GUESSES && !target.isOver(); guess++) {
            var since = System.nanoTime();
            var body = "{\"email\":\"owner@example.com\",\"password\":\"guess number " + guess + "\"}";
            try (var wire = Wire.open(target.port())) {
                wire.send(AttackTarget.head("/api/v1/authentication/sign-in", "Content-Type: application/json\r\n")
                        + "Content-Length: " + body.length() + "\r\n\r\n" + body);
                answers.add("sign-in with a guess", wire.status(), since);
            }
        }
    }
}
