import { type Liability, sumLiability } from "../../../books/index.js";
import type { Queries } from "../../../platform/db/database.js";
import { knownProgram } from "../programs/index.js";

/** What a program owes its members, in points. */
export interface ProgramLiability extends Liability {
  campaign_id: string;
  /** Of those outstanding the ones that do not expire. */
  not_expiring: number;
}

/** What an accountant asks of a program: equal to the sum of its cards' books at every moment, since it is read from one. */
export async function readLiability(db: Queries, project_id: string, id_or_name: string): Promise<ProgramLiability> {
  const { id: campaign_id } = await knownProgram(db, project_id, id_or_name);
  const liability = await sumLiability(db, project_id, campaign_id);
  const dated = liability.expiring.reduce((sum, { points }) => sum + points, 0);
  // Sums that are beyond what JSON can say are told as the largest it can.
  return { campaign_id, ...liability, not_expiring: Math.max(0, liability.outstanding - dated) };
}
