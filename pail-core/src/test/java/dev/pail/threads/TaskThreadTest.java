package dev.pail.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("sets a system property")
class TaskThreadTest {
    private static final String NAME = "task-thread-of-test";

    @AfterEach
    void clear() {
        System.clearProperty(TaskThread.PROPERTY);
    }

    private static TaskThread worker(int threads) {
        System.setProperty(TaskThread.PROPERTY, Integer.toString(threads));
        return new TaskThread(NAME);
    }

    private static boolean isRunning() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(NAME));
    }

    @Test
    void runsTasksInTheirOrderByAnotherThread() {
        List<Integer> ran = new ArrayList<>();
        List<Thread> by = new ArrayList<>();
        try (TaskThread worker = worker(2)) {
            List<TaskThread.Task<Integer>> tasks = IntStream.range(0, 100)
                    .mapToObj(i -> worker.begin(() -> {
                        ran.add(i);
                        by.add(Thread.currentThread());
                        return i * i;
                    }))
                    .toList();
            for (int i = 0; i < 100; i++) {
                assertThat(tasks.get(i).get()).isEqualTo(i * i);
            }
        }
        assertThat(ran).isEqualTo(IntStream.range(0, 100).boxed().toList());
        assertThat(by).hasSize(100).containsOnly(by.get(0)).doesNotContain(Thread.currentThread());
        assertThat(by.get(0).isDaemon()).isTrue();
    }

    @Test
    void startsNoThreadWhereThereMayBeOne() {
        for (int threads : new int[] {1, 0, -1}) {
            List<Thread> by = new ArrayList<>();
            try (TaskThread worker = worker(threads)) {
                TaskThread.Task<Boolean> task = worker.begin(() -> by.add(Thread.currentThread()));
                assertThat(by).containsExactly(Thread.currentThread());
                assertThat(task.get()).isTrue();
                assertThat(isRunning()).isFalse();
            }
        }
        System.clearProperty(TaskThread.PROPERTY);
        assertThat(TaskThread.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
    }

    @Test
    void throwsWhatTheTaskThrewWhenItsTurnComes() {
        for (int threads = 1; threads <= 2; threads++) {
            try (TaskThread worker = worker(threads)) {
                TaskThread.Task<String> first = worker.begin(() -> "first");
                IllegalStateException exception = new IllegalStateException("second");
                TaskThread.Task<String> second = worker.begin(() -> {
                    throw exception;
                });
                AssertionError error = new AssertionError("third");
                TaskThread.Task<String> third = worker.begin(() -> {
                    throw error;
                });
                TaskThread.Task<String> last = worker.begin(() -> "last");
                assertThat(first.get()).isEqualTo("first");
                assertThatThrownBy(second::get).isSameAs(exception);
                assertThatThrownBy(third::get).isSameAs(error);
                assertThat(last.get()).isEqualTo("last");
            }
        }
    }

    @Test
    void waitsOnWhenInterruptedAndKeepsTheInterrupt() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        try (TaskThread worker = worker(2)) {
            TaskThread.Task<Boolean> task = worker.begin(() -> {
                begun.countDown();
                awaitInterrupted(interrupted);
                return Thread.currentThread().isInterrupted();
            });
            begun.await();
            Thread.currentThread().interrupt();
            interrupted.countDown();
            assertThat(task.get()).isFalse();
            assertThat(Thread.interrupted()).isTrue();
            worker.begin(() -> "").get();
            Thread.currentThread().interrupt();
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(isRunning()).isFalse();
    }

    private static void awaitInterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void closeWaitsForTheTaskThatRunsAndDropsTheOthers() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        List<Integer> ended = new ArrayList<>();
        TaskThread worker = worker(2);
        worker.begin(() -> {
            begun.countDown();
            awaitInterrupted(closing);
            return ended.add(1);
        });
        begun.await();
        for (int i = 0; i < 10; i++) {
            worker.begin(() -> ended.add(2));
        }
        Thread other = new Thread(() -> {
            while (worker.isDue()) {
                Thread.onSpinWait();
            }
            closing.countDown();
        });
        other.start();
        worker.close();
        assertThat(ended).containsExactly(1);
        assertThat(isRunning()).isFalse();
        other.join();
        worker.close();
    }
}
