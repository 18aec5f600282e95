package io.millrace.base.core.memory;

import java.util.AbstractList;
import java.util.List;
import java.util.function.Supplier;

/**
 * An immutable list that is computed at the first access: for lists for users that would slow down the start. Concurrent
 * first accesses may both compute it, with equal results.
 */
public final class LazyList<E> extends AbstractList<E> {
    private final Supplier<List<E>> maker;
    private volatile List<E> made;

    private LazyList(Supplier<List<E>> maker) {
        this.maker = maker;
    }

    /** @param maker computes the list; its result is always the same */
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
