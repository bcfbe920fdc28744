package dev.pail.sql.calcite;

import dev.pail.sql.QueryException;
import java.io.Reader;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParserImplFactory;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.impl.SqlParserImpl;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code FROM people FOR SYSTEM_TIME AS OF TIMESTAMP '…'} as the table in the schema of this time, and with a text in the place of the time, in
 * the schema of this revision.
 */
public final class VersionParser extends SqlParserImpl {
    /** For the property of a connection that names it. */
    public static final SqlParserImplFactory FACTORY = new SqlParserImplFactory() {
        @Override
        public SqlAbstractParserImpl getParser(Reader reader) {
            return new VersionParser(reader);
        }
    };

    /** The schemas that are no revisions. */
    private static final Set<String> SCHEMAS = Set.of(RevisionSchema.NAME, "metadata");

    private VersionParser(Reader reader) {
        super(reader);
    }

    @Override
    public SqlNode parseSqlStmtEof() throws Exception {
        SqlNode statement = super.parseSqlStmtEof();
        SqlNode rewritten = statement.accept(new Snapshots());
        return rewritten == null ? statement : rewritten;
    }

    /** Finds tables behind FROM and JOIN. */
    private static final class Snapshots extends SqlShuttle {
        @Override
        public @Nullable SqlNode visit(SqlCall call) {
            SqlNode rewritten = super.visit(call);
            if (rewritten instanceof SqlSelect select && select.getFrom() != null) {
                select.setFrom(from(select.getFrom(), true));
            } else if (rewritten instanceof SqlJoin join) {
                join.setLeft(from(join.getLeft(), true));
                join.setRight(from(join.getRight(), true));
            }
            return rewritten;
        }

        /** @param isNamed whether a table keeps its name: it has no other */
        private static SqlNode from(SqlNode node, boolean isNamed) {
            if (node instanceof SqlIdentifier table
                    && table.names.size() == 2
                    && !SCHEMAS.contains(table.names.get(0))) {
                return of(table.names.get(0), table, isNamed);
            }
            if (node instanceof SqlSnapshot snapshot && snapshot.getTableRef() instanceof SqlIdentifier table) {
                return of(revision(snapshot.getPeriod()), table, isNamed);
            }
            if (node.getKind() == SqlKind.AS && node instanceof SqlCall as) {
                as.setOperand(0, from(as.operand(0), false));
            }
            return node;
        }

        private static SqlNode of(String revision, SqlIdentifier table, boolean isNamed) {
            SqlParserPos place = table.getParserPosition();
            String name = table.names.get(table.names.size() - 1);
            SqlNode call = new SqlUnresolvedFunction(
                            new SqlIdentifier(OtherVersions.NAME, place),
                            null,
                            null,
                            null,
                            null,
                            SqlFunctionCategory.USER_DEFINED_TABLE_FUNCTION)
                    .createCall(
                            place,
                            SqlLiteral.createCharString(revision, "UTF-8", place),
                            SqlLiteral.createCharString(name, "UTF-8", place));
            SqlNode found = SqlStdOperatorTable.COLLECTION_TABLE.createCall(place, call);
            return isNamed ? SqlStdOperatorTable.AS.createCall(place, found, new SqlIdentifier(name, place)) : found;
        }

        private static String revision(SqlNode period) {
            if (period instanceof SqlLiteral literal) {
                return literal.getValue() instanceof NlsString text ? text.getValue() : "@{" + time(literal) + "}";
            }
            throw new QueryException("a version is named by a time or a revision, not by " + period);
        }

        private static String time(SqlLiteral literal) {
            return String.valueOf(literal.toValue()).replace(' ', 'T') + "Z";
        }
    }
}
