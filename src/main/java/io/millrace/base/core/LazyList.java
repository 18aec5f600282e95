package io.millrace.base.core;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A list that cannot change, and that is made when somebody looks into it first: for what is offered to people and costs a
 * start more than it is worth. Of two who look first at the same time both may make it; they make the same.
 */
public final class LazyList<E> extends AbstractList<E> {
    private final Supplier<List<E>> maker;
    private volatile List<E> made;

    private LazyList(Supplier<List<E>> maker) {
        this.maker = maker;
    }

    /** @param maker makes the same whenever it is asked */
    public static <E> List<E> of(Supplier<List<E>> maker) {
        return new LazyList<>(maker);
    }

    private List<E> elements() {
        var known = made;
        if (known == null) {
            known = List.copyOf(maker.get());
            made = known;
        }
        return known;
    }

    @Override
    public E get(int index) {
        return elements().get(index);
    }

    @Override
    public int size() {
        return elements().size();
    }
}
