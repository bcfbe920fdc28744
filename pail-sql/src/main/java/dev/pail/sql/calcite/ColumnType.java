package dev.pail.sql.calcite;

import dev.pail.table.Column;
import dev.pail.table.Scalar;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** The type of a column in SQL, and how a value of a document becomes one of the type, in the form that Calcite computes with. */
enum ColumnType {
    TEXT(SqlTypeName.VARCHAR),
    /** A decimal without a fraction: an integer in JSON may be of any size, and sums must not overflow. */
    INTEGER(SqlTypeName.DECIMAL),
    DECIMAL(SqlTypeName.DECIMAL),
    BOOLEAN(SqlTypeName.BOOLEAN),
    TIMESTAMP(SqlTypeName.TIMESTAMP),
    DATE(SqlTypeName.DATE),
    BYTES(SqlTypeName.VARBINARY),
    /** Any value, as its text in JSON. */
    JSON(SqlTypeName.VARCHAR);

    private final SqlTypeName name;

    ColumnType(SqlTypeName name) {
        this.name = name;
    }

    /** The value in SQL; null, if it is not of this type. */
    @Nullable
    Object of(Scalar value) {
        return switch (this) {
            case TEXT -> value.asText().orElse(null);
            case INTEGER -> value.asNumber().map(ColumnType::whole).orElse(null);
            case DECIMAL -> value.asNumber().map(ColumnType::normal).orElse(null);
            case BOOLEAN -> value.asBoolean().orElse(null);
            case TIMESTAMP, DATE, BYTES -> value.asText().map(this::parsed).orElse(null);
            case JSON -> value.json();
        };
    }

    private static @Nullable BigDecimal whole(BigDecimal number) {
        return number.stripTrailingZeros().scale() <= 0 ? number.setScale(0) : null;
    }

    /** Equal numbers have the same scale, as groups and joins compare them by {@code equals}. */
    private static BigDecimal normal(BigDecimal number) {
        BigDecimal least = number.stripTrailingZeros();
        return least.scale() < 0 ? least.setScale(0) : least;
    }

    private @Nullable Object parsed(String text) {
        try {
            return switch (this) {
                case TIMESTAMP -> OffsetDateTime.parse(text).toInstant().toEpochMilli();
                case DATE -> (int) LocalDate.parse(text).toEpochDay();
                default -> new ByteString(Base64.getDecoder().decode(text));
            };
        } catch (DateTimeParseException | IllegalArgumentException e) {
            return null;
        }
    }

    RelDataType in(RelDataTypeFactory factory) {
        RelDataType type = switch (this) {
            case INTEGER -> factory.createSqlType(name, ExactTypes.PRECISION, 0);
            case DECIMAL -> factory.createSqlType(name, ExactTypes.PRECISION, ExactTypes.SCALE);
            case TIMESTAMP -> factory.createSqlType(name, 3);
            default -> factory.createSqlType(name);
        };
        return factory.createTypeWithNullability(type, true);
    }

    static ColumnType of(Column.Type type) {
        return switch (type) {
            case TEXT -> TEXT;
            case INTEGER -> INTEGER;
            case DECIMAL -> DECIMAL;
            case BOOLEAN -> BOOLEAN;
            case TIMESTAMP -> TIMESTAMP;
            case DATE -> DATE;
            case BYTES -> BYTES;
            case LIST, OBJECT, JSON -> JSON;
        };
    }

    /** The narrowest type that has all values of a type and one more; the type is null, if there are none. */
    static ColumnType widened(@Nullable ColumnType known, Scalar value) {
        ColumnType type = narrowest(value);
        if (known == null || known == type) {
            return type;
        }
        return isNumber(known) && isNumber(type) ? DECIMAL : JSON;
    }

    private static boolean isNumber(ColumnType type) {
        return type == INTEGER || type == DECIMAL;
    }

    private static ColumnType narrowest(Scalar value) {
        for (ColumnType type : new ColumnType[] {TEXT, BOOLEAN, INTEGER, DECIMAL}) {
            if (type.of(value) != null) {
                return type;
            }
        }
        return JSON;
    }
}
