package io.millrace.run;

import io.millrace.access.Access;
import io.millrace.access.Permission;
import io.millrace.bus.Bus;
import io.millrace.http.Call;
import io.millrace.http.EventStream;
import io.millrace.http.HttpModule;
import io.millrace.http.Routes;
import java.util.regex.Pattern;

/**
 * How a run goes on, told as it happens: an event {@code step} for each step that begins or ends, an event {@code run}
 * for each change of the run's status, and the end of the stream with the end of the run.
 */
public final class RunEventRoutes implements HttpModule {
    private static final Pattern NUMBER = Pattern.compile("[0-9]{1,15}");

    private final Bus bus;
    private final RunWatch watch;

    public RunEventRoutes(Bus bus, RunWatch watch) {
        this.bus = bus;
        this.watch = watch;
    }

    @Override
    public void mount(Routes routes) {
        var ofRun = Access.projectOfRow(Permission.READ_RUN, Runs.ProjectOf::new);
        routes.events("/v1/flow-runs/:id/events", ofRun, input -> input.id("id"), this::follow);
    }

    private void follow(Call call, String runId, EventStream stream) {
        var reader = new Reader(call, runId, stream);
        var watching = watch.open(runId, reader::heard);
        stream.whenClosed(watching::close);
        stream.onHeartbeat(reader::look);
        reader.look();
    }

    /** One who watches. The row says how the run stands; what its actor tells in between is only the quicker way. */
    private final class Reader {
        private final Call call;
        private final String runId;
        private final EventStream stream;
        private long last;
        private boolean caughtUp;
        private RunStatus status;

        Reader(Call call, String runId, EventStream stream) {
            this.call = call;
            this.runId = runId;
            this.stream = stream;
            this.last = NUMBER.matcher(stream.lastEventId()).matches() ? Long.parseLong(stream.lastEventId()) : 0;
        }

        void heard(Runs.Progressed progress) {
            progress.step().ifPresentOrElse(step -> step(step, progress.again()), () -> {
                caughtUp |= progress.again();
                run(progress.run());
            });
        }

        /**
         * Until everything before has been told again, what happens now would only come out of order. A run that goes
         * on after a pause walks over what it has done already; a step that is tried again has the number that it had.
         */
        private void step(StepProgress step, boolean again) {
            var begins = step.number() == 0;
            if (again ? step.number() <= last : !caughtUp || !begins && step.number() < last) {
                return;
            }
            if (begins) {
                stream.send("step", step.toJson());
            } else {
                last = step.number();
                stream.send("step", last, step.toJson());
            }
        }

        private void run(Run run) {
            if (run.status() != status) {
                status = run.status();
                stream.send("run", run.toJson(call.principal()));
            }
            if (run.status().isTerminal()) {
                stream.end();
            }
        }

        /** A run that has ended, or that another node carries, tells nothing here. */
        void look() {
            if (!caughtUp) {
                bus.publish(new Runs.TellAgain(runId, last));
            }
            bus.ask(new Runs.Look(runId), call.deadlineMs())
                    .onSuccess(run -> {
                        if (status == null || run.status().isTerminal()) {
                            run(run);
                        }
                    })
                    .onFailure(_ -> stream.end());
        }
    }
}
