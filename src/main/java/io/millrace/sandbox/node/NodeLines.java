package io.millrace.sandbox.node;

import io.millrace.sandbox.node.call.NodeCall;
import io.millrace.sandbox.node.call.NodeCall.Claimant;
import io.millrace.sandbox.node.call.NodeTicket;
import io.millrace.sandbox.share.ProcessShares;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Calls that no process has taken: a line for each project and kind of process, and calls that are held back. Used on the pool's
 * context only.
 */
final class NodeLines {
    private static final int TURNS_MAX = 4_096;

    private record Key(Claimant claimant, NodeCall.Place place) {}

    /** Calls of one project that wait for the same processes, in the order of their arrival. */
    final class Line {
        private final Key key;
        private final Deque<NodeTicket> tickets = new ArrayDeque<>();

        private Line(Key key) {
            this.key = key;
        }

        Claimant claimant() {
            return key.claimant();
        }

        int size() {
            return tickets.size();
        }

        NodeTicket first() {
            return tickets.getFirst();
        }

        NodeTicket remove() {
            var ticket = tickets.removeFirst();
            removed(this);
            return ticket;
        }
    }

    private final int waitingMax;
    private final Map<Key, Line> lines = new LinkedHashMap<>();
    private final Set<NodeTicket> held = new LinkedHashSet<>();
    private final Map<Claimant, Integer> counts = new HashMap<>();
    private int count;

    /** Number of the last turn of each project, the earliest first. */
    private final Map<Claimant, Long> turns = new LinkedHashMap<>();

    private long turn;

    /** @param waitingMax calls that may be here, held ones included */
    NodeLines(int waitingMax) {
        this.waitingMax = waitingMax;
    }

    boolean hasRoomFor(Claimant claimant) {
        return ProcessShares.mayWait(counts.getOrDefault(claimant, 0), count, waitingMax);
    }

    void add(NodeTicket ticket) {
        lineOf(ticket).tickets.addLast(ticket);
        counted(ticket, 1);
    }

    void giveBack(NodeTicket ticket) {
        lineOf(ticket).tickets.addFirst(ticket);
        counted(ticket, 1);
    }

    private Line lineOf(NodeTicket ticket) {
        return lines.computeIfAbsent(keyOf(ticket), Line::new);
    }

    private static Key keyOf(NodeTicket ticket) {
        return new Key(ticket.call().claimant(), ticket.call().place());
    }

    void hold(NodeTicket ticket) {
        if (held.add(ticket)) {
            counted(ticket, 1);
        }
    }

    boolean release(NodeTicket ticket) {
        var released = held.remove(ticket);
        if (released) {
            counted(ticket, -1);
        }
        return released;
    }

    void remove(NodeTicket ticket) {
        var line = lines.get(keyOf(ticket));
        if (line != null && line.tickets.remove(ticket)) {
            counted(ticket, -1);
            forgetIfEmpty(line);
        }
        release(ticket);
    }

    private void removed(Line line) {
        counted(line.claimant(), -1);
        forgetIfEmpty(line);
    }

    private void forgetIfEmpty(Line line) {
        if (line.tickets.isEmpty()) {
            lines.remove(line.key);
        }
    }

    private void counted(NodeTicket ticket, int change) {
        counted(ticket.call().claimant(), change);
    }

    private void counted(Claimant claimant, int change) {
        count += change;
        int ofClaimant = counts.getOrDefault(claimant, 0) + change;
        if (ofClaimant == 0) {
            counts.remove(claimant);
        } else {
            counts.put(claimant, ofClaimant);
        }
    }

    /**
     * The lines in the order in which they are served.
     *
     * @param processes number of busy processes of a project
     */
    List<Line> inOrder(ToIntFunction<Claimant> processes) {
        if (lines.size() <= 1) {
            return List.copyOf(lines.values());
        }
        Map<Line, ProcessShares.Claim> claims = new HashMap<>();
        lines.values()
                .forEach(line -> claims.put(
                        line,
                        new ProcessShares.Claim(
                                processes.applyAsInt(line.claimant()), turns.getOrDefault(line.claimant(), 0L))));
        return lines.values().stream()
                .sorted(Comparator.comparing(claims::get, ProcessShares.Claim.ORDER))
                .toList();
    }

    void served(Claimant claimant) {
        turns.remove(claimant);
        turns.put(claimant, ++turn);
        if (turns.size() > TURNS_MAX) {
            turns.remove(turns.keySet().iterator().next());
        }
    }

    boolean isEmpty() {
        return lines.isEmpty();
    }

    int waiting(NodeCall.Place place) {
        return lines.values().stream()
                .filter(line -> line.key.place().equals(place))
                .mapToInt(Line::size)
                .sum();
    }

    int waiting() {
        return count - held.size();
    }

    int held() {
        return held.size();
    }

    List<NodeTicket> drain() {
        var drained = new ArrayList<NodeTicket>();
        lines.values().forEach(line -> drained.addAll(line.tickets));
        drained.addAll(held);
        lines.clear();
        held.clear();
        counts.clear();
        count = 0;
        return drained;
    }
}
