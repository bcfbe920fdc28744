package dev.pail.server.http;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue whose senders take turns: a sender with many elements delays its own, and those of another sender by one each. Not safe for use
 * by several threads.
 */
public final class FairQueue<T> {
    /** The elements of each sender. The next element is the first one of the first sender. */
    private final Map<String, Deque<T>> bySender = new LinkedHashMap<>();

    private int size;

    public void add(String sender, T element) {
        bySender.computeIfAbsent(sender, each -> new ArrayDeque<>()).add(element);
        size++;
    }

    public int size() {
        return size;
    }

    /** Returns the next element, which stays; null if there is none. */
    @Nullable
    T peek() {
        Iterator<Deque<T>> each = bySender.values().iterator();
        return each.hasNext() ? each.next().peek() : null;
    }

    /** Removes the next element; null if there is none. Then it is the turn of the next sender. */
    @Nullable
    public T poll() {
        Iterator<Map.Entry<String, Deque<T>>> each = bySender.entrySet().iterator();
        if (!each.hasNext()) {
            return null;
        }
        Map.Entry<String, Deque<T>> first = each.next();
        String sender = first.getKey();
        Deque<T> elements = first.getValue();
        each.remove();
        T element = elements.remove();
        size--;
        if (!elements.isEmpty()) {
            bySender.put(sender, elements);
        }
        return element;
    }

    /** Removes the newest element of the sender that has most, unless a sender has about as many. */
    public Optional<T> displaceFor(String sender) {
        Deque<T> most = bySender.values().stream()
                .max(Comparator.comparingInt(Deque::size))
                .orElseThrow();
        Deque<T> own = bySender.get(sender);
        if ((own == null ? 0 : own.size()) + 1 >= most.size()) {
            return Optional.empty();
        }
        size--;
        return Optional.of(most.removeLast());
    }

    /** Removes all elements that a condition holds for. */
    public void removeIf(Predicate<T> condition) {
        size = 0;
        Iterator<Deque<T>> each = bySender.values().iterator();
        while (each.hasNext()) {
            Deque<T> elements = each.next();
            elements.removeIf(condition);
            size += elements.size();
            if (elements.isEmpty()) {
                each.remove();
            }
        }
    }
}
