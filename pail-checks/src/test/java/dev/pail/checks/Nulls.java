package dev.pail.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Calls every public method of the exported packages with null for each parameter that is not {@link Nullable}: the method must refuse it
 * at once. It leaves out constructors of exceptions, since another error must not replace them, and methods that no other package can
 * call.
 */
final class Nulls {
    private final Set<String> packages;
    private final Map<Class<?>, Callable<?>> samples;
    private final List<String> taken = new ArrayList<>();

    /**
     * Calls what is public in these packages.
     *
     * @param samples what to give in all other places, by its type
     */
    Nulls(Set<String> packages, Map<Class<?>, Callable<?>> samples) {
        this.packages = packages;
        this.samples = samples;
    }

    /** The calls that took null, or were refused in another way. */
    List<String> taken() throws Exception {
        List<JavaClass> classes = new ArrayList<>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages(packages)
                .forEach(classes::add);
        classes.sort(Comparator.comparing(JavaClass::getName));
        for (JavaClass each : classes) {
            Class<?> type = each.reflect();
            if (isExported(type) && isPublic(type) && !each.isAssignableTo(Throwable.class)) {
                call(type);
            }
        }
        return taken;
    }

    private boolean isExported(Class<?> type) {
        return !type.getPackageName().startsWith("dev.pail") || packages.contains(type.getPackageName());
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> around = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers()) && (around == null || isPublic(around));
    }

    private void call(Class<?> type) throws Exception {
        for (Constructor<?> constructor : type.getConstructors()) {
            call(type, constructor);
        }
        for (Method method : type.getDeclaredMethods()) {
            boolean isImplemented = !type.isInterface() || !Modifier.isAbstract(method.getModifiers());
            boolean isEquals = method.getName().equals("equals");
            if (Modifier.isPublic(method.getModifiers()) && !method.isSynthetic() && isImplemented && !isEquals) {
                call(type, method);
            }
        }
    }

    private void call(Class<?> type, Executable called) throws Exception {
        Class<?>[] types = called.getParameterTypes();
        if (!Arrays.stream(types).allMatch(this::isExported)) {
            return;
        }
        for (int i = 0; i < types.length; i++) {
            if (!types[i].isPrimitive()
                    && !called.getAnnotatedParameterTypes()[i].isAnnotationPresent(Nullable.class)) {
                List<Class<?>> missing = missing(type, called, i);
                if (!missing.isEmpty()) {
                    taken.add(called + ": no sample of " + missing);
                    continue;
                }
                @Nullable Object[] arguments = new @Nullable Object[types.length];
                for (int j = 0; j < types.length; j++) {
                    arguments[j] = j == i ? null : sample(types[j]);
                }
                call(type, called, i, arguments);
            }
        }
    }

    private void call(Class<?> type, Executable called, int isNull, @Nullable Object... arguments) throws Exception {
        String outcome = "nothing";
        try {
            if (called instanceof Method method) {
                method.invoke(Modifier.isStatic(method.getModifiers()) ? null : sample(type), arguments);
            } else {
                ((Constructor<?>) called).newInstance(arguments);
            }
        } catch (InvocationTargetException e) {
            outcome = e.getCause().toString();
        }
        if (!outcome.startsWith(NullPointerException.class.getName() + ": ")) {
            taken.add(called + ", parameter " + isNull + ": " + outcome);
        }
    }

    /** The types without a sample that this call takes one of. */
    private List<Class<?>> missing(Class<?> type, Executable called, int isNull) {
        List<Class<?>> needed = new ArrayList<>(List.of(called.getParameterTypes()));
        needed.remove(isNull);
        if (called instanceof Method && !Modifier.isStatic(called.getModifiers())) {
            needed.add(type);
        }
        needed.removeIf(each -> each.isPrimitive() || each.isEnum() || samples.containsKey(each));
        return needed;
    }

    private Object sample(Class<?> type) throws Exception {
        if (type.isPrimitive()) {
            return type == boolean.class ? (Object) false : type == long.class ? (Object) 0L : (Object) 0;
        }
        Callable<?> sample = samples.get(type);
        return sample == null ? type.getEnumConstants()[0] : sample.call();
    }
}
