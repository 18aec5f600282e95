package io.millrace.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The verdict detects each kind of damage: a tool that missed one would prove nothing. */
final class AttackVerdictTest {
    private static AnswerCounts answers(int... statuses) {
        var answers = new AnswerCounts();
        for (var status : statuses) {
            answers.add("somebody", status, System.nanoTime());
        }
        return answers;
    }

    private static AttackVerdict verdict(AnswerCounts attacks, AnswerCounts calm) {
        return new AttackVerdict(true, true, attacks, calm, 40, 60);
    }

    @Test
    void hasNoObjection_whenAttackersAreRefusedOrCutOff_andTheCalmClientIsAnswered() {
        var verdict = verdict(answers(200, 413, 429, 501, 503, 505, AnswerCounts.NONE), answers(200, 429, 503));

        assertThat(verdict.objections()).isEmpty();
    }

    @Test
    void objects_whenTheServerHasEnded_orDoesNotAnswer() {
        assertThat(new AttackVerdict(false, false, answers(), answers(), 40, -1).objections())
                .containsExactly("the server has ended", "the calm client is not answered at the end");
    }

    @Test
    void objects_whenACallerGotAServerError() {
        assertThat(verdict(answers(500), answers(200)).objections()).hasSize(1);
        assertThat(verdict(answers(200), answers(502)).objections()).hasSize(1);
    }

    @Test
    void objects_whenTheCalmClientGotNoAnswer() {
        assertThat(verdict(answers(), answers(200, AnswerCounts.NONE)).objections())
                .containsExactly("the calm client got no answer 1 times");
    }

    @Test
    void objects_whenTheHeapStaysLarge() {
        assertThat(new AttackVerdict(true, true, answers(), answers(), 40, 104).objections())
                .isEmpty();
        assertThat(new AttackVerdict(true, true, answers(), answers(), 40, 105).objections())
                .containsExactly("the heap holds 105 MB, it held 40 MB before");
    }
}
