package io.millrace.base.core.input;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;

/** Names of columns for rows that are objects: a repeated name is numbered, so that no column hides another one. */
public final class DistinctNames {
    private DistinctNames() {}

    /** The names in their order; the second {@code Note} is {@code Note_2} unless another column has that name. */
    public static List<String> of(List<String> names) {
        var taken = new HashSet<>(names);
        var numbers = new HashMap<String, Integer>();
        var distinct = new ArrayList<String>(names.size());
        for (var name : names) {
            var number = numbers.merge(name, 1, Integer::sum);
            if (number > 1) {
                while (!taken.add(name + "_" + number)) {
                    number++;
                }
                numbers.put(name, number);
            }
            distinct.add(number == 1 ? name : name + "_" + number);
        }
        return distinct;
    }
}
