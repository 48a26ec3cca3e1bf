import { rewardUses } from "../../books/index.js";
import type { Database, Queries, Tx } from "../../platform/db/database.js";
import { type Sql, sql } from "../../platform/db/sql.js";
import { bool, insertInto, int8, jsonb, metadata, sets, table, text, timestamptz } from "../../platform/db/table.js";
import { type Listed, orderOf, type Page, readList } from "../../platform/listing/index.js";
import type { CountedReward, Reward, RewardAssignment } from "./reward.js";

const rewards = table<Reward>("rewards", {
  id: text,
  name: text,
  type: text,
  parameters: jsonb,
  stock: int8,
  attributes: jsonb,
  metadata,
  created_at: timestamptz,
  updated_at: timestamptz,
});
const reward_assignments = table<RewardAssignment>("reward_assignments", {
  id: text,
  reward_id: text,
  campaign_id: text,
  points: int8,
  auto_redeem: bool,
  created_at: timestamptz,
  updated_at: timestamptz,
});

const counted_fields = sql`${rewards.fields}, ${rewardUses({ project_id: sql`rewards.project_id`, id: sql`rewards.id` })} as redeemed`;
const assignment_fields = reward_assignments.fields;

export const findRewardsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<CountedReward>(sql`
    select ${counted_fields} from rewards
     where rewards.project_id = ${project_id} and rewards.id = any(${ids}::text[])`);

/** @param assignment_id only the reward that is given by it */
export const listRewards = (
  db: Database,
  project_id: string,
  assignment_id: string | undefined,
  page: Page,
): Promise<Listed<CountedReward>> =>
  readList<CountedReward>(
    db,
    project_id,
    { table: sql`rewards`, fields: counted_fields },
    {
      conditions:
        assignment_id === undefined
          ? []
          : [
              sql`rewards.id in (
                select reward_assignments.reward_id from reward_assignments
                 where reward_assignments.project_id = ${project_id} and reward_assignments.id = ${assignment_id})`,
            ],
      order: orderOf("-created_at", { created_at: { keys: [sql`rewards.created_at`, sql`rewards.id`] } }),
      page,
    },
  );

export const insertReward = (tx: Tx, project_id: string, reward: Reward) =>
  tx.run(insertInto(rewards, project_id, [reward]));

export const updateReward = (tx: Tx, project_id: string, reward: Reward) =>
  tx.run(sql`
    update rewards set ${sets(rewards, reward, ["name", "parameters", "stock", "attributes", "metadata", "updated_at"])}
     where rewards.project_id = ${project_id} and rewards.id = ${reward.id}`);

export const deleteReward = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`delete from rewards where rewards.project_id = ${project_id} and rewards.id = ${id}`);

/** Of a campaign in the bin nothing is seen. */
const live = sql`exists (
  select from campaigns
   where campaigns.project_id = reward_assignments.project_id and campaigns.id = reward_assignments.campaign_id
     and campaigns.deleted_at is null)`;

export const findAssignment = (db: Queries, project_id: string, id: string) =>
  db.maybe<RewardAssignment>(sql`
    select ${assignment_fields} from reward_assignments
     where reward_assignments.project_id = ${project_id} and reward_assignments.id = ${id} and ${live}`);

/** Also of programs in the bin. */
export const findAssignmentsByIds = (db: Queries, project_id: string, ids: readonly string[]) =>
  db.many<RewardAssignment>(sql`
    select ${assignment_fields} from reward_assignments
     where reward_assignments.project_id = ${project_id} and reward_assignments.id = any(${ids}::text[])`);

/** Those of a reward, of a program, or that stand between the two: newest first. */
export interface AssignmentsOf {
  reward_id?: string;
  campaign_id?: string;
  id?: string;
}

const conditionsOf = ({ reward_id, campaign_id, id }: AssignmentsOf): Sql[] => [
  live,
  ...(reward_id === undefined ? [] : [sql`reward_assignments.reward_id = ${reward_id}`]),
  ...(campaign_id === undefined ? [] : [sql`reward_assignments.campaign_id = ${campaign_id}`]),
  ...(id === undefined ? [] : [sql`reward_assignments.id = ${id}`]),
];

const newest_first = orderOf("-created_at", {
  created_at: { keys: [sql`reward_assignments.created_at`, sql`reward_assignments.id`] },
});

export const listAssignments = (db: Database, project_id: string, of: AssignmentsOf, page: Page) =>
  readList<RewardAssignment>(
    db,
    project_id,
    { table: sql`reward_assignments`, fields: assignment_fields },
    {
      conditions: conditionsOf(of),
      order: newest_first,
      page,
    },
  );

/** All of a program's or of a reward's, in the bin too: no more than may be made. */
export const findAssignmentsOf = (
  db: Queries,
  project_id: string,
  { campaign_ids, reward_ids }: { campaign_ids: readonly string[]; reward_ids: readonly string[] },
) =>
  db.many<RewardAssignment>(sql`
    select ${assignment_fields} from reward_assignments
     where reward_assignments.project_id = ${project_id}
       and (reward_assignments.campaign_id = any(${campaign_ids}::text[])
            or reward_assignments.reward_id = any(${reward_ids}::text[]))`);

/** Of rows `gone` of the outbox, those of projects in which something is redeemed by itself. */
export const has_auto_rewards: Sql = sql`
  exists (select from reward_assignments
           where reward_assignments.project_id = gone.project_id and reward_assignments.auto_redeem)`;

/** The reward that a program redeems by itself. */
export interface AutoReward {
  /** The assignment's. */
  id: string;
  reward_id: string;
  campaign_id: string;
  points: number;
}

/**
 * Those of the programs, as long as there are any left to give.
 * @param campaign_ids null: of all programs
 */
export const findAutoRewards = (db: Queries, project_id: string, campaign_ids: readonly string[] | null) =>
  db.many<AutoReward>(sql`
    select reward_assignments.id, reward_assignments.reward_id, reward_assignments.campaign_id, reward_assignments.points
      from reward_assignments
      join rewards on rewards.project_id = reward_assignments.project_id and rewards.id = reward_assignments.reward_id
     where reward_assignments.project_id = ${project_id} and reward_assignments.auto_redeem
       and reward_assignments.points is not null
       and (${campaign_ids}::text[] is null or reward_assignments.campaign_id = any(${campaign_ids}::text[]))
       and ${live}
       and (rewards.stock is null
            or rewards.stock > coalesce(${rewardUses({ project_id: sql`rewards.project_id`, id: sql`rewards.id` })}, 0))`);

export const findLiveAssignmentIds = (db: Queries, project_id: string, reward_id: string) =>
  db.many<{ id: string }>(sql`
    select reward_assignments.id from reward_assignments
     where reward_assignments.project_id = ${project_id} and reward_assignments.reward_id = ${reward_id} and ${live}
     order by reward_assignments.created_at, reward_assignments.id`);

export const insertAssignments = (tx: Tx, project_id: string, made: readonly RewardAssignment[]) =>
  tx.run(insertInto(reward_assignments, project_id, made));

export const updateAssignment = (tx: Tx, project_id: string, assignment: RewardAssignment) =>
  tx.run(sql`
    update reward_assignments set ${sets(reward_assignments, assignment, ["points", "auto_redeem", "updated_at"])}
     where reward_assignments.project_id = ${project_id} and reward_assignments.id = ${assignment.id}`);

export const deleteAssignment = (tx: Tx, project_id: string, id: string) =>
  tx.run(sql`
    delete from reward_assignments
     where reward_assignments.project_id = ${project_id} and reward_assignments.id = ${id}`);

const rewardTexts = (project_id: string, which: Sql) => sql`
  with page as (
    select rewards.id, rewards.name, rewards.parameters, rewards.stock from rewards
     where rewards.project_id = ${project_id} and ${which}
  )
  select page.id, json_build_array(page.name, page.parameters, page.stock, given.by)::text as text
    from page
    left join (
      select reward_assignments.reward_id as id,
             json_object_agg(reward_assignments.campaign_id, reward_assignments.id) as by
        from reward_assignments
       where reward_assignments.project_id = ${project_id}
         and reward_assignments.reward_id = any(array(select page.id from page))
       group by reward_assignments.reward_id
    ) as given on given.id = page.id
   order by page.id`;

/** A page of the rewards in the order of their ids: what a catalogue begins with. */
export const rewardTextsAfter = (project_id: string, after_id: string, limit: number) =>
  rewardTexts(project_id, sql`rewards.id > ${after_id} order by rewards.id limit ${limit}`);

export const rewardTextsOfIds = (project_id: string, ids: readonly string[]) =>
  rewardTexts(project_id, sql`rewards.id = any(${ids}::text[])`);

const assignmentTexts = (project_id: string, which: Sql) => sql`
  select reward_assignments.id,
         json_build_array(reward_assignments.reward_id, reward_assignments.campaign_id, reward_assignments.points)::text as text
    from reward_assignments
   where reward_assignments.project_id = ${project_id} and ${which}`;

export const assignmentTextsAfter = (project_id: string, after_id: string, limit: number) =>
  assignmentTexts(project_id, sql`reward_assignments.id > ${after_id} order by reward_assignments.id limit ${limit}`);

export const assignmentTextsOfIds = (project_id: string, ids: readonly string[]) =>
  assignmentTexts(project_id, sql`reward_assignments.id = any(${ids}::text[])`);
