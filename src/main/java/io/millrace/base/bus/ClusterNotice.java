package io.millrace.base.bus;

/**
 * A notice that the other nodes of a cluster hear too, where there are any. It is a record of plain values, because it
 * travels as JSON; and like every notice it may be lost, so that whatever depends on it is looked up now and then.
 */
public interface ClusterNotice extends Notice {}
