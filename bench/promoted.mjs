// Fills the database with promotions: one is made over the API, the others are copies of its rows, each for a product of its own.
import { askOnce } from "./load.mjs";
import { project_id, settle } from "./stage.mjs";
import { makeFloor, stock } from "./stock.mjs";

/** Leaves n promotions and so many vouchers in the database, and no service that knows them. */
export async function stockPromotions(stage, n, vouchers) {
  const making = await stage.startService();
  await makeFloor(stage.db);
  await stock(stage.db, making.url, vouchers);
  const { rows } = await stage.db.query("select count(*)::int as there from promotion_tiers where project_id = $1", [
    project_id,
  ]);
  const { there } = rows[0];
  if (there === 0) await makeTemplate(making.url);
  await settle(stage.db);
  await stage.stop(making);
  await copyTemplate(stage.db, Math.max(1, there), n);
}

const ids = ["validation_rules", "campaigns", "promotion_tiers", "validation_rules_assignments"];
export const idOf = (table, i) => `bench_${table}_${i}`;

export const rulesOf = (i, amount) => ({
  1: { name: "order.items.any", conditions: { $is: [{ object: "product", id: `prod_${i}` }] } },
  2: { name: "order.initial_amount", conditions: { $more_than_or_equal: [amount] } },
  logic: "1 and 2",
});

async function makeTemplate(url) {
  const rule = JSON.parse(
    await askOnce(`${url}/v1/validation-rules`, JSON.stringify({ name: "Promoted", rules: rulesOf(0, 1) })),
  );
  const discount = { type: "AMOUNT", amount_off: 100 };
  const tier = { name: "Promoted", banner: "Promoted", action: { discount }, validation_rules: [rule.id] };
  const campaign = { name: "Promoted", campaign_type: "PROMOTION", promotion: { tiers: [tier] } };
  await askOnce(`${url}/v1/campaigns`, JSON.stringify(campaign));
}

/** Copies of the rule, the campaign, its tier and what joins them, each for a product of its own. */
async function copyTemplate(db, from, to) {
  const { rows } = await db.query(
    `select campaigns.id as campaigns, promotion_tiers.id as promotion_tiers,
            assignment.id as validation_rules_assignments, assignment.rule_id as validation_rules
       from campaigns
       join promotion_tiers on promotion_tiers.project_id = campaigns.project_id and promotion_tiers.campaign_id = campaigns.id
       join validation_rules_assignments as assignment
         on assignment.project_id = campaigns.project_id and assignment.related_object_id = promotion_tiers.id
      where campaigns.project_id = $1 and campaigns.name = 'Promoted'`,
    [project_id],
  );
  const changes = {
    validation_rules: `'rules', replace(template.rules::text, '"prod_0"', '"prod_' || copy.i || '"')::jsonb`,
    campaigns: "'name', 'Promoted ' || copy.i",
    promotion_tiers: "'campaign_id', 'bench_campaigns_' || copy.i",
    validation_rules_assignments: `'rule_id', 'bench_validation_rules_' || copy.i, 'related_object_id', 'bench_promotion_tiers_' || copy.i`,
  };
  for (const table of ids) {
    const { rows: written } = await db.query(
      `select string_agg(quote_ident(attname), ', ') as columns, string_agg('row.' || quote_ident(attname), ', ') as values
         from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
      [table],
    );
    await db.query(
      `insert into ${table} (${written[0].columns})
       select ${written[0].values}
         from ${table} as template, generate_series($3::bigint, $4::bigint) as copy (i),
              lateral jsonb_populate_record(template, jsonb_build_object('id', '${idOf(table, "")}' || copy.i, ${changes[table]})) as row
        where template.project_id = $1 and template.id = $2`,
      [project_id, rows[0][table], from, to],
    );
    await db.query(`vacuum (analyze) ${table}`);
  }
}
