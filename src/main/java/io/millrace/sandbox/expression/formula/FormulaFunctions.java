package io.millrace.sandbox.expression.formula;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

final class FormulaFunctions {
    private static final Map<String, FormulaFunction> TABLE = table();

    private FormulaFunctions() {}

    /** The function of that name; null when there is none. */
    static FormulaFunction get(String name) {
        return TABLE.get(name);
    }

    static Set<String> names() {
        return TABLE.keySet();
    }

    private static Map<String, FormulaFunction> table() {
        var table = new HashMap<String, FormulaFunction>();
        FormulaTexts.addTo(table);
        FormulaNumbers.addTo(table);
        FormulaDates.addTo(table);
        FormulaLists.addTo(table);
        FormulaLogic.addTo(table);
        return Map.copyOf(table);
    }
}
