package dev.pail.sql.calcite;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.apache.calcite.util.mapping.Mappings;

/** What moves into a scan: conditions, which are checked again outside, and the choice of columns. */
final class ScanRules {
    static final List<RelOptRule> ALL = List.of(new Conditions(), new Columns(), new Used());

    private ScanRules() {}

    @SuppressWarnings("deprecation") // The other way needs a processor of annotations.
    private static final class Conditions extends RelOptRule {
        Conditions() {
            super(operand(LogicalFilter.class, operand(Scan.class, none())), "PailConditions");
        }

        @Override
        public void onMatch(RelOptRuleCall call) {
            LogicalFilter filter = call.rel(0);
            Scan scan = call.rel(1);
            if (scan.wanted().isAll()) {
                Source.Wanted wanted = scan.rows()
                        .pushed(
                                scan.wanted(),
                                RelOptUtil.conjunctions(filter.getCondition()),
                                scan.getCluster().getRexBuilder());
                if (!wanted.isAll()) {
                    call.transformTo(filter.copy(filter.getTraitSet(), scan.with(wanted), filter.getCondition()));
                }
            }
        }
    }

    @SuppressWarnings("deprecation") // The other way needs a processor of annotations.
    private static final class Columns extends RelOptRule {
        Columns() {
            super(operand(LogicalProject.class, operand(Scan.class, none())), "PailColumns");
        }

        @Override
        public void onMatch(RelOptRuleCall call) {
            LogicalProject project = call.rel(0);
            Scan scan = call.rel(1);
            List<Integer> places = new ArrayList<>();
            for (RexNode each : project.getProjects()) {
                if (!(each instanceof RexInputRef input)) {
                    return;
                }
                places.add(scan.wanted().places().get(input.getIndex()));
            }
            call.transformTo(scan.with(new Source.Wanted(
                    places, scan.wanted().filter(), scan.wanted().id())));
        }
    }

    /** The columns that neither a condition nor the choice above it names are not read. */
    @SuppressWarnings("deprecation") // The other way needs a processor of annotations.
    private static final class Used extends RelOptRule {
        Used() {
            super(operand(LogicalProject.class, operand(LogicalFilter.class, operand(Scan.class, none()))), "PailUsed");
        }

        @Override
        public void onMatch(RelOptRuleCall call) {
            LogicalProject project = call.rel(0);
            LogicalFilter filter = call.rel(1);
            Scan scan = call.rel(2);
            int all = scan.getRowType().getFieldCount();
            ImmutableBitSet used = RelOptUtil.InputFinder.bits(project.getProjects(), filter.getCondition());
            if (used.cardinality() == all || used.isEmpty()) {
                return;
            }
            Mappings.TargetMapping mapping = Mappings.target(used::indexOf, all, used.cardinality());
            List<Integer> places =
                    used.asList().stream().map(scan.wanted().places()::get).toList();
            RelNode narrow = scan.with(new Source.Wanted(
                    places, scan.wanted().filter(), scan.wanted().id()));
            RelNode filtered = filter.copy(filter.getTraitSet(), narrow, RexUtil.apply(mapping, filter.getCondition()));
            call.transformTo(project.copy(
                    project.getTraitSet(),
                    filtered,
                    RexUtil.apply(mapping, project.getProjects()),
                    project.getRowType()));
        }
    }
}
