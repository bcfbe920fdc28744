package dev.pail.repository;

import dev.pail.repository.spi.RefStore;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/** Ref stores that run something before each method of an update, so that other threads get in between. */
final class HookedRefs {
    private HookedRefs() {}

    static RefStore of(RefStore refs, Runnable hook) {
        return proxy(RefStore.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "update" -> refs.update(update -> asAction(arguments[0]).apply(hooked(hook, update)));
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

    /** A store whose methods a handler stands in for. What a method that it invokes throws, the caller gets. */
    static <T> T proxy(Class<T> type, InvocationHandler handler) {
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
