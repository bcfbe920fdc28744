package dev.pail.checks;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.pail.KeyNotAllowedException;
import dev.pail.PailException;
import dev.pail.clock.Head;
import dev.pail.ipld.Cid;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** An exception of each class and reason of the library, made from its constructors. */
final class ErrorSamples {
    private static final Cid CID = Cid.parse("bafyreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy");

    private ErrorSamples() {}

    static List<PailException> all() {
        List<PailException> samples = new ArrayList<>();
        new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.pail").stream()
                        .filter(type -> type.isAssignableTo(PailException.class))
                        .map(JavaClass::reflect)
                        .filter(type -> !Modifier.isAbstract(type.getModifiers()))
                        .sorted(Comparator.comparing(Class::getSimpleName))
                        .forEach(type -> Stream.of(type.getDeclaredConstructors())
                                .sorted(Comparator.comparing(Constructor::toString))
                                .forEach(constructor -> addAll(constructor, samples)));
        return samples;
    }

    private static void addAll(Constructor<?> constructor, List<PailException> to) {
        List<List<Object>> calls = List.of(List.of());
        for (Class<?> parameter : constructor.getParameterTypes()) {
            List<Object> values = values(parameter);
            calls = calls.stream()
                    .flatMap(call -> values.stream()
                            .map(value -> Stream.concat(call.stream(), Stream.of(value))
                                    .toList()))
                    .toList();
        }
        constructor.setAccessible(true);
        for (List<Object> call : calls) {
            try {
                to.add((PailException) constructor.newInstance(call.toArray()));
            } catch (ReflectiveOperationException e) {
                throw new LinkageError("no sample of " + constructor + " with " + call, e);
            }
        }
    }

    /** Each constant of an enum, both booleans, and some value of all other types. */
    private static List<Object> values(Class<?> type) {
        if (type.isEnum()) {
            return List.of(type.getEnumConstants());
        }
        return type == boolean.class ? List.of(false, true) : List.of(value(type));
    }

    private static Object value(Class<?> type) {
        if (type == String.class) {
            return "sample";
        }
        if (type == int.class) {
            return 1;
        }
        if (type == long.class) {
            return 1L;
        }
        if (type == Cid.class) {
            return CID;
        }
        if (type == List.class) {
            return List.of();
        }
        if (type == Map.class) {
            return Map.of();
        }
        if (type == PailException.class) {
            return new KeyNotAllowedException("key", "rule");
        }
        if (type.isAssignableFrom(IOException.class)) {
            return new IOException("sample");
        }
        return type.isRecord() ? ofRecord(type) : other(type);
    }

    private static Object ofRecord(Class<?> type) {
        RecordComponent[] parts = type.getRecordComponents();
        Class<?>[] types = Stream.of(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types)
                    .newInstance(Stream.of(types).map(ErrorSamples::value).toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no sample of " + type, e);
        }
    }

    private static Object other(Class<?> type) {
        if (type == Head.class) {
            return Head.of(CID);
        }
        if (type == Optional.class) {
            return Optional.empty();
        }
        throw new AssertionError("add a sample of " + type);
    }
}
