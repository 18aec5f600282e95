package io.millrace.engine.run.actor;

import io.millrace.base.core.ApiException;
import io.millrace.base.core.ErrorCode;
import io.millrace.engine.run.RunClock;
import io.millrace.engine.run.RunInbox;
import io.millrace.engine.run.admission.RunAdmission;
import io.millrace.engine.run.admission.RunPermit;
import io.millrace.engine.run.machine.LifecycleEvent.PermitGranted;
import io.millrace.engine.run.machine.LifecycleEvent.PermitQueued;
import io.millrace.engine.run.machine.LifecycleEvent.PermitRefused;

/** A run's request for its permit, whose result enters the run's inbox as an event, and the permit that the run holds. */
final class PermitApplication implements RunAdmission.Applicant {
    private final RunInbox inbox;
    private final RunClock clock;
    private RunPermit permit;

    PermitApplication(RunInbox inbox, RunClock clock) {
        this.inbox = inbox;
        this.clock = clock;
    }

    @Override
    public void granted() {
        inbox.accept(new PermitGranted());
    }

    @Override
    public void taken(RunPermit taken) {
        permit = taken;
        inbox.accept(taken.isHeldAtOnce() ? new PermitGranted() : new PermitQueued());
    }

    /** May be called on any thread. */
    @Override
    public void grantedLater() {
        clock.later(this::granted);
    }

    @Override
    public void refused(Throwable cause) {
        inbox.accept(new PermitRefused(
                ApiException.isUnavailable(cause)
                        ? cause
                        : ApiException.of(ErrorCode.UNAVAILABLE, "cannot read the limits of the run")));
    }

    void giveBack() {
        if (permit != null) {
            permit.giveBack();
        }
    }
}
