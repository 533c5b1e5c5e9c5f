package org.naklab.lab.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.naklab.lab.core.ProcessNames;
import org.naklab.lab.runs.history.RunColour;

/**
 * A receiver that still sends NAKs where the service sends none: a loss that a cure of the service leaves, and that has another cause.
 *
 * @param receiver a receiver other than the service
 * @param seeds at which it sent NAKs and the service none
 * @param trials of the cell whose receivers are known
 */
public record RemainingLoss(Cell cell, String receiver, int seeds, int trials) {
    /** Finds the receivers of each cell that is not like the first arm: the arms that are to cure something. */
    static List<RemainingLoss> of(CampaignPlan plan, List<CampaignStore.Mark> marks) {
        String uncured = plan.cells().get(0).arm();
        List<RemainingLoss> losses = new ArrayList<>();
        for (Cell cell : plan.cells()) {
            if (!cell.arm().equals(uncured)) {
                collect(
                        cell,
                        marks.stream()
                                .filter(mark -> mark.cell().equals(cell)
                                        && !mark.receivers().isEmpty())
                                .toList(),
                        losses);
            }
        }
        return List.copyOf(losses);
    }

    private static void collect(Cell cell, List<CampaignStore.Mark> marks, List<RemainingLoss> losses) {
        Set<String> names = new TreeSet<>();
        marks.forEach(mark -> mark.receivers().forEach(receiver -> names.add(receiver.name())));
        names.remove(ProcessNames.SERVICE);
        for (String name : names) {
            int seeds = Math.toIntExact(marks.stream()
                    .filter(mark ->
                            mark.colour(name) == RunColour.RED && mark.colour(ProcessNames.SERVICE) != RunColour.RED)
                    .count());
            if (seeds > 0) {
                losses.add(new RemainingLoss(cell, name, seeds, marks.size()));
            }
        }
    }

    /** Returns it as a sentence without a full stop. */
    public String words() {
        return cell.scenario() + ", " + cell.arm() + ": " + receiver + " still sent NAKs at " + seeds + " of " + trials
                + " seeds at which the service sent none; this loss has another cause";
    }
}
