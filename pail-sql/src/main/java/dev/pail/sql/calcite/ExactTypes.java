package dev.pail.sql.calcite;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Types whose sums are exact: a sum of integers is a decimal, so that it cannot overflow. Calcite makes one by the name of this class. */
public final class ExactTypes extends RelDataTypeSystemImpl {
    static final int PRECISION = 100;
    static final int SCALE = 30;

    /** For Calcite. */
    public ExactTypes() {}

    @Override
    public int getMaxPrecision(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? PRECISION : super.getMaxPrecision(type);
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
        return type == SqlTypeName.DECIMAL ? SCALE : super.getMaxScale(type);
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
        return switch (argument.getSqlTypeName()) {
            case DECIMAL ->
                factory.createTypeWithNullability(
                        factory.createSqlType(SqlTypeName.DECIMAL, PRECISION, Math.max(0, argument.getScale())),
                        argument.isNullable());
            default -> super.deriveSumType(factory, argument);
        };
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
        return switch (argument.getSqlTypeName()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL ->
                factory.createTypeWithNullability(
                        factory.createSqlType(SqlTypeName.DECIMAL, PRECISION, SCALE), argument.isNullable());
            default -> argument;
        };
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
        return true;
    }
}
