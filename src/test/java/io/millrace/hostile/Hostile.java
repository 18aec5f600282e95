package io.millrace.hostile;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Entry point of scripts/hostile: tries every kind of attack in bounded time and prints a line per kind. The exit
 * status is 0 if every case ran to its end and none fell, 2 for invalid options, and 1 otherwise.
 */
final class Hostile {
    private final HostilePlan plan;
    private final Path program;
    private final PrintStream out;
    private final KindTable table = new KindTable();

    Hostile(HostilePlan plan, Path program, PrintStream out) {
        this.plan = plan;
        this.program = program;
        this.out = out;
    }

    /** Expects the path of the packaged server and the options of {@link HostilePlan}. */
    public static void main(String[] arguments) throws Exception {
        var words = List.of(arguments);
        HostilePlan plan;
        try {
            plan = HostilePlan.parse(words.subList(1, words.size()));
        } catch (IllegalArgumentException unknown) {
            System.err.println(unknown.getMessage());
            System.exit(2);
            return;
        }
        var program = Path.of(words.getFirst()).toAbsolutePath();
        System.exit(new Hostile(plan, program, System.out).run() ? 0 : 1);
    }

    private boolean run() throws IOException, InterruptedException {
        if (plan.isListing()) {
            Corpora.ofProject(plan::isWanted).kinds().forEach(out::println);
            out.println(HostilePlan.LOAD);
            return true;
        }
        out.println(MachineHead.text());
        return attack(Corpora.ofProject(plan::isWanted));
    }

    /** Runs the cases of a corpus, the control and the load; prints the table. */
    boolean attack(Corpora corpora) throws InterruptedException {
        if (plan.hasControl()) {
            Corpora.of(NegativeControl.class).run(table, plan.corpusLength(), out);
        }
        var isWhole = corpora.run(table, plan.corpusLength(), out);
        if (plan.isWanted(HostilePlan.LOAD)) {
            var tally = table.of(HostilePlan.LOAD);
            var objections = load();
            tally.hold(Math.max(0, Attack.all().size() - objections.size()));
            objections.forEach(tally::fall);
        }
        out.print(table.text());
        if (!isWhole) {
            out.println("NOT ALL TRIED: the time was over; give more --minutes or fewer --kinds");
        }
        return isWhole && table.hasHeld();
    }

    private List<String> load() throws InterruptedException {
        try {
            return ServerLoad.run(plan, program, out);
        } catch (AssertionError | RuntimeException unusable) {
            return List.of("the load did not run to its end: " + unusable.getMessage());
        }
    }
}
