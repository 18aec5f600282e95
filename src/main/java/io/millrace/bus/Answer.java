package io.millrace.bus;

/** How a request was answered: with a value, or with a failure that reaches the asker as it is. */
record Answer(Object value, Throwable failure) {}
