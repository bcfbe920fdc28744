package dev.pail.repository;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/** Ref stores that run something before each method of an update, so that other threads get in between. */
final class HookedRefs {
    private HookedRefs() {}

    /** The store as it is: an update holds its lock. */
    static RefStore exclusive(RefStore refs, Runnable hook) {
        return store(refs, action -> refs.update(update -> action.apply(hooked(hook, update))));
    }

    /** A store that lets writers compete: each method of an update is a compare-and-set by itself, and holds the lock alone. */
    static RefStore competing(RefStore refs, Runnable hook) {
        RefStore.Update alone = proxy(
                RefStore.Update.class,
                (proxy, method, arguments) -> refs.update(update -> {
                    try {
                        return method.invoke(update, arguments);
                    } catch (InvocationTargetException e) {
                        throw (RuntimeException) e.getCause();
                    } catch (IllegalAccessException e) {
                        throw new AssertionError(e);
                    }
                }));
        RefStore competing = store(refs, action -> action.apply(hooked(hook, alone)));
        return proxy(
                RefStore.class,
                (proxy, method, arguments) ->
                        method.getName().equals("isExclusive") ? false : method.invoke(competing, arguments));
    }

    private static RefStore store(RefStore refs, Function<Function<RefStore.Update, Object>, Object> updater) {
        return proxy(RefStore.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "update" -> updater.apply(asAction(arguments[0]));
            case "turns" -> turns((RefStore) proxy);
            default -> method.invoke(refs, arguments);
        });
    }

    @SuppressWarnings("unchecked")
    private static Function<RefStore.Update, Object> asAction(Object argument) {
        return (Function<RefStore.Update, Object>) argument;
    }

    private static RefStore.Turns turns(RefStore of) {
        return of::update;
    }

    private static RefStore.Update hooked(Runnable hook, RefStore.Update update) {
        return proxy(RefStore.Update.class, (proxy, method, arguments) -> {
            hook.run();
            return method.invoke(update, arguments);
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    try {
                        return handler.invoke(proxy, method, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}
