package io.millrace.run;

import java.util.ArrayList;
import java.util.List;

/**
 * The slots that one run needs, taken one after the other: from the narrowest share, its flow, to the widest, its
 * project. Nobody waits for ever, because all take them in that order; and a slot that is held while the run waits for
 * a wider one keeps hardly anybody from anything, because whoever shares the narrow one waits for the wide one too. A
 * start counts for the pace of a share from the moment at which the run has everything.
 *
 * <p>Slots come on any thread.
 */
final class RunPlaces implements RunPlace {
    private final RunSlots slots;
    private final List<RunSlots.Wish> wishes;
    private final Runnable whenFree;
    private final List<RunSlots.Slot> taken = new ArrayList<>();
    private boolean heldAtOnce;
    private boolean returned;

    private RunPlaces(RunSlots slots, List<RunSlots.Wish> wishes, Runnable whenFree) {
        this.slots = slots;
        this.wishes = wishes;
        this.whenFree = whenFree;
    }

    /**
     * Takes what the run needs, or places in line.
     *
     * @param wishes at least one, from the narrowest to the widest
     * @param whenFree called on any thread as soon as everything is the run's, if it is not at once
     */
    static RunPlace take(RunSlots slots, List<RunSlots.Wish> wishes, Runnable whenFree) {
        if (wishes.size() == 1 && wishes.getFirst().share().pace().isEmpty()) {
            return slots.take(wishes.getFirst(), whenFree);
        }
        var places = new RunPlaces(slots, wishes, whenFree);
        places.begin();
        return places;
    }

    private void begin() {
        synchronized (this) {
            heldAtOnce = advance();
        }
        if (heldAtOnce) {
            begun();
        }
    }

    /** Takes slots until one has to be waited for; answers whether all are held. */
    private boolean advance() {
        while (taken.size() < wishes.size()) {
            var slot = slots.take(wishes.get(taken.size()), this::granted);
            taken.add(slot);
            if (!slot.isHeldAtOnce()) {
                return false;
            }
        }
        return true;
    }

    /** Outside of the lock, because it may call others who are granted a slot. */
    private void begun() {
        taken.forEach(RunSlots.Slot::begin);
    }

    private void granted() {
        boolean complete;
        synchronized (this) {
            complete = !returned && advance();
        }
        if (complete) {
            begun();
            whenFree.run();
        }
    }

    @Override
    public boolean isHeldAtOnce() {
        return heldAtOnce;
    }

    /** The widest first: its lane is the one in which most wait. */
    @Override
    public void giveBack() {
        List<RunSlots.Slot> all;
        synchronized (this) {
            returned = true;
            all = List.copyOf(taken);
        }
        all.reversed().forEach(RunSlots.Slot::giveBack);
    }
}
