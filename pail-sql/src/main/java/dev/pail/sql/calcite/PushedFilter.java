package dev.pail.sql.calcite;

import dev.pail.table.FieldForm;
import dev.pail.table.Filter;
import dev.pail.table.Scalar;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * What a condition of SQL says in the language of filters, by which a table chooses an index. The filter accepts at least the rows that fulfil
 * the condition, and Calcite checks these again: so what has no counterpart is left out.
 */
final class PushedFilter {
    private final List<SqlColumn> columns;
    private final RexBuilder builder;

    PushedFilter(List<SqlColumn> columns, RexBuilder builder) {
        this.columns = columns;
        this.builder = builder;
    }

    /** The filter of conditions that all hold. */
    Filter of(List<RexNode> conditions) {
        return all(conditions.stream()
                        .map(condition -> RexUtil.expandSearch(builder, null, condition))
                        .toList())
                .orElse(Filter.all());
    }

    /** The id that all rows have that fulfil the conditions; null, if they say none. */
    @Nullable
    String id(List<RexNode> conditions) {
        for (RexNode condition : conditions) {
            if (condition.getKind() == SqlKind.EQUALS && condition instanceof RexCall call) {
                String id = id(call.getOperands().get(0), call.getOperands().get(1));
                if (id != null) {
                    return id;
                }
            }
        }
        return null;
    }

    private @Nullable String id(RexNode left, RexNode right) {
        boolean isId = left instanceof RexInputRef input
                && columns.get(input.getIndex()).isId();
        return isId && right instanceof RexLiteral literal && literal.getValue() instanceof NlsString text
                ? text.getValue()
                : null;
    }

    /** Empty, if all rows may fulfil it. */
    private Optional<Filter> filter(RexNode node) {
        if (!(node instanceof RexCall call)) {
            return Optional.empty();
        }
        List<RexNode> operands = call.getOperands();
        return switch (call.getKind()) {
            case AND -> all(operands);
            case OR -> {
                List<Filter> any = new ArrayList<>();
                for (RexNode each : operands) {
                    Optional<Filter> one = filter(each);
                    if (one.isEmpty()) {
                        yield Optional.empty();
                    }
                    any.add(one.get());
                }
                yield Optional.of(new Filter.Or(any));
            }
            case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
                comparison(call.getKind(), operands.get(0), operands.get(1));
            case IS_NOT_NULL ->
                column(operands.get(0)).map(column -> new Filter.Exists(column.path(), FieldForm.VALUE));
            default -> Optional.empty();
        };
    }

    private Optional<Filter> all(List<RexNode> conditions) {
        List<Filter> all =
                conditions.stream().flatMap(each -> filter(each).stream()).toList();
        if (all.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(all.size() == 1 ? all.get(0) : new Filter.And(all));
    }

    private Optional<Filter> comparison(SqlKind kind, RexNode left, RexNode right) {
        Optional<SqlColumn> column = column(left);
        if (column.isEmpty()) {
            return column(right).isEmpty()
                    ? Optional.empty()
                    : compared(kind.reverse(), column(right).get(), left);
        }
        return compared(kind, column.get(), right);
    }

    private static Optional<Filter> compared(SqlKind kind, SqlColumn column, RexNode value) {
        Scalar scalar = value instanceof RexLiteral literal ? scalar(column, literal) : null;
        if (scalar == null) {
            return Optional.empty();
        }
        Filter.Comparison comparison = switch (kind) {
            case EQUALS -> Filter.Comparison.EQUAL;
            case LESS_THAN -> Filter.Comparison.LESS;
            case LESS_THAN_OR_EQUAL -> Filter.Comparison.AT_MOST;
            case GREATER_THAN -> Filter.Comparison.GREATER;
            default -> Filter.Comparison.AT_LEAST;
        };
        if (comparison != Filter.Comparison.EQUAL
                && scalar.asText().map(PushedFilter::mayDiffer).orElse(false)) {
            return Optional.empty();
        }
        return Optional.of(new Filter.Compare(column.path(), comparison, scalar));
    }

    /** Whether tables and SQL may order a text differently: tables go by code points, SQL in Java by its chars. */
    private static boolean mayDiffer(String text) {
        return text.chars().anyMatch(each -> each >= Character.MIN_SURROGATE);
    }

    private static @Nullable Scalar scalar(SqlColumn column, RexLiteral literal) {
        if (literal.isNull()) {
            return null;
        }
        return switch (column.type()) {
            case TEXT -> {
                String text = literal.getValue() instanceof NlsString found ? found.getValue() : null;
                // A fixed length is filled with spaces.
                yield text == null ? null : Scalar.of(text);
            }
            case INTEGER, DECIMAL -> {
                BigDecimal number = literal.getValue() instanceof BigDecimal found ? found : null;
                yield number == null ? null : Scalar.of(number);
            }
            case BOOLEAN -> literal.getValue() instanceof Boolean truth ? Scalar.of(truth) : null;
            default -> null;
        };
    }

    /** The field that a node names. The id is none. */
    private Optional<SqlColumn> column(RexNode node) {
        return node instanceof RexInputRef input
                ? Optional.of(columns.get(input.getIndex())).filter(column -> !column.isId())
                : Optional.empty();
    }
}
