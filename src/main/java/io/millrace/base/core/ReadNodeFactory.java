package io.millrace.base.core;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NumericNode;

/** Makes the nodes of JSON that is read: a number beyond all doubles would be written as a text otherwise. */
final class ReadNodeFactory extends JsonNodeFactory {
    private static final long serialVersionUID = 1;

    @Override
    public NumericNode numberNode(double value) {
        return Double.isFinite(value) ? super.numberNode(value) : new NonFiniteNode(value);
    }
}
